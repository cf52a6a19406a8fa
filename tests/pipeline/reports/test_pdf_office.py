"""The same report as a Word file and as the PDF that LibreOffice makes of it: headings, levels, order and text."""

import shutil
import subprocess
from pathlib import Path

import pytest

from data.sample.word import write_docx
from data.sample.writing import compose_samples
from pipeline.records import Report
from pipeline.reports import read_report

SOFFICE = shutil.which("soffice")
REPORTS = ("ca-salut-rural-2024", "es-teatro-joven-2024", "en-ocean-plastic-2024")
CONTENTS = {"Contents", "Índex", "Índice"}  # a title without its table
pytestmark = [pytest.mark.slow, pytest.mark.skipif(SOFFICE is None, reason="LibreOffice is not installed")]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("office")
    for document in compose_samples():
        if Path(document.file).stem in REPORTS:
            write_docx(document, folder / document.file)
    for bookmarks in ("true", "false"):
        options = f'pdf:writer_pdf_Export:{{"ExportBookmarks":{{"type":"boolean","value":"{bookmarks}"}}}}'
        command = [str(SOFFICE), f"-env:UserInstallation={(folder / 'profile').as_uri()}", "--headless"]
        command += [
            "--convert-to",
            options,
            "--outdir",
            str(folder / bookmarks),
            *map(str, sorted(folder.glob("*.docx"))),
        ]
        subprocess.run(command, check=True, capture_output=True, timeout=200)
    return folder


def blocks(report: Report) -> list[str]:
    return [f"{b.kind}: {b.text}" for section in report.sections for b in section.blocks if b.text not in CONTENTS]


@pytest.mark.parametrize("name", REPORTS)
@pytest.mark.parametrize("bookmarks", ["true", "false"])
def test_the_pdf_reads_as_the_word_file(folder: Path, name: str, bookmarks: str) -> None:
    word = read_report(folder / f"{name}.docx")
    pdf = read_report(folder / bookmarks / f"{name}.pdf")
    outline = [(section.level, section.number, section.heading) for section in word.sections]
    assert [(section.level, section.number, section.heading) for section in pdf.sections] == outline
    assert (pdf.title, pdf.language) == (word.title, word.language)
    assert pdf.characters.unaccounted == 0
    # A word that a narrow cell tore, or a paragraph that ends where its page does, may differ.
    found, wanted = blocks(pdf), blocks(word)
    assert len(set(found) & set(wanted)) >= 0.95 * len(set(wanted))
    assert [text for text in wanted if text in set(found)] == [text for text in found if text in set(wanted)]
