"""Accents and ligatures: back on their letters where the page or the language proves it, never elsewhere."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.reports.blocks import visible
from pipeline.reports.pdf.mending import mended
from tests.pipeline.reports.pdf_files import make_drawn_pdf, read_bytes


@pytest.mark.parametrize(
    ("torn", "whole"),
    [
        ("e\ufb03cient Universit¨at", "efficient Universität"),
        ("la subvencion ´ concedida", "la subvención concedida"),
        ("Gonzalez ´ y facil ´", "González y fácil"),
        ("subvenci´on, subvenci´ on", "subvención, subvención"),
        ("´ o, o´", "ó, ó"),
        ("aixo` i mes´", "aixo` i mes´".replace("o`", "ò")),
        ("franc¸ais, c¸a", "français, ça"),
        ("Espa˜na, Espan˜a, S˜ao", "España, España, São"),
        ("ling¨uista, lingu¨ista", "lingüista, lingüista"),
        ("`a l'escola", "à l'escola"),
        ("e\u0301s, c\u0327a", "és, ça"),
    ],
)
def test_what_was_torn_is_whole(torn: str, whole: str) -> None:
    assert mended(torn) == whole


@pytest.mark.parametrize(
    "text",
    [
        "l´escola, d´un i l´Hospitalet",
        "don´t, it´s",
        "col·laborar a Il·lusió",
        "l'u d'octubre, rock ’n’ roll",
        "``so'' and `so', run `make` and `ls -l`",
        "uns ~50 veïns, x^2, 5´ 30´´",
        "«així» “també” 'bé'",
    ],
)
def test_what_is_whole_stays(text: str) -> None:
    assert mended(text) == text


@given(st.text(alphabet="aeiouncs ´`¨˜¸'’", max_size=30))
def test_no_letter_is_lost(text: str) -> None:
    letters = [character for character in mended(text) if character.isalpha()]
    assert len(letters) == sum(map(str.isalpha, text))


def test_an_accent_drawn_over_its_letter_is_on_it(tmp_path: Path) -> None:
    # As TeX sets it: the accent first, then back, then the letter; and once after the whole sentence.
    words = rb"[(La subvenci) (\264) 333 (on) ( de l\264any) ( a Espa) (\230) 333 (na i c) (\270) 333 (a)] TJ"
    middle = 50 + 11 * 4.56  # where the acute of Helvetica stands over the o, by the widths of its letters
    late = b"BT /F1 11 Tf 50 600 Td (Una cancion) Tj ET BT /F1 11 Tf %g 600 Td (\264) Tj ET" % middle
    report = read_bytes(tmp_path, make_drawn_pdf([b"BT /F1 11 Tf 50 700 Td %s ET %s" % (words, late)]))
    text = report.sections[0].text
    assert "La subvención de l´any a España" in text, text
    assert "Una canción" in text and "´" not in text.replace("l´any", "")
    assert report.characters.unaccounted == 0 and not report.characters.left_out


def test_the_account_holds_with_mended_text(tmp_path: Path) -> None:
    words = "La subvencion ´ concedida, c¸a i Espa˜na"
    content = b"BT /F1 11 Tf 50 700 Td (%s) Tj ET" % words.encode("cp1252")
    report = read_bytes(tmp_path, make_drawn_pdf([content]))
    assert report.sections[0].text == "La subvención concedida, ça i España"
    assert report.characters.visible == report.characters.read == visible(words)
