"""Tables: rows of aligned cells, with cells of several lines, and over the end of a page."""

from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.pipeline.reports.pdf_files import drawn, make_drawn_pdf, read_bytes

HEADER = ("Entitat", "Tasca", "Import")
ROWS = [
    ("Pont Vell", "La coordinació", "12.000,00"),
    ("Riu Net", "Les visites", "900,50"),
    ("La Vall", "El menjar", "7,00"),
]


def rows_at(base: float, rows: list[tuple[str, ...]]) -> bytes:
    """Rows of three columns, the last of them flush right (the digits of Helvetica are 0.556 wide)."""
    content = b""
    for index, (name, task, amount) in enumerate(rows):
        at = base - 14 * index
        content += drawn(50, at, 10, name) + drawn(200, at, 10, task) + drawn(460 - 5 * len(amount), at, 10, amount)
    return content


def markdown_of(rows: list[tuple[str, ...]]) -> str:
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join([lines[0], "| --- | --- | --- |", *lines[1:]])


def test_aligned_rows_are_a_table(tmp_path: Path) -> None:
    content = drawn(50, 740, 10, "Els socis han estat aquests.") + rows_at(700, [HEADER, *ROWS])
    report = read_bytes(tmp_path, make_drawn_pdf([content + drawn(50, 600, 10, "Tots han complert.")]))
    assert [block.kind for block in report.sections[0].blocks] == ["paragraph", "table", "paragraph"]
    assert report.sections[0].blocks[1].text == markdown_of([HEADER, *ROWS])
    assert report.characters.unaccounted == 0


def test_two_rows_are_too_few_and_stay_lines(tmp_path: Path) -> None:
    report = read_bytes(tmp_path, make_drawn_pdf([rows_at(700, ROWS[:2])]))
    assert all(block.kind == "paragraph" for block in report.sections[0].blocks)
    assert report.sections[0].text.split() == " ".join(" ".join(row) for row in ROWS[:2]).split()


def test_a_cell_of_two_lines_is_written_before_the_next(tmp_path: Path) -> None:
    content = rows_at(700, [HEADER, ROWS[0]])
    content += drawn(50, 672, 10, "Associació de") + drawn(50, 660, 10, "la Vall") + drawn(200, 672, 10, "El menjar")
    content += drawn(430, 672, 10, "77,00") + rows_at(646, ROWS[1:])
    table = read_bytes(tmp_path, make_drawn_pdf([content])).sections[0].blocks[0]
    assert table.text == markdown_of([HEADER, ROWS[0], ("Associació de la Vall", "El menjar", "77,00"), *ROWS[1:]])


def test_a_table_goes_on_over_the_page_without_its_header(tmp_path: Path) -> None:
    first = rows_at(100, [HEADER, *ROWS[:2]])
    second = rows_at(760, [HEADER]) + drawn(200, 746, 10, "de casa en casa") + rows_at(732, [ROWS[2]])
    report = read_bytes(tmp_path, make_drawn_pdf([first, second + drawn(50, 600, 10, "Tots han complert.")]))
    table = report.sections[0].blocks[0]
    assert table.text == markdown_of([HEADER, ROWS[0], ("Riu Net", "Les visites de casa en casa", "900,50"), ROWS[2]])
    assert report.characters.left_out == {"header or footer": len("EntitatTascaImport")}
    assert report.characters.unaccounted == 0


def test_a_list_with_wide_labels_is_no_table(tmp_path: Path) -> None:
    content = b"".join(
        drawn(50, 700 - 14 * row, 10, f"{row + 1}.") + drawn(90, 700 - 14 * row, 10, f"Thing number {row}")
        for row in range(4)
    )
    report = read_bytes(tmp_path, make_drawn_pdf([content]))
    assert {block.kind for block in report.sections[0].blocks} == {"list_item"}


WORD = st.text(alphabet="abcdeABC123.,;:-()", min_size=1, max_size=9)
PLACED = st.tuples(
    st.integers(2, 50), st.integers(4, 75), st.sampled_from([8, 10, 14]), st.lists(WORD, min_size=1, max_size=5)
)


@settings(max_examples=60)
@given(pages=st.lists(st.lists(PLACED, min_size=1, max_size=14), min_size=1, max_size=4))
def test_whatever_stands_where_no_character_is_lost(
    tmp_path_factory: object, pages: list[list[tuple[int, int, int, list[str]]]]
) -> None:
    contents = [
        b"".join(drawn(10 * x, 10 * y, size, " ".join(words)) for x, y, size, words in page)
        + drawn(50, 5, 10, "a line so that no page is empty")
        for page in pages
    ]
    folder = tmp_path_factory.mktemp("pdf")  # type: ignore[attr-defined]
    characters = read_bytes(folder, make_drawn_pdf(contents)).characters
    assert characters.unaccounted == 0
    assert characters.visible == characters.read + sum(characters.left_out.values())
