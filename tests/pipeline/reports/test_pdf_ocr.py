"""Scanned PDFs: refused, or read through ocrmypdf, whose every failure is told."""

import os
import shutil
import zlib
from pathlib import Path

import pypdfium2
import pytest

from pipeline.errors import UserError
from pipeline.reports import read_report
from pipeline.settings import Reports
from tests.pipeline.reports.pdf_files import drawn, make_drawn_pdf, make_pdf

WITH_OCR = Reports(ocr=True)


def scan(folder: Path, *before: bytes) -> Path:
    """A page of text as a picture, after other pages."""
    source = folder / "source.pdf"
    lines = ["La associació va obrir les portes el mes de maig.", "The bridge was built in three weeks by the people."]
    source.write_bytes(make_pdf([[(50.0, 700.0 - 40 * row, 18.0, text) for row, text in enumerate(lines)]]))
    document = pypdfium2.PdfDocument(source)
    picture = document[0].render(scale=200 / 72, grayscale=True)
    width, height, pixels = picture.width, picture.height, zlib.compress(picture.to_numpy().tobytes())
    document.close()
    image = b"<< /Type /XObject /Subtype /Image /Width %d /Height %d /ColorSpace /DeviceGray" % (width, height)
    image += b" /BitsPerComponent 8 /Filter /FlateDecode /Length %d >>\nstream\n%s\nendstream" % (len(pixels), pixels)
    path = folder / "scan.pdf"
    content = b"q 600 0 0 800 0 0 cm /I Do Q"
    data = make_drawn_pdf([*before, content], objects={30: image}, resources=b"/XObject << /I 30 0 R >>")
    path.write_bytes(data)
    return path


def program(folder: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    """A program in the place of ocrmypdf, the only one on the path."""
    place = folder / "bin"
    place.mkdir()
    (place / "ocrmypdf").write_text(f"#!/bin/sh\n{script}\n")
    (place / "ocrmypdf").chmod(0o755)
    monkeypatch.setenv("PATH", os.fspath(place))


def why(path: Path, settings: Reports) -> str:
    with pytest.raises(UserError) as caught:
        read_report(path, settings)
    assert str(path) in caught.value.line and "\n" not in caught.value.line
    return caught.value.line


def test_off_by_default(tmp_path: Path) -> None:
    assert "is scanned: its 1 pages" in why(scan(tmp_path), Reports())


def test_not_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", os.fspath(tmp_path))
    assert "is not installed. Install ocrmypdf and tesseract's cat, spa, eng" in why(scan(tmp_path), WITH_OCR)


@pytest.mark.parametrize(
    ("script", "told"),
    [
        ("exit 2", "cannot open the file"),
        ("exit 3", "lacks a program that it needs"),
        ("exit 15", "failed (exit 15)"),
        ("exit 0", "failed (exit 0)"),
        ("echo 'lacks language data for:\nspa' >&2; exit 3", "tesseract lacks the language spa. Install"),
        ("exec /bin/sleep 20", "did not read it in 0.5 s"),
    ],
)
def test_failures_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, told: str) -> None:
    path = scan(tmp_path)
    program(tmp_path, monkeypatch, script)
    patience = 0.5 if "sleep" in script else 60
    assert told in why(path, Reports(ocr=True, timeout_seconds=patience))


def test_what_it_makes_is_read_and_what_it_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, made = scan(tmp_path), tmp_path / "made.pdf"
    made.write_bytes(make_drawn_pdf([drawn(50, 700, 11, "The bridge was built in three weeks.")]))
    program(tmp_path, monkeypatch, f'echo "$@" >{tmp_path}/asked; for last; do :; done; /bin/cp {made} "$last"')
    report = read_report(path, Reports(ocr=True, ocr_languages="cat+deu"))
    assert report.sections[0].text == "The bridge was built in three weeks."
    assert "letters may be wrong" in report.warnings[0]
    asked = (tmp_path / "asked").read_text().split()
    assert asked[:-2] == ["--skip-text", "--quiet", "--output-type", "pdf", "-l", "cat+deu"]


def test_one_scanned_page_among_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = "The bridge was built in three weeks, and the people of the valley took part in it."
    mixed = tmp_path / "mixed.pdf"
    mixed.write_bytes(scan(tmp_path, drawn(50, 700, 11, said)).read_bytes())
    report = read_report(mixed)
    assert report.sections[0].text == said and "the first is 2" in report.warnings[0]
    monkeypatch.setenv("PATH", os.fspath(tmp_path))
    without = read_report(mixed, WITH_OCR)
    assert without.sections == report.sections and "is not installed" in without.warnings[0]
    made = tmp_path / "whole.pdf"
    made.write_bytes(make_drawn_pdf([drawn(50, 700, 11, said), drawn(50, 700, 11, "It still stands.")]))
    program(tmp_path, monkeypatch, f'for last; do :; done; /bin/cp {made} "$last"')
    whole = read_report(mixed, WITH_OCR)
    assert "It still stands." in whole.sections[0].text and "1 of its 2 pages" in whole.warnings[0]


def test_nothing_recognised(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = scan(tmp_path)
    program(tmp_path, monkeypatch, f'for last; do :; done; /bin/cp {path} "$last"')
    assert "no text was found" in why(path, WITH_OCR)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("ocrmypdf") is None, reason="ocrmypdf is not installed")
def test_the_real_one_reads_a_picture(tmp_path: Path) -> None:
    report = read_report(scan(tmp_path), Reports(ocr=True, ocr_languages="eng"))
    assert "The bridge was built in three weeks by the people." in report.sections[-1].text
    assert report.characters.unaccounted == 0
