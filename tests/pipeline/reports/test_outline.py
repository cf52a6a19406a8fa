"""Headings open sections: paths, levels, typed numbers, and lines that head a text without headings."""

from hypothesis import given
from hypothesis import strategies as st

from pipeline.reports.blocks import Heading, Piece, Reading
from pipeline.reports.outline import sections_of, split_number

events = st.lists(
    st.one_of(
        st.builds(Heading, st.integers(1, 99), st.text("abc ", min_size=1, max_size=5), st.integers(0, 9)),
        st.builds(Piece, st.just("paragraph"), st.text("xyz", max_size=5), st.integers(0, 9)),
    ),
    max_size=30,
)


@given(events)
def test_sections_partition_the_blocks(found: list[Heading | Piece]) -> None:
    sections, _, placed = sections_of(Reading(events=found), "doc")
    texts = [event.text for event in found if isinstance(event, Piece) and event.text]
    assert [block.text for section in sections for block in section.blocks] == texts
    assert placed == sum(event.characters for event in found)
    assert [section.position for section in sections] == list(range(len(sections)))
    headings = [event.text for event in found if isinstance(event, Heading)]
    assert [section.heading for section in sections][-len(headings) or len(sections) :] == headings
    for before, section in zip((None, *sections), sections, strict=False):
        assert section.level == len(section.path) and section.path[-1] == section.heading
        assert 1 <= section.level <= (before.level if before else 0) + 1


def test_levels_keep_their_order_where_they_jump() -> None:
    raw = [2, 4, 3, 4, 2, 1, 9]
    reading = Reading(events=[Heading(level, str(index), 1) for index, level in enumerate(raw)])
    assert [section.level for section in sections_of(reading, "doc")[0]] == [1, 2, 2, 3, 1, 1, 2]


def test_printed_numbers() -> None:
    told = {
        "3.2 Objectius": ("3.2", "Objectius"),
        "1. Introduction": ("1", "Introduction"),
        "A.1. Approach": ("A.1", "Approach"),
        "IV. Resultats": ("IV", "Resultats"),
        "3) ¿Qué?": ("3)", "¿Qué?"),
        "4 Budget": ("4", "Budget"),
        "2024 results": (None, "2024 results"),
        "3 partners": (None, "3 partners"),
        "A new start": (None, "A new start"),
        "1.5": (None, "1.5"),
    }
    assert {text: split_number(text) for text in told} == told
    assert split_number("2.1 Staff", "7.") == ("7", "2.1 Staff")


def bold(text: str) -> Piece:
    return Piece("paragraph", text, len(text), emphatic=True)


def prose(count: int = 1) -> list[Piece]:
    return [Piece("paragraph", "It went well, as far as we can tell.", 30)] * count


def headings(found: list[Piece]) -> list[str]:
    return [section.title for section in sections_of(Reading(events=list(found)), "doc")[0]]


def test_lines_become_headings_only_where_none_is_marked() -> None:
    text = [bold("Aims"), *prose(2), bold("Means"), *prose(2)]
    assert headings(text) == ["Aims", "Means"]
    assert headings([*text, Heading(1, "Marked", 6)]) == ["", "Marked"]


def test_numbered_lines_head_sections_but_typed_lists_do_not() -> None:
    line = [Piece("paragraph", f"{number}. Thing", 7) for number in range(1, 5)]
    assert headings([line[0], *prose(2), line[1], *prose(2)]) == ["1 Thing", "2 Thing"]
    assert headings([*prose(), *line[:3], *prose(6)]) == [""]
    deeper = Piece("paragraph", "1.1 Part", 7)
    assert headings([line[0], deeper, *prose(4)]) == ["1 Thing", "1.1 Part"]


def test_sentences_endings_and_masses_of_bold_are_no_headings() -> None:
    assert headings([bold("Note that this ends."), *prose(3), bold("x" * 121), *prose(3), bold("12 %"), *prose()]) == [
        ""
    ]
    assert headings([bold("Aims"), *prose(), bold("Means"), *prose()]) == [""]  # half of all lines: a bold text
    assert headings([*prose(3), bold("Heads nothing")]) == [""]
