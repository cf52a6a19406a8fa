"""Running headers, footers and page numbers: what comes again at a page's edge, and nothing else."""

from pathlib import Path

import pytest

from pipeline.settings import Reports
from tests.pipeline.reports.pdf_files import drawn, make_drawn_pdf, read_bytes, wrapped

TELLING = (
    "The valley had one road, and it was closed for most of the winter. Nobody knew when the bus would come again, or "
    "if it would. In spring the school asked for a new bridge, and it was built by many hands and in few months. The "
    "first to cross it were the children, who sang, and then came a herd of sheep, a mayor and two dogs in a hurry. "
    "Since then the milk goes down to the town every day, and the doctor comes up on Tuesdays."
)


def page(number: int, header: str = "", footer: str = "") -> bytes:
    words = TELLING.split()
    start = 7 * number % len(words)  # no two pages begin or end with the same words
    body = [
        drawn(50, 700 - 14 * row, 11, text)
        for row, text in enumerate(wrapped(" ".join([*words[start:], *words[:start]]), 70))
    ]
    above = [drawn(50, 770, 9, header)] if header else []
    below = [drawn(290, 30, 9, footer)] if footer else []
    return b"".join([*above, *body, *below])


@pytest.mark.parametrize(
    ("footers", "left_out"),
    [
        (["1", "2", "3"], 3),
        (["- 11 -", "- 12 -", "- 13 -"], 12),
        (["Pàgina 1 de 3", "Pàgina 2 de 3", "Pàgina 3 de 3"], 30),
        (["iv", "v", "vi"], 5),
        (["4 / 9", "5 / 9", "6 / 9"], 9),
    ],
)
def test_page_numbers(tmp_path: Path, footers: list[str], left_out: int) -> None:
    report = read_bytes(tmp_path, make_drawn_pdf([page(n, footer=text) for n, text in enumerate(footers)]))
    assert report.characters.left_out == {"page number": left_out}
    assert report.characters.unaccounted == 0


def test_numbers_that_do_not_count_the_pages_are_text(tmp_path: Path) -> None:
    pages = [page(1), page(2, footer="1987"), page(3)]
    report = read_bytes(tmp_path, make_drawn_pdf(pages))
    assert not report.characters.left_out and "1987" in report.sections[0].text


def test_headers_of_chapters(tmp_path: Path) -> None:
    headers = ["The bridge"] * 3 + [""] * 14 + ["The school"] * 3
    report = read_bytes(tmp_path, make_drawn_pdf([page(n, header) for n, header in enumerate(headers)]))
    assert report.characters.left_out == {"header or footer": 6 * 9}


def test_what_comes_only_twice_stays(tmp_path: Path) -> None:
    report = read_bytes(
        tmp_path, make_drawn_pdf([page(n, header) for n, header in enumerate(["Bridge", "", "Bridge"])])
    )
    assert not report.characters.left_out


def test_copies_of_one_form_have_no_furniture(tmp_path: Path) -> None:
    report = read_bytes(tmp_path, make_drawn_pdf([page(0)] * 3))
    assert not report.characters.left_out


def test_headers_may_be_kept(tmp_path: Path) -> None:
    pages = [page(n, "The bridge", str(n + 1)) for n in range(3)]
    report = read_bytes(tmp_path, make_drawn_pdf(pages), Reports(keep=("headers",)))
    text = "".join(section.heading + section.text for section in report.sections)
    assert not report.characters.left_out and text.count("The bridge") == 3
