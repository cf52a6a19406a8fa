"""Reading order: columns, blocks out of place, turned pages."""

from pathlib import Path

import pytest

from tests.pipeline.reports.pdf_files import drawn, make_drawn_pdf, read_bytes, wrapped

LEFT = (
    "The first column tells how the project began, who joined it, which of the villages opened their doors, and what "
    "it meant for the schools that had waited for a bus line since the flood carried the old bridge away in March."
)
RIGHT = (
    "Meanwhile the second column speaks about money: what was granted, what was spent, which of the offers were "
    "refused by the board and why the auditors had no remark to make when they came to see the books in spring."
)


def columns(top: float, by_row: bool) -> bytes:
    left = [drawn(50, top - 12 * row, 10, text) for row, text in enumerate(wrapped(LEFT, 40))]
    right = [drawn(310, top - 12 * row, 10, text) for row, text in enumerate(wrapped(RIGHT, 40))]
    if not by_row:
        return b"".join(left + right)
    assert len(left) == len(right)
    return b"".join(a + b for a, b in zip(left, right, strict=True))


@pytest.mark.parametrize("by_row", [True, False])
def test_left_column_then_right_between_titles_that_cross(tmp_path: Path, by_row: bool) -> None:
    content = drawn(50, 760, 16, "A title that crosses both of the columns of this page") + columns(735, by_row)
    content += drawn(50, 620, 16, "Another one that crosses the gutter, further down") + columns(595, by_row)
    report = read_bytes(tmp_path, make_drawn_pdf([content]))
    assert [[block.text for block in section.blocks] for section in report.sections] == [[LEFT, RIGHT]] * 2


def test_a_ragged_table_is_not_torn_into_columns(tmp_path: Path) -> None:
    rows = [("Training", "12,000.00"), ("Travel and subsistence", "3,400.50"), ("Audit", "900.00"), ("Food", "10.75")]
    content = b"".join(drawn(50, 700 - 12 * row, 10, text) for row, text in enumerate(wrapped(LEFT, 80)))
    content += b"".join(
        drawn(50, 640 - 12 * row, 10, name) + drawn(310 - 5 * len(sum_), 640 - 12 * row, 10, sum_)
        for row, (name, sum_) in enumerate(rows)
    )
    content += b"".join(drawn(50, 580 - 12 * row, 10, text) for row, text in enumerate(wrapped(RIGHT, 80)))
    first, table, last = read_bytes(tmp_path, make_drawn_pdf([content])).sections[0].blocks
    assert (first.text, last.text) == (LEFT, RIGHT)
    assert table.text.splitlines()[-2:] == ["| Audit | 900.00 |", "| Food | 10.75 |"]


def test_a_block_written_late_stands_where_the_page_shows_it(tmp_path: Path) -> None:
    texts = [drawn(50, 700 - 12 * row, 10, text) for row, text in enumerate(wrapped(LEFT + " " + RIGHT, 80))]
    box = drawn(50, 760, 10, "A box above the text, written after") + drawn(50, 748, 10, "it has two lines.")
    text = read_bytes(tmp_path, make_drawn_pdf([b"".join(texts) + box])).sections[0].text
    assert text == f"A box above the text, written after it has two lines.\n\n{LEFT} {RIGHT}"


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
@pytest.mark.parametrize("matrix", [b"0 1 -1 0", b"0 -1 1 0", b"-1 0 0 -1", b"1 0 0 1"])
def test_turned_pages_read_as_the_others(tmp_path: Path, turn: int, matrix: bytes) -> None:
    step = {b"0 1 -1 0": (12, 0), b"0 -1 1 0": (-12, 0), b"-1 0 0 -1": (0, 12), b"1 0 0 1": (0, -12)}[matrix]
    content = b"".join(
        b"BT /F1 10 Tf %s %d %d Tm (%s) Tj ET\n" % (matrix, 300 + step[0] * row, 400 + step[1] * row, text.encode())
        for row, text in enumerate(wrapped(LEFT, 50))
    )
    report = read_bytes(tmp_path, make_drawn_pdf([content], page=b"/Rotate %d" % turn))
    assert report.sections[0].text == LEFT


def test_a_table_of_sentences_between_paragraphs_is_not_torn(tmp_path: Path) -> None:
    rows = [
        (["Slow paperwork of the", "company of the grid"], ["all requests were made in the", "first month, and again"]),
        (["price of the panels"], ["bought once, for all the five", "villages of the valley"]),
        (["weariness of the people"], ["each assembly begins with the", "figures of the month"]),
        (["no room in the village"], ["the school opened its doors", "on Saturdays"]),
        (["rain on the day of works"], ["a second day was always kept", "free in the calendar"]),
        (["the flood of the autumn"], ["what had been built was raised", "by half a metre"]),
    ]
    content = b"".join(drawn(50, 740 - 12 * row, 10, text) for row, text in enumerate(wrapped(LEFT, 78)))
    base = 680
    for cells in rows:
        for left, lines in zip((50, 200), cells, strict=True):
            content += b"".join(drawn(left, base - 12 * row, 10, text) for row, text in enumerate(lines))
        base -= 12 * max(map(len, cells))
    content += b"".join(drawn(50, 560 - 12 * row, 10, text) for row, text in enumerate(wrapped(RIGHT, 78)))
    first, table, last = read_bytes(tmp_path, make_drawn_pdf([content])).sections[0].blocks
    assert (first.text, last.text) == (LEFT, RIGHT)
    assert table.text.splitlines() == [
        "| Slow paperwork of the company of the grid | all requests were made in the first month, and again |",
        "| --- | --- |",
        *(f"| {' '.join(left)} | {' '.join(right)} |" for left, right in rows[1:]),
    ]
