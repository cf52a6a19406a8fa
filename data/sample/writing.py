"""The whole road of the sample reports: banks -> documents -> .docx and .facts.json files."""

import hashlib
import json
from pathlib import Path
from typing import Final

from data.sample.composition import compose
from data.sample.document import Document, Section
from data.sample.long_report import LONG_OUTLINE, compose_long
from data.sample.project import LANGUAGES, load_projects, read_bank
from data.sample.template import Phrasing
from data.sample.word import write_docx
from pipeline.progress import Progress, silent

_SEED: Final = "sample reports, first edition"


def compose_samples() -> list[Document]:
    """Every report as a Document, in the order of the banks, always the same."""
    banks = {language: read_bank(language) for language in LANGUAGES}
    outlines = read_bank("outlines")
    phrasings = {language: Phrasing(language, _SEED) for language in LANGUAGES}
    documents = []
    for project in load_projects():
        bank, phrasing = banks[project.language], phrasings[project.language]
        if project.design.outline == LONG_OUTLINE:
            documents.append(compose_long(project, bank, phrasing))
        else:
            documents.append(compose(project, bank, outlines[project.design.outline], phrasing))
    return documents


def write_samples(folder: Path, progress: Progress = silent) -> list[Path]:
    """Write every report's .docx with its .facts.json beside it; return the paths of the .docx files.

    The folder is made if it is missing; files of the same name are replaced. Two runs give the same bytes.
    """
    folder.mkdir(parents=True, exist_ok=True)
    documents = compose_samples()
    paths = []
    for done, document in enumerate(documents):
        progress(done, len(documents), document.file)
        path = folder / document.file
        write_docx(document, path)
        path.with_suffix(".facts.json").write_text(_facts_json(document), encoding="utf-8")
        paths.append(path)
    progress(len(documents), len(documents), "")
    return paths


def _facts_json(document: Document) -> str:
    sections = [
        {"heading": section.heading, "number": section.number, "facts": section.facts, "of": _by_thing(section)}
        for section in document.sections
    ]
    record = {"file": document.file, "language": document.language, "sections": sections}
    return json.dumps(record, ensure_ascii=False, indent=1) + "\n"


def _by_thing(section: Section) -> dict[str, list[str]]:
    """The facts by what they are facts of: the project, or one account of the long report."""
    things: dict[str, list[str]] = {}
    for fact in section.stated:
        things.setdefault(fact.of or "project", []).append(fact.text)
    return things


def generator_digest() -> str:
    """SHA-256 (hex) of the generator's code and banks: the same digest, the same reports."""
    here = Path(__file__).parent
    parts = [path for path in sorted(here.rglob("*")) if path.suffix in (".py", ".toml")]
    return hashlib.sha256(b"".join(path.name.encode() + path.read_bytes() for path in parts)).hexdigest()
