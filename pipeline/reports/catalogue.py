"""Which reports the workspace holds: absolute path of each file -> the artifact that was read from it.

    reports/catalogue.json   {"/archive/a.docx": {"key", "sha256", "first_seen", "earlier": [...]}}

A changed file replaces its entry; the entry it had goes to `earlier`, and its artifact stays.
"""

from collections.abc import Collection, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pipeline.errors import FatalError, UserError
from pipeline.records import SHORTEST_ID_PREFIX, Report, Section, digest, short
from pipeline.reports import artifact
from pipeline.reports.artifact import KIND, Entry
from pipeline.reports.duplicates import find_duplicates
from pipeline.reports.read import READER
from pipeline.settings import Reports
from pipeline.storage import Workspace, read_json, write_json

_FIELDS = {"key", "sha256", "first_seen", "earlier"}
_REDO = "delete it and ingest the files again"


def key_of(sha256: str, file: Path, settings: Reports) -> str:
    """Key of the artifact for a file's content, as the present reader reads it with these settings."""
    limits = {"timeout_seconds", "memory_bytes", "workers"}
    return short(digest([sha256, READER, file.suffix.lower(), settings.model_dump(mode="json", exclude=limits)]))


def record(workspace: Workspace, seen: Mapping[Path, tuple[str, str]]) -> None:
    """Note which artifact each file is now: absolute path -> (key, sha256)."""
    if not seen:
        return
    now = datetime.now(UTC).isoformat(timespec="seconds")
    with workspace.lock(KIND):
        entries = _entries(workspace)
        for path, (key, sha256) in seen.items():
            entry = entries.get(str(path))
            if entry is None:
                entries[str(path)] = {"key": key, "sha256": sha256, "first_seen": now, "earlier": []}
            elif entry["sha256"] == sha256:
                entry["key"] = key
            else:
                old = {name: entry[name] for name in ("key", "sha256", "first_seen")} | {"replaced": now}
                entries[str(path)] = {
                    "key": key,
                    "sha256": sha256,
                    "first_seen": now,
                    "earlier": [*entry["earlier"], old],
                }
        write_json(workspace.path(KIND, "catalogue.json"), dict(sorted(entries.items())))


def iterate_reports(workspace: Workspace) -> Iterator[Report]:
    """The current reports, each once, by file name, one in memory at a time.

    Raises:
        FatalError: one of them is no longer what was written.
    """
    for key, names in sorted(_current(workspace).items(), key=lambda item: (item[1][0], item[0])):
        yield _named(artifact.load(workspace, key), names[0])


def list_reports(workspace: Workspace) -> list[Entry]:
    """What is known of the current reports, each once, by file name and id; none is opened.

    Raises:
        FatalError: one of them is no longer what was written.
    """
    found = (
        artifact.look_up(workspace, key).model_copy(update={"file": names[0]})
        for key, names in _current(workspace).items()
    )
    return sorted(found, key=lambda entry: (entry.file, entry.report))


def load_reports(workspace: Workspace) -> list[Report]:
    """The current reports, each once, by file name and id.

    Raises:
        FatalError: one of them is no longer what was written.
    """
    return sorted(iterate_reports(workspace), key=lambda report: (report.file, report.id))


def families(workspace: Workspace, keys: Collection[str]) -> list[dict[str, str]]:
    """Current reports that are versions of one another, where one of them is among `keys`: id -> file of each.

    Raises:
        FatalError: one of them is no longer what was written.
    """
    current = _current(workspace)
    report_of = {key: artifact.look_up(workspace, key).report for key in sorted(current)}
    file_of = {report_of[key]: names[0] for key, names in current.items()}
    asked = {report_of[key] for key in keys if key in report_of}
    found = find_duplicates(artifact.signatures(workspace, key) for key in report_of).families
    asked_for = (sorted(family, key=file_of.__getitem__) for family in found if asked & set(family))
    return [{identity: file_of[identity] for identity in family} for family in asked_for]


def find_report(workspace: Workspace, name: str) -> Report:
    """The current report whose file is called `name`, with or without suffix, or whose id begins with it.

    Raises:
        UserError: there is none, or more than one; the text names the candidates.
    """
    current = _current(workspace)
    ids = {key: artifact.look_up(workspace, key).report for key in current}
    matches = {key: names for key, names in current.items() if _is_called(name, names, ids[key])}
    if len(matches) == 1:
        ((key, names),) = matches.items()
        return _named(artifact.load(workspace, key), names[0])
    told = ", ".join(sorted(f"{names[0]} ({short(ids[key])})" for key, names in (matches or current).items()))
    if matches:
        raise UserError(f"{len(matches)} reports are called {name}: {told}", fix="give the id in brackets")
    raise UserError(
        f"no report is called {name}",
        where=workspace.root,
        fix=f"choose one of: {told or 'none yet (run memoria ingest)'}",
    )


def find_section(report: Report, wanted: str) -> Section:
    """The section with this number or heading; if there is none, the one whose id begins so.

    Raises:
        UserError: none, or several.
    """
    found = [s for s in report.sections if wanted in (s.number, s.heading, s.title)]
    if not found and len(wanted) >= SHORTEST_ID_PREFIX:  # what is called 1 is not what has an id that begins with 1
        found = [s for s in report.sections if s.id.startswith(wanted)]
    if len(found) != 1:
        what = f"{len(found)} sections are" if found else "no section is"
        raise UserError(f"{what} called {wanted!r}", where=report.file, fix=f"see: memoria outline {report.file}")
    return found[0]


def _named(report: Report, file: str) -> Report:
    """The report under the name that its file has now."""
    return report if report.file == file else report.model_copy(update={"file": file})


def _is_called(name: str, files: list[str], identity: str) -> bool:
    by_name = any(name in (file, Path(file).stem) for file in files)
    return by_name or (len(name) >= SHORTEST_ID_PREFIX and identity.startswith(name.lower()))


def _current(workspace: Workspace) -> dict[str, list[str]]:
    """Key of each current report -> the names of its files, sorted."""
    found: dict[str, list[str]] = {}
    for path, entry in _entries(workspace).items():
        found.setdefault(entry["key"], []).append(Path(path).name)
    return {key: sorted(names) for key, names in found.items()}


def _entries(workspace: Workspace) -> dict[str, dict[str, Any]]:
    path = workspace.path(KIND, "catalogue.json")
    entries = read_json(path, fix=_REDO) if path.exists() else {}
    if not all(isinstance(entry, dict) and entry.keys() >= _FIELDS for entry in entries.values()):
        raise FatalError("is no longer a catalogue", where=path, fix=_REDO)
    return entries
