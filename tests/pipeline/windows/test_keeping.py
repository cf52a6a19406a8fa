"""Keeping pieces: what they cost is what they take, and how they read says where something is left out."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.bases.tokens import Tokens
from pipeline.records import Block, Section, WindowPart
from pipeline.windows.keeping import Keeping, mark_tokens_of, whole
from pipeline.windows.pieces import heading_line, measure
from tests.pipeline.windows.sections import paragraph, reports, section

TABLE = Block(kind="table", text="| A | B |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |\n| 5 | 6 |\n| 7 | 8 |")
PROSE = paragraph("Un. Dos. Tres. Quatre.")


def keeping_of(sections: Sequence[Section], tokens: Tokens, budget: int = 10_000) -> Keeping:
    return Keeping([measure(s, tokens) for s in sections], budget, mark_tokens_of(tokens))


def shown(blocks: Sequence[Block], pieces: Sequence[int], tokens: Tokens) -> str:
    keeping = keeping_of([section(0, blocks)], tokens)
    assert all(keeping.keep(0, piece, "why") for piece in pieces)
    return keeping.parts()[0].text


@pytest.mark.parametrize(
    ("blocks", "pieces", "text"),
    [
        ([PROSE], [0, 1], "Un. Dos. […]"),
        ([PROSE], [3], "[…] Quatre."),
        ([PROSE], [2, 0], "Un. […] Tres. […]"),
        ([PROSE], [0, 1, 2, 3], "Un. Dos. Tres. Quatre."),
        ([PROSE, PROSE], [4], "[…]\n\nUn. […]"),
        ([PROSE, PROSE], [3, 4], "[…] Quatre.\n\nUn. […]"),
        ([PROSE, PROSE], [0, 1, 2, 3], "Un. Dos. Tres. Quatre.\n\n[…]"),
        ([PROSE, PROSE], [0, 7], "Un.\n\n[…] Quatre."),
        ([TABLE, PROSE], [0, 6], "| A | B |\n| --- | --- |\n\n[…] Dos. […]"),
        ([PROSE, PROSE, PROSE], [0, 8], "Un.\n\n[…]\n\nUn. […]"),
        ([TABLE], [1], "| A | B |\n| --- | --- |\n| 1 | 2 |\n\n[…]"),
        ([TABLE], [4], "| A | B |\n| --- | --- |\n[…]\n| 7 | 8 |"),
        ([TABLE], [1, 3], "| A | B |\n| --- | --- |\n| 1 | 2 |\n[…]\n| 5 | 6 |\n\n[…]"),
        ([PROSE, TABLE, PROSE], [4, 8], "[…]\n\n| A | B |\n| --- | --- |\n[…]\n| 7 | 8 |\n\n[…]"),
    ],
)
def test_how_it_reads(blocks: list[Block], pieces: list[int], text: str, tokens: Tokens) -> None:
    assert shown(blocks, pieces, tokens) == text


def test_spans_tell_where_and_why(tokens: Tokens) -> None:
    keeping = keeping_of([section(0, [PROSE])], tokens)
    for piece, reason in ((3, "recent"), (0, "facts"), (1, "facts"), (2, "topic")):
        keeping.keep(0, piece, reason)
    (part,) = keeping.parts()
    assert [(s.start, s.end, s.reason) for s in part.spans] == [(0, 8, "facts"), (8, 14, "topic"), (14, 22, "recent")]
    assert part.share_kept == 1 and part.reason == "facts, topic, recent"


def rendered(part: WindowPart) -> str:
    return f"\n\n{heading_line(part.level, part.title)}\n\n{part.text.strip()}" if part.text.strip() else ""


@given(sections=reports, data=st.data())
def test_what_is_kept_costs_at_least_what_it_takes_and_never_exceeds_the_budget(
    tokens: Tokens, sections: list[Section], data: st.DataObject
) -> None:
    budget = data.draw(st.integers(0, 600))
    keeping = keeping_of(sections, tokens, budget)
    places = [(i, j) for i, measured in enumerate(keeping.earlier) for j in range(len(measured.pieces))]
    for place in data.draw(st.permutations(places)):
        before, cost = keeping.left, 0 if keeping.has(*place) else keeping.cost(*place)
        if keeping.keep(*place, "why"):
            assert keeping.left == before - cost >= 0
        else:
            assert keeping.left == before < cost
    parts = keeping.parts()
    assert sum(part.tokens for part in parts) == budget - keeping.left
    for part in parts:
        assert tokens.count(f"x{rendered(part)}") - 1 <= part.tokens


@given(sections=reports, data=st.data())
def test_the_order_of_keeping_changes_nothing(tokens: Tokens, sections: list[Section], data: st.DataObject) -> None:
    places = [(i, j) for i, s in enumerate(sections) for j in range(len(measure(s, tokens).pieces))]
    chosen = data.draw(st.lists(st.sampled_from(places), unique=True)) if places else []
    once, again = keeping_of(sections, tokens), keeping_of(sections, tokens)
    assert all(once.keep(*place, "why") for place in chosen)
    assert all(again.keep(*place, "why") for place in data.draw(st.permutations(chosen)))
    assert once.parts() == again.parts() and once.left == again.left


@given(sections=reports)
def test_all_pieces_make_the_whole(tokens: Tokens, sections: list[Section]) -> None:
    keeping = keeping_of(sections, tokens)
    for place, measured in enumerate(keeping.earlier):
        for piece in reversed(range(len(measured.pieces))):
            assert keeping.keep(place, piece, "why")
        if not measured.pieces:
            assert keeping.keep_heading(place)
    assert keeping.parts() == tuple(whole(measured, "why") for measured in keeping.earlier)
    assert [part.text for part in keeping.parts()] == [s.text for s in sections]
    assert {part.share_kept for part in keeping.parts()} == {1.0}


@given(sections=reports, data=st.data())
def test_a_row_never_stands_without_its_header_nor_cut(
    tokens: Tokens, sections: list[Section], data: st.DataObject
) -> None:
    keeping = keeping_of(sections, tokens, data.draw(st.integers(0, 400)))
    for place, measured in enumerate(keeping.earlier):
        for piece in data.draw(st.permutations(range(len(measured.pieces)))):
            keeping.keep(place, piece, "why")
    texts = {s.id: s for s in sections}
    for part in keeping.parts():
        tables = [block.text.split("\n") for block in texts[part.section].blocks if block.kind == "table"]
        rows = {row for table in tables for row in table}
        lines = [line for line in part.text.split("\n") if line.startswith("|")]
        assert all(line in rows for line in lines)
        assert not lines or any(lines[0] == table[0] for table in tables)


def test_what_another_choice_kept_stays_and_costs_what_it_did(tokens: Tokens) -> None:
    sections = [section(i, [PROSE, TABLE]) for i in range(4)]
    before = keeping_of(sections[:3], tokens)
    for place, piece, reason in ((0, 2, "facts"), (1, 5, "facts"), (2, 3, "recent")):
        assert before.keep(place, piece, reason)
    assert before.first_kept_for("recent") == 2 and before.first_kept_for("topic") == 0
    after = keeping_of(sections, tokens, budget=500)
    after.take_over(before, 2)
    assert after.parts() == before.parts()[:2]
    assert after.left == 500 - before.tokens_of(0) - before.tokens_of(1)
    assert after.keep(3, 0, "facts") and before.tokens_of(3) == 0
    with pytest.raises(AssertionError):
        after.keep(0, 0, "facts")
