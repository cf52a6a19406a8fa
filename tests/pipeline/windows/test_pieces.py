"""Pieces: sentences, items, rows; their offsets and tokens add up to the section."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.bases.tokens import Tokens
from pipeline.records import Block, BlockKind
from pipeline.windows.pieces import count_within, heading_line, measure
from tests.pipeline.windows.sections import blocks, paragraph, section

TABLE = "| Partida | Import |\n| --- | --- |\n| Personal. Fix | 12 € |\n| Viatges | 3 € |"


def pieces_of(block: Block, tokens: Tokens) -> list[str]:
    measured = measure(section(0, [block]), tokens)
    text = measured.section.text
    return [text[a:b] for a, b in zip(measured.cuts, measured.cuts[1:], strict=False)]


@pytest.mark.parametrize(
    ("kind", "text", "pieces"),
    [
        ("paragraph", "Un. Dos! Tres? Quatre… Fi", ["Un. ", "Dos! ", "Tres? ", "Quatre… ", "Fi"]),
        ("paragraph", "Va dir «prou.» Després", ["Va dir «prou.» ", "Després"]),
        ("paragraph", "Pronto. ¿Qué más? (Nada.) Fin", ["Pronto. ", "¿Qué más? ", "(Nada.) ", "Fin"]),
        ("paragraph", "**Note.** *Then* this. 24 more", ["**Note.** ", "*Then* this. ", "24 more"]),
        ("paragraph", "Costà 1.250,50 € p. ex. en material, etc. i prou", None),
        ("paragraph", "Vegeu memoria.cat i D3.2 a la pàg. següent", None),
        ("list_item", "- Un. Dos", ["- Un. ", "Dos"]),
        ("note", "Àmbit. Èxit", ["Àmbit. ", "Èxit"]),
        (
            "table",
            TABLE,
            ["| Partida | Import |\n| --- | --- |\n", "| Personal. Fix | 12 € |\n", "| Viatges | 3 € |"],
        ),
        ("table", "| A | B |\n| --- | --- |", None),
        ("table", "| A. B |", None),
        ("paragraph", "", []),
    ],
)
def test_where_a_piece_may_begin(kind: BlockKind, text: str, pieces: list[str] | None, tokens: Tokens) -> None:
    assert pieces_of(Block(kind=kind, text=text), tokens) == ([text] if pieces is None else pieces)


def test_a_piece_may_begin_with_every_block(tokens: Tokens) -> None:
    items = [Block(kind="list_item", text=f"- {word}") for word in ("a", "b")]
    measured = measure(section(0, [paragraph("Un"), *items, paragraph("Dos")]), tokens)
    assert measured.section.text == "Un\n\n- a\n- b\n\nDos"
    assert measured.cuts == (0, 4, 8, 13, 16)


@given(drawn=st.lists(blocks, max_size=5))
def test_pieces_cover_the_text_and_their_tokens_sum_up(tokens: Tokens, drawn: list[Block]) -> None:
    measured = measure(section(0, drawn), tokens)
    text = measured.section.text
    assert measured.cuts[0] == 0 and measured.cuts[-1] == len(text)
    assert list(measured.cuts) == sorted(set(measured.cuts))
    assert measured.tokens_before[0] == 0 and measured.tokens == tokens.count(text)
    assert list(measured.tokens_before) == sorted(measured.tokens_before)
    assert len(measured.tokens_before) == len(measured.cuts) == measured.pieces + 1


def test_a_heading_is_counted_as_it_stands_between_texts(tokens: Tokens) -> None:
    measured = measure(section(0, heading="Pressupost", level=2), tokens)
    whole = tokens.count("Abans.\n\n## Pressupost\n\nDesprés.")
    assert measured.heading_tokens == whole - tokens.count("Abans.") - tokens.count("Després.")


def test_line_ends_count_as_they_do_before_a_word(tokens: Tokens) -> None:
    assert count_within("\n\n", tokens) == tokens.count("a\n\nb") - 2


@pytest.mark.parametrize(("level", "marks"), [(0, "#"), (1, "#"), (3, "###"), (6, "######"), (9, "######")])
def test_a_heading_has_one_to_six_marks(level: int, marks: str) -> None:
    assert heading_line(level, "3.2 Fi") == f"{marks} 3.2 Fi"
