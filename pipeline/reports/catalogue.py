"""Which reports the workspace holds: absolute path of each file -> the artifact that was read from it.

    reports/catalogue.json   {"/archive/a.docx": {"key", "sha256", "first_seen", "earlier": [...]}}
    reports/<key>/report.json

A changed file replaces its entry; the entry it had goes to `earlier`, and its artifact stays.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from pipeline.errors import FatalError, UserError
from pipeline.records import SHORTEST_ID_PREFIX, Report, digest, short
from pipeline.reports.read import READER
from pipeline.settings import Reports
from pipeline.storage import MANIFEST, Workspace, read_json, write_json, write_text

KIND = "reports"
REPORT_FILE = "report.json"
_ENTRY = {"key", "sha256", "first_seen", "earlier"}
_REDO = "delete it and ingest the files again"


def key_of(sha256: str, file: Path, settings: Reports) -> str:
    """Key of the artifact for a file's content, as the present reader reads it with these settings."""
    limits = {"timeout_seconds", "memory_bytes", "workers"}
    return short(digest([sha256, READER, file.suffix.lower(), settings.model_dump(mode="json", exclude=limits)]))


def store(workspace: Workspace, report: Report, key: str) -> str:
    """Keep a report as the artifact `key`; returns the key."""
    note = {
        "id": report.id,
        "file": report.file,
        "title": report.title,
        "source_sha256": report.source_sha256,
        "reader": READER,
    }
    with workspace.lock(KIND), workspace.build(KIND, key, note) as folder:
        write_text(folder / REPORT_FILE, report.model_dump_json())
    return key


def load(workspace: Workspace, key: str, file: str | None = None) -> Report:
    """A stored report, under the name that its file has now.

    Raises:
        FatalError: it is not there, or no longer what was written.
    """
    path = workspace.open(KIND, key) / REPORT_FILE
    try:
        report = Report.model_validate_json(path.read_bytes())
    except (OSError, ValidationError) as error:
        raise _broken(path) from error
    _identity(workspace, key)  # a manifest that is broken has the report read again, too
    return report if file in (None, report.file) else report.model_copy(update={"file": file})


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


def load_reports(workspace: Workspace) -> list[Report]:
    """The current reports, each once, by file name and id.

    Raises:
        FatalError: one of them is no longer what was written.
    """
    reports = [load(workspace, key, names[0]) for key, names in _current(workspace).items()]
    return sorted(reports, key=lambda report: (report.file, report.id))


def find_report(workspace: Workspace, name: str) -> Report:
    """The current report whose file is called `name`, with or without suffix, or whose id begins with it.

    Raises:
        UserError: there is none, or more than one; the text names the candidates.
    """
    current = _current(workspace)
    ids = {key: _identity(workspace, key) for key in current}
    matches = {key: names for key, names in current.items() if _is_called(name, names, ids[key])}
    if len(matches) == 1:
        ((key, names),) = matches.items()
        return load(workspace, key, names[0])
    told = ", ".join(sorted(f"{names[0]} ({short(ids[key])})" for key, names in (matches or current).items()))
    if matches:
        raise UserError(f"{len(matches)} reports are called {name}: {told}", fix="give the id in brackets")
    raise UserError(
        f"no report is called {name}",
        where=workspace.root,
        fix=f"choose one of: {told or 'none yet (run memoria ingest)'}",
    )


def _identity(workspace: Workspace, key: str) -> str:
    """A stored report's id, without reading the report."""
    identity = workspace.manifest(KIND, key).get("id")
    if not isinstance(identity, str):
        raise _broken(workspace.open(KIND, key) / MANIFEST)
    return identity


def _broken(path: Path) -> FatalError:
    return FatalError("is no longer a report", where=path, fix=f"delete {path.parent} and ingest the file again")


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
    if not all(isinstance(entry, dict) and entry.keys() >= _ENTRY for entry in entries.values()):
        raise FatalError("is no longer a catalogue", where=path, fix=_REDO)
    return entries
