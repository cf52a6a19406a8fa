"""Files and folders into reports in the workspace: what was read before costs its hash alone."""

import logging
import os
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from pipeline.errors import UserError
from pipeline.progress import Progress, silent
from pipeline.reports import artifact, catalogue
from pipeline.reports.artifact import Entry
from pipeline.reports.isolate import read_all
from pipeline.reports.read import SUPPORTED, why_not
from pipeline.settings import Reports
from pipeline.storage import Workspace, file_sha256

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Refused:
    """A file, or a folder, that gave no report, and why."""

    file: str
    reason: str


@dataclass(frozen=True, slots=True)
class Ingested:
    """What is known of a report per file that could be read, in the order given, and the other files.

    `reused` were read before. `families` are versions of one another, also among older reports: id -> file of each.
    """

    reports: tuple[Entry, ...]
    refused: tuple[Refused, ...]
    reused: int
    families: tuple[dict[str, str], ...] = ()


def ingest(paths: Sequence[Path], workspace: Workspace, settings: Reports, progress: Progress = silent) -> Ingested:
    """Read all reports among `paths` and below, each in its own process, and keep them in the workspace.

    A file that cannot be read is told among the refused and stops nobody. No report is held in memory.

    Raises:
        UserError: the workspace cannot be written.
        FatalError: the workspace is broken.
    """
    files, refused = found_files(paths, workspace.root)
    keys: dict[Path, str] = {}
    for file in files:
        try:
            keys[file] = catalogue.key_of(file_sha256(file), file, settings)
        except OSError as error:
            refused.append(Refused(str(file), f"cannot be read: {error.strerror}"))
    stored = {key: entry for key in set(keys.values()) if (entry := artifact.find(workspace, key))}
    reused = sum(key in stored for key in keys.values())
    try:
        for file, reason in _read_new(keys, stored, workspace, settings, progress):
            refused += [Refused(str(same), reason) for same, key in keys.items() if key == keys[file]]
    finally:
        seen = {file: (key, stored[key].source_sha256) for file, key in keys.items() if key in stored}
        catalogue.record(workspace, seen)
    families = catalogue.families(workspace, stored)
    reports = (stored[key].model_copy(update={"file": f.name}) for f, key in keys.items() if key in stored)
    return Ingested(tuple(reports), tuple(sorted(refused, key=lambda one: one.file)), reused, tuple(families))


def _read_new(
    keys: dict[Path, str],
    stored: dict[str, Entry],
    workspace: Workspace,
    settings: Reports,
    progress: Progress,
) -> Iterator[tuple[Path, str]]:
    """Read what is not stored yet into `stored`; yields each file that could not be read, and why."""
    first_of: dict[str, Path] = {}  # files of the same content are read once
    for file, key in keys.items():
        if key not in stored:
            first_of.setdefault(key, file)
    unread = list(first_of.values())
    done = len(stored)
    total = done + len(unread)
    progress(done, total)
    with closing(read_all(unread, settings)) as outcomes:
        for index, outcome in outcomes:
            file = unread[index]
            if isinstance(outcome, Path):
                with workspace.lock(artifact.KIND):
                    stored[keys[file]] = entry = artifact.store(workspace, keys[file], outcome)
                logger.info("read report %s", entry.report)
            else:
                yield file, _reason(outcome)
            done += 1
            progress(done, total, file.name)


def _reason(error: UserError) -> str:
    """The error's line without the path, which stands beside it."""
    return UserError(error.what, fix=error.fix).line


def found_files(paths: Sequence[Path], workspace: Path) -> tuple[list[Path], list[Refused]]:
    """The files to read, absolute, each once, in order; and what is refused by its name alone."""
    files: dict[Path, None] = {}
    refused: dict[str, str] = {}
    for path in paths:
        if os.path.isdir(path):
            below = list(_below(path, workspace, refused))
            if not any(why_not(file) is None for file in below):
                kinds = " ".join(sorted(SUPPORTED))
                refused[str(path)] = f"holds no report. Reports are files that end in {kinds}"
                below = []
        else:
            below = [path]
        for file in below:
            if reason := _refusal(file):
                refused[str(file)] = reason
            else:
                files[file.absolute()] = None
    return list(files), [Refused(file, reason) for file, reason in refused.items()]


def _refusal(file: Path) -> str | None:
    if not _is_utf8(file.absolute()):
        return "has a name that is not UTF-8. Rename it"
    if not os.path.exists(file):  # unlike Path.exists, it takes a name that no disk can hold for one that is not there
        return "does not exist"
    return why_not(file) or (None if os.path.isfile(file) else "is no regular file")


def _is_utf8(file: Path) -> bool:
    try:
        return bool(str(file).encode("utf-8"))
    except UnicodeEncodeError:
        return False


def _below(folder: Path, workspace: Path, refused: dict[str, str]) -> Iterator[Path]:
    """Files under a folder by name, without hidden ones, the lock files of Office, and the workspace itself.

    Folders that cannot be looked into are told in `refused`.
    """

    def unseen(error: OSError) -> None:
        refused[str(error.filename)] = f"cannot be looked into: {error.strerror}"

    for place, folders, names in os.walk(folder, onerror=unseen):
        ours = (name for name in folders if Path(place, name).resolve() == workspace)
        folders[:] = sorted({name for name in folders if not name.startswith(".")} - set(ours))
        for name in sorted(names):
            if not name.startswith((".", "~$")):
                yield Path(place, name)
