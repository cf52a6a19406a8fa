"""Headings, paragraphs and furniture of PDFs that were made by hand."""

from collections.abc import Callable
from pathlib import Path

import pytest

from pipeline.reports import read_report
from pipeline.reports.pdf.lines import HYPHEN, mended
from pipeline.reports.pdf.paragraphs import joined

Page = list[tuple[float, float, float, str]]
PROSE = "The project went on as it had been planned, and the people of the valley took part in it"


def page(*lines: tuple[float, str], header: str = "", number: int = 0) -> Page:
    """Lines as (size, text) from the top; body lines 14 points apart, more before and after what is larger."""
    base, found = 720.0, []
    if header:
        found.append((50.0, 780.0, 9.0, header))
    for size, text in lines:
        base -= 14 if size == 11 else 30
        found.append((50.0, base, size, text))
    if number:
        found.append((300.0, 20.0, 9.0, str(number)))
    return found


def test_headings_by_size_and_number_and_no_furniture(pdf: Callable[..., Path]) -> None:
    pages = [
        page(
            (16, "1. Aims"),
            (11, PROSE),
            (11, "and more."),
            (13, "1.1 Reach"),
            (11, PROSE + "."),
            header="Bridge",
            number=1,
        ),
        page((11, PROSE), (11, "to the end."), (13, "1.2 Staff"), (11, PROSE + "."), header="Bridge", number=2),
        page((16, "2. Budget"), (11, PROSE + "."), header="Bridge", number=3),
    ]
    report = read_report(pdf(pages))
    assert [(s.level, s.title) for s in report.sections] == [
        (1, "1 Aims"),
        (2, "1.1 Reach"),
        (2, "1.2 Staff"),
        (1, "2 Budget"),
    ]
    assert report.sections[0].text == f"{PROSE} and more."
    assert report.characters.left_out == {"header or footer": 18, "page number": 3}
    assert report.characters.unaccounted == 0


def test_bookmarks_win_over_fonts(pdf: Callable[..., Path]) -> None:
    lines = [
        (11, "Aims"),
        (11, PROSE + "."),
        (11, "Reach of it"),
        (11, PROSE + "."),
        (11, "Staff"),
        (16, "Loud"),
        (11, PROSE + "."),
    ]
    report = read_report(pdf([page(*lines)], [("Aims", 0), ("Reach of it", 0), ("STAFF", 0)]))
    assert [s.heading for s in report.sections] == ["Aims", "Reach of it", "Staff"]
    assert report.sections[2].text.startswith("Loud")


def test_bold_in_a_paragraph_is_no_heading(pdf: Callable[..., Path]) -> None:
    lines = [(11, PROSE), (11, "**which goes on in bold and"), (11, "ends here."), (11, "x" * 80)] * 2
    report = read_report(pdf([page(*lines)]))
    assert [s.heading for s in report.sections] == [""]


def test_lists_and_paragraphs(pdf: Callable[..., Path]) -> None:
    lines = [
        (11, PROSE + "."),
        (11, "\u2022 one thing"),
        (11, "that goes on"),
        (11, "\u2022 another"),
        (11, "1) first"),
    ]
    report = read_report(pdf([page(*lines)]))
    assert report.sections[0].text == f"{PROSE}.\n\n- one thing that goes on\n- another\n1) first"


def test_hyphens_are_mended_and_counted(pdf: Callable[..., Path]) -> None:
    report = read_report(
        pdf(
            [
                page(
                    (11, PROSE + " by the co-"),
                    (11, "operative, which is long-"),
                    (11, "term: long-term plans."),
                )
            ]
        )
    )
    text = report.sections[0].text
    assert "cooperative, which is long-term: long-term plans." in text
    assert report.characters.left_out == {"hyphenation": 1}
    assert report.characters.unaccounted == 0


@pytest.mark.parametrize(
    ("lines", "compounds", "expected"),
    [
        (["one", "two"], set(), ("one two", 0)),
        (["coop-", "erative"], set(), ("cooperative", 1)),
        (["long-", "term."], {"long-term"}, ("long-term.", 0)),
        (["North-", "South"], set(), ("North- South", 0)),
        ([f"far{HYPHEN}reaching"], set(), ("farreaching", 1)),
        ([f"far{HYPHEN}reaching"], {"far-reaching"}, ("far-reaching", 0)),
    ],
)
def test_joined(lines: list[str], compounds: set[str], expected: tuple[str, int]) -> None:
    assert joined(lines, compounds) == expected


def test_ligatures_and_detached_accents() -> None:
    assert mended("e\ufb03cient Universit¨at") == "efficient Universität"
