"""Footnotes follow the paragraph that refers to them, whatever stands between on the page."""

from pathlib import Path

from tests.pipeline.reports.pdf_files import drawn, make_drawn_pdf, raised, read_bytes


def test_a_note_is_hung_on_its_paragraph_and_the_sentence_runs_on(tmp_path: Path) -> None:
    first = raised(50, 700, 11, "They built the bridge", "1", " in three weeks.")
    first += drawn(50, 660, 11, "The next year was a year of rain and of wind, and the river rose so high that no one")
    first += drawn(50, 60, 6, "1") + drawn(56, 57, 9, "The old one fell in 1987.")
    second = drawn(50, 740, 11, "could cross it.")
    report = read_bytes(tmp_path, make_drawn_pdf([first, second]))
    assert [(block.kind, block.text) for block in report.sections[0].blocks] == [
        ("paragraph", "They built the bridge[^1] in three weeks."),
        ("note", "[^1]: The old one fell in 1987."),
        (
            "paragraph",
            "The next year was a year of rain and of wind, and the river rose so high that no one could cross it.",
        ),
    ]
    assert report.characters.unaccounted == 0


def test_notes_of_two_lines_and_several_on_a_page(tmp_path: Path) -> None:
    content = raised(50, 700, 11, "They built the bridge", "1", " in weeks,")
    content += raised(50, 686, 11, "and then another one,", "2", " in days.")
    content += (
        drawn(50, 80, 6, "1") + drawn(56, 77, 9, "The old one fell in 1987, in a night") + drawn(56, 66, 9, "of wind.")
    )
    content += drawn(50, 56, 6, "2") + drawn(56, 53, 9, "Of wood.")
    blocks = read_bytes(tmp_path, make_drawn_pdf([content])).sections[0].blocks
    assert blocks[0].text == "They built the bridge[^1] in weeks, and then another one,[^2] in days."
    assert [block.text for block in blocks[1:]] == [
        "[^1]: The old one fell in 1987, in a night of wind.",
        "[^2]: Of wood.",
    ]


def test_a_raised_number_without_a_note_stays_as_it_is(tmp_path: Path) -> None:
    content = raised(50, 700, 11, "A field of 200 m", "2", " was ploughed.")
    report = read_bytes(tmp_path, make_drawn_pdf([content]))
    assert report.sections[0].text == "A field of 200 m2 was ploughed."


def test_small_text_at_the_end_is_no_note_without_a_mark(tmp_path: Path) -> None:
    content = drawn(50, 700, 11, "They built the bridge in three weeks, all of them.") + drawn(
        50, 60, 8, "12 people worked."
    )
    report = read_bytes(tmp_path, make_drawn_pdf([content]))
    assert [block.kind for block in report.sections[0].blocks] == ["paragraph", "paragraph"]


def test_a_heading_and_the_title_carry_no_mark_and_lose_no_note(tmp_path: Path) -> None:
    content = raised(50, 760, 20, "The Bridge", "1") + raised(50, 720, 14, "Aims", "2")
    for number, heading in ((700, "Reach"), (640, "Staff")):
        content += drawn(50, number, 10, "They built it in three weeks, and it has stood since then.")
        content += drawn(50, number - 30, 14, heading)
    content += drawn(50, 590, 10, "They built it in three weeks, and it has stood since then.")
    content += (
        drawn(50, 60, 5, "1") + drawn(56, 57, 8, "Of wood.") + drawn(50, 46, 5, "2") + drawn(56, 43, 8, "In 1987.")
    )
    report = read_bytes(tmp_path, make_drawn_pdf([content]))
    assert "Aims" in [section.heading for section in report.sections]
    assert report.title == "The Bridge" and report.characters.unaccounted == 0
    text = "".join(section.text for section in report.sections)
    assert "[^1]: Of wood." in text and "[^2]: In 1987." in text
