"""A report on disk: what it says, what the catalogue tells of it, and by what its kin is known.

reports/<key>/report.json      the Report            manifest.json   the Entry (written last, by the workspace)
              signatures.json  of its sections
"""

import shutil
from datetime import date
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from pipeline.errors import FatalError
from pipeline.records import Characters, Language, Report
from pipeline.reports.duplicates import SignedReport, sign
from pipeline.storage import MANIFEST, Workspace

Model = TypeVar("Model", bound=BaseModel)

KIND = "reports"
_ENTRY, _REPORT, _SIGNATURES = "entry.json", "report.json", "signatures.json"


class Entry(BaseModel):
    """What is known of a report without opening it.

    `report` is its id, `key` names the artifact, `size_bytes` is the size of its file here.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    key: str
    report: str
    file: str
    source_sha256: str
    reader: str
    title: str
    language: Language | None
    created: date | None
    modified: date | None
    sections: int
    comments: int
    characters: Characters
    warnings: tuple[str, ...]
    size_bytes: int


def write(report: Report, folder: Path) -> None:
    """Leave a report in a folder, from which `store` takes it."""
    text = report.model_dump_json()
    (folder / _REPORT).write_text(text, "utf-8")
    (folder / _SIGNATURES).write_text(sign(report).model_dump_json(), "utf-8")
    entry = Entry(
        key="",  # not known here
        report=report.id,
        file=report.file,
        source_sha256=report.source_sha256,
        reader=report.reader,
        title=report.title,
        language=report.language,
        created=report.created,
        modified=report.modified,
        sections=len(report.sections),
        comments=len(report.comments),
        characters=report.characters,
        warnings=report.warnings,
        size_bytes=len(text.encode("utf-8")),
    )
    (folder / _ENTRY).write_text(entry.model_dump_json(), "utf-8")


def store(workspace: Workspace, key: str, folder: Path) -> Entry:
    """Move what `write` left in a folder into the workspace, as the artifact `key`."""
    entry = Entry.model_validate_json((folder / _ENTRY).read_bytes()).model_copy(update={"key": key})
    with workspace.build(KIND, key, entry.model_dump(mode="json")) as place:
        for name in (_REPORT, _SIGNATURES):
            shutil.move(folder / name, place / name)
    return entry


def find(workspace: Workspace, key: str) -> Entry | None:
    """The entry of a report that is there, and whole as far as a look at its files can tell; else None."""
    if not workspace.has(KIND, key):
        return None
    try:
        entry = look_up(workspace, key)
        folder = workspace.open(KIND, key)
        whole = (folder / _REPORT).stat().st_size == entry.size_bytes and (folder / _SIGNATURES).is_file()
    except (FatalError, OSError):
        return None
    return entry if whole else None


def look_up(workspace: Workspace, key: str) -> Entry:
    """The entry of a stored report.

    Raises:
        FatalError: it is not there, or no longer what was written.
    """
    try:
        return Entry.model_validate(workspace.manifest(KIND, key))
    except ValidationError as error:
        raise _broken(workspace.open(KIND, key) / MANIFEST) from error


def load(workspace: Workspace, key: str) -> Report:
    """A stored report.

    Raises:
        FatalError: it is not there, or no longer what was written.
    """
    return _read(workspace, key, _REPORT, Report)


def signatures(workspace: Workspace, key: str) -> SignedReport:
    """The signatures of a stored report's sections.

    Raises:
        FatalError: they are not there, or no longer what was written.
    """
    return _read(workspace, key, _SIGNATURES, SignedReport)


def _read(workspace: Workspace, key: str, name: str, kind: type[Model]) -> Model:
    path = workspace.open(KIND, key) / name
    try:
        return kind.model_validate_json(path.read_bytes())
    except (OSError, ValidationError) as error:
        raise _broken(path) from error


def _broken(path: Path) -> FatalError:
    return FatalError("is no longer a report", where=path, fix=f"delete {path.parent} and ingest the file again")
