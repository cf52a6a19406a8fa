"""Broken and hostile files: one clear line each, never a crash."""

import random
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from pipeline.errors import UserError
from pipeline.records import Report
from pipeline.reports import archive, read_report
from tests.pipeline.reports.pdf_files import make_pdf
from tests.pipeline.reports.report_files import NAMESPACES, Craft


def why(path: Path) -> str:
    with pytest.raises(UserError) as caught:
        read_report(path)
    assert str(path) in caught.value.line and "\n" not in caught.value.line
    return caught.value.what


def made(path: Path, data: bytes | str) -> Path:
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


@pytest.mark.parametrize("name", ["a.docx", "a.pdf", "a.md", "a.html", "a.txt"])
def test_empty(tmp_path: Path, name: str) -> None:
    assert why(made(tmp_path / name, b"")) == "is empty"
    assert why(made(tmp_path / name, b" \n")).startswith(("holds no text", "is no"))


def test_what_is_no_word_file(tmp_path: Path) -> None:
    path = tmp_path / "a.docx"
    assert "not a zip" in why(made(path, "hello"))
    old = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)
    assert why(made(path, old)) == "is no Word document"
    assert why(made(path, old + "EncryptedPackage".encode("utf-16-le"))) == "is encrypted"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("xl/workbook.xml", "<x/>")
    assert "no Word document" in why(path)
    path.write_bytes(path.read_bytes()[:-10])
    assert "incomplete" in why(path)


def test_document_without_text(craft: Craft) -> None:
    assert why(craft.docx(craft.p())) == "holds no text"


def test_doctype_and_entities_are_refused(craft: Craft, tmp_path: Path) -> None:
    for start in ('<!DOCTYPE x [<!ENTITY e "boom">]>', '<!DOCTYPE x SYSTEM "file:///etc/passwd">'):
        path = craft.docx(craft.p("x"), parts={"word/document.xml": f"{start}<w:document {NAMESPACES}/>"})
        assert "DOCTYPE" in why(path)
    utf16 = '<?xml version="1.0" encoding="UTF-16"?><!DOCTYPE x [<!ENTITY e "boom">]><x>&e;</x>'.encode("utf-16")
    path = craft.docx(craft.p("x"), name="wide.docx")
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("word/header9.xml", utf16)
    assert "DOCTYPE" in why(path)


def test_zip_bomb_and_too_many_parts(craft: Craft, monkeypatch: pytest.MonkeyPatch) -> None:
    path = craft.docx(craft.p("x"), parts={"word/header1.xml": " " * (archive.LARGEST_PART_BYTES + 1)})
    assert path.stat().st_size < 200_000
    assert "unpacks to more than" in why(path)
    many = craft.docx(craft.p("x"), parts={f"word/media/{i}.txt": "x" for i in range(60)})
    monkeypatch.setattr(archive, "MOST_PARTS", 50)
    assert "parts" in why(many)


def test_nested_without_end(craft: Craft) -> None:
    deep = "<w:sdt><w:sdtContent>" * 400 + craft.p("x") + "</w:sdtContent></w:sdt>" * 400
    assert "nested too deeply" in why(craft.docx(deep))
    html = craft.docx("").with_suffix(".html")
    report_or_reason(made(html, "<div>" * 3000 + "x"))


def test_damaged_part(craft: Craft) -> None:
    assert "damaged" in why(craft.docx("<w:p>"))
    path = craft.docx(craft.p("some text " * 500))
    data = bytearray(path.read_bytes())
    at = data.find(b"word/document.xml") + 60
    data[at : at + 30] = bytes(30)
    path.write_bytes(bytes(data))
    assert "damaged" in why(path)


def test_pdf(pdf: Callable[..., Path], tmp_path: Path) -> None:
    lines = [[(50.0, 700.0, 11.0, "A line of text that is long enough to be one.")]]
    assert why(pdf(lines, password="secret")) == "is encrypted"
    assert read_report(pdf(lines, password="")).sections[0].text.startswith("A line")
    assert "scanned" in why(pdf([[], []]))
    assert "no PDF" in why(made(tmp_path / "b.pdf", "hello"))


@pytest.mark.parametrize("suffix", [".xlsx", ".png", ""])
def test_other_formats(tmp_path: Path, suffix: str) -> None:
    assert why(made(tmp_path / f"file{suffix}", "x")) == f"not a report: {suffix or 'no suffix'}"


def test_the_first_bytes_tell_what_a_misnamed_file_is(craft: Craft, pdf: Callable[..., Path], tmp_path: Path) -> None:
    page = "<html><body><h1>Aims</h1><p>A bridge over the river, and what it cost.</p></body></html>"
    word = craft.docx(craft.p("Aims", "Heading1") + craft.p("A bridge over the river."))
    lines = [[(50.0, 700.0, 20.0, "Aims"), (50.0, 650.0, 11.0, "A bridge over the river, and what it cost.")]]
    sources = {"page.doc": page.encode(), "word.doc": word.read_bytes(), "word.odt": word.read_bytes()}
    sources |= {"print.docx": pdf(lines).read_bytes(), "word.docm": word.read_bytes()}
    for name, data in sources.items():
        report = read_report(made(tmp_path / name, data))
        assert [section.heading for section in report.sections if section.text] == ["Aims"], name


def test_missing(tmp_path: Path) -> None:
    assert "No such file" in why(tmp_path / "gone.docx")


def report_or_reason(path: Path) -> None:
    try:
        assert isinstance(read_report(path), Report)
    except UserError as error:
        assert "\n" not in error.line


def test_mutated_files_give_a_report_or_a_reason(craft: Craft, tmp_path: Path) -> None:
    body = craft.p("Aims", "Heading1", properties=craft.number(2)) + craft.p(
        raw=craft.field(" TOC ", craft.run("x")) + '<w:r><w:sym w:font="Symbol" w:char="F061"/></w:r>'
    )
    body += craft.table(craft.cell(craft.p("a"), '<w:gridSpan w:val="2"/>') + craft.cell(craft.p("b")))
    source = craft.docx(body)
    with zipfile.ZipFile(source) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    dice = random.Random(7)
    for round_number in range(150):
        path = tmp_path / "mutant.docx"
        name = dice.choice(sorted(files))
        data = bytearray(files[name])
        for _ in range(dice.randint(1, 8)):
            at = dice.randrange(len(data))
            match dice.randrange(3):
                case 0:
                    data[at] = dice.randrange(256)
                case 1:
                    del data[at : at + dice.randrange(40)]
                case _:
                    data[at:at] = data[at : at + dice.randrange(60)]
            data = data or bytearray(b" ")
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for other, content in files.items():
                archive.writestr(other, bytes(data) if other == name else content)
        if round_number % 5 == 0:
            whole = path.read_bytes()
            path.write_bytes(whole[: dice.randrange(len(whole))])
        report_or_reason(path)
    whole = make_pdf([[(50.0, 700.0, 11.0, "Some text on a page, and more of it.")]], [("Some text", 0)])
    for _ in range(100):
        data = bytearray(whole)
        for _ in range(dice.randint(1, 20)):
            data[dice.randrange(len(data))] = dice.randrange(256)
        report_or_reason(made(tmp_path / "mutant.pdf", bytes(data)))
