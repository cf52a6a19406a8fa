"""Lines that people set apart by hand, where a file marks no headings, or only one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.reports.blocks import Heading, Piece, Reading, Remark, visible
from pipeline.reports.outline import sections_of
from pipeline.reports.promotion import promoted

PROSE = "The town hall let us use its rooms, and so the work went on through the winter."


def plain(text: str) -> Piece:
    return Piece("paragraph", text, visible(text))


def bold(text: str) -> Piece:
    return Piece("paragraph", text, visible(text), emphatic=True)


def item(number: str, text: str, emphatic: bool = False) -> Piece:
    return Piece("list_item", f"{number} {text}", visible(text), emphatic, number)


def tree(*found: str | Piece | Heading) -> list[tuple[int, str | None, str]]:
    """(level, number, heading) of what the events become: "*x" is bold, "x" plain, "" three lines of prose."""
    events: list[Piece | Heading | Remark] = []
    for event in found:
        if isinstance(event, str):
            events += [bold(event[1:])] if event[:1] == "*" else [plain(event)] if event else [plain(PROSE)] * 3
        else:
            events.append(event)
    sections, _, placed = sections_of(Reading(events=events), "doc")
    assert placed == sum(event.characters for event in events)
    return [(section.level, section.number, section.heading) for section in sections if section.heading]


def headings(*found: str | Piece | Heading) -> list[str]:
    return [heading for _, _, heading in tree(*found)]


def test_bare_numbers_count_only_in_a_series() -> None:
    assert tree("1 Aims", "", "2 Means", "") == [(1, "1", "Aims"), (1, "2", "Means")]
    assert tree("27 Member States", "", "*3 Partners", "", "5 Cities", "") == [(1, None, "3 Partners")]
    assert tree("9.30 Welcome", "", "1.500 people came", "", "12.05.2024 Visit", "") == []


def test_marked_headings_keep_a_count_in_their_text() -> None:
    titles = ["4 Budget", "27 Member States", "Ends"]
    marked = [Heading(1, title, visible(title)) for title in titles]
    assert tree(marked[0], "") == [(1, "4", "Budget")]
    assert headings(*marked) == titles
    series = [Heading(1, f"{count} Thing", 6) for count in range(1, 13)]
    assert [number for _, number, _ in tree(*series)] == [str(count) for count in range(1, 13)]


def test_spanish_numbers_head_sections_and_go_deeper() -> None:
    assert tree("1.- INICIO", "", "2.- OBJETIVOS", "", "2.1.- Objetivo general", "", "a) En casa", "") == [
        (1, "1", "INICIO"),
        (1, "2", "OBJETIVOS"),
        (2, "2.1", "Objetivo general"),
    ]
    assert tree("*2.1 Staff", "", "*a) At home", "", "*3. Ends", "") == [
        (1, "2.1", "Staff"),
        (2, "a)", "At home"),
        (1, "3", "Ends"),
    ]


def test_numerals_count_chapters_where_they_come_first() -> None:
    roman = tree("*I. Aims", "", "*1. First", "", "*2. Second", "", "*II. Means", "")
    assert [level for level, _, _ in roman] == [1, 2, 2, 1]
    annexes = tree("*1. Aims", "", "*2. Means", "", "*A. Budget", "", "*B. Partners", "")
    assert [level for level, _, _ in annexes] == [1, 1, 1, 1]
    law = tree("*Capítulo I. Objeto", "", "*Artículo 1. Qué", "", "*Capítulo II. Plazos", "", "*Artículo 2. Cuándo", "")
    assert [level for level, _, _ in law] == [1, 2, 1, 2]


def test_lines_stand_beside_a_single_marked_heading() -> None:
    report = Heading(3, "Annual report", 12)
    assert tree(report, "*1. Aims", "", "*1.1 Context", "", "*2. Means", "") == [
        (1, None, "Annual report"),
        (1, "1", "Aims"),
        (2, "1.1", "Context"),
        (1, "2", "Means"),
    ]
    assert [level for level, _, _ in tree(report, "*Aims", "", "*Means", "", "*Ends", "")] == [1, 2, 2, 2]
    assert tree("*1. Aims", "", "*2. Means", "", Heading(1, "Annex", 5), "*1. Costs", "")[2:] == [
        (1, None, "Annex"),
        (2, "1", "Costs"),
    ]
    assert headings("*Aims", "", "*Means", "", "*Ends", "", report) == ["Aims", "Means", "Ends", "Annual report"]
    assert headings(report, "*Aims", "", "*Means", "") == ["Annual report"]  # too few to doubt the file
    assert headings(report, "*Aims", "", "*Means", "", "*Ends", "", report) == ["Annual report"] * 2


@pytest.mark.parametrize("leader", ["\t{}", " ......... {}", " . . . . . {}", " … {}", " {}", "\tpàg. {}"])
def test_contents_typed_by_hand_are_text(leader: str) -> None:
    titles = ["1. Aims", "1.1 Context", "2. Means", "2.1 Sites"]
    contents = [title + leader.format(page) for page, title in enumerate(titles, 3)]
    body = [event for title in titles for event in ("*" + title, "")]
    assert headings("Index", *contents, *body) == ["Aims", "Context", "Means", "Sites"]
    assert headings("Index", *titles, *body) == ["Aims", "Context", "Means", "Sites"]


def test_a_row_of_dots_is_looked_at_once() -> None:
    assert headings("*" + "a" + ". " * 59 + "z", "", "*" + "." * 119 + "z", "") == [
        "a" + ". " * 59 + "z",
        "." * 119 + "z",
    ]


def test_two_bold_lines_are_a_pair_and_three_a_cover() -> None:
    assert tree("*ANNEX I", "*Budget", "", "*ANNEX II", "*Partners", "") == [
        (1, None, "ANNEX I"),
        (2, None, "Budget"),
        (1, None, "ANNEX II"),
        (2, None, "Partners"),
    ]
    assert headings("*Start", "*Context", "", "*Means", "") == ["Start", "Context", "Means"]
    assert headings("*Town hall", "*Report", "*Start", "", "*Means", "") == ["Start", "Means"]
    assert headings("*Report", "*The bridge", "", "*1. Aims", "") == ["The bridge", "Aims"]  # a title, not a chapter
    assert headings("*Aims", "", "*Signed by", "*Anna Puig") == ["Aims"]
    levels = [level for level, _, _ in tree("*START", "*Context", "", "*Aims", "", "*MEANS", "*Sites", "")]
    assert levels == [1, 2, 2, 1, 2]


def test_a_colon_ends_a_heading_where_text_follows() -> None:
    assert headings("*Objectives:", "", "*Means:", item("-", "boats"), "") == ["Objectives:", "Means:"]
    assert headings("*Name:", "Vall Verda", "*Means:", "*Boats", "", "") == []
    assert headings("*All of the people who took part in this are:", "") == []


def test_letters_of_names_are_no_numbers() -> None:
    assert headings("D. José Pérez, en calidad de presidente", "", "D. Marta Soler, en calidad de vocal", "") == []
    assert headings("A. Aims", "", "B. Means", "") == ["Aims", "Means"]
    assert tree("*C. Means", "") == [(1, "C", "Means")]


def test_answers_of_a_form_are_text() -> None:
    form = ["Name of the entity", "*Vall Verda", "Address", "*Carrer Major 12", "Tax number", "*G12345678"]
    assert headings(*form, "", "", "") == []
    assert headings("", "Contact:", "*Anna Puig", "", "*Aims", "") == ["Aims"]
    assert headings("*Aims", "To help", "", "*Means", "By boat", "") == ["Aims", "Means"]


@pytest.mark.parametrize(
    "text",
    [
        "*Yours sincerely",
        "*Atentament",
        "*Atentamente,",
        "*Signat: Anna Puig",
        "*Table 3. Costs by year",
        "*Taula 2 Despeses",
        "*Figura 1.2: El pont",
        "*Gràfic 4",
        "*Fig. 7 The bridge",
        "1. Smith J. Water in the hills. Oxford, 2001",
        "*2. Puig, A. (1999) La vall",
        "3. Report on rivers, https://example.org/rivers",
        "*Ref. 2023/00451",
    ],
)
def test_what_else_stands_out_is_no_heading(text: str) -> None:
    assert headings("*Aims", "", text, "", "*Means", "") == ["Aims", "Means"]


@pytest.mark.parametrize(
    "text", ["*Curs 2023-2024", "*Tables and chairs", "*Signed agreements", "*Figures", "*Results of 2001", "*Dearth"]
)
def test_what_only_begins_like_that_is_a_heading(text: str) -> None:
    assert headings("*Aims", "", text, "") == ["Aims", text[1:]]


def test_a_letterhead_is_text() -> None:
    letter = ("*Vall Verda", "C/ Major, 12", "08500 Vic", "Dear Sir,", "", "")
    assert headings(*letter, "*Aims", "") == ["Aims"]
    assert headings("", "*Contact", "C/ Major, 12", "") == ["Contact"]


def test_numbered_items_with_text_between_are_chapters() -> None:
    chapters = [event for count in range(1, 4) for event in (item(f"{count}.", f"Thing {count}"), "")]
    assert tree(*chapters) == [(1, str(count), f"Thing {count}") for count in range(1, 4)]
    assert headings(*chapters[:4]) == []
    assert headings("", item("1.", "oak"), item("1.1.", "pine"), item("2.", "beech"), item("3.", "elm"), "", "") == []


names = st.sampled_from(
    ["Aims", "1. Aims", "2.1 Means", "ANNEX I", "27 States", "a) x", "D. José", "Name:", "x\t3", PROSE]
)
numbers = st.one_of(st.none(), st.text(max_size=4))
pieces = st.builds(Piece, st.sampled_from(["paragraph", "list_item"]), names, st.just(5), st.booleans(), numbers)
others = st.one_of(st.just(Heading(2, "Marked", 6)), st.just(Remark("why", 3)))


@given(st.lists(st.one_of(pieces, pieces, pieces, others), max_size=25))
def test_promotion_keeps_every_event_in_its_place(found: list[Piece | Heading | Remark]) -> None:
    result = promoted(found)
    assert [event.characters for event in result] == [event.characters for event in found]
    for before, after in zip(found, result, strict=True):
        if before != after:
            assert isinstance(after, Heading) and after.level >= 1 and after.text and before.text.endswith(after.text)


def test_one_letter_is_no_series_and_one_small_word_no_heading() -> None:
    assert [level for level, _, _ in tree("*D. José", "", "*1. Aims", "", "*2. Means", "")] == [1, 1, 1]
    assert headings("3.2 boats were built", "", "*Aims", "") == ["Aims"]
    assert headings("*ANNEX I:", "*Budget", "", "") == ["ANNEX I:", "Budget"]
    assert tree(Heading(1, "27 Member States", 15), "") == [(1, None, "27 Member States")]
    assert headings("*Aims", "", "*Where", "08500 Vic", "") == ["Aims", "Where"]
    assert [level for level, _, _ in tree("*1.0 Aims", "", "*1.1 Why", "", "*2.0 Means", "")] == [1, 2, 1]
