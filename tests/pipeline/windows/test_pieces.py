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
    return [text[piece.start : piece.end] for piece in measured.pieces]


@pytest.mark.parametrize(
    ("kind", "text", "pieces"),
    [
        ("paragraph", "Un. Dos! Tres? Quatre… Fi", ["Un.", " Dos!", " Tres?", " Quatre…", " Fi"]),
        ("paragraph", "Va dir «prou.» Després", ["Va dir «prou.»", " Després"]),
        ("paragraph", "Pronto. ¿Qué más? (Nada.) Fin", ["Pronto.", " ¿Qué más?", " (Nada.)", " Fin"]),
        ("paragraph", "**Note.** *Then* this. 24 more", ["**Note.**", " *Then* this.", " 24 more"]),
        ("paragraph", "Costà 1.250,50 € p. ex. en material, etc. i prou", None),
        ("paragraph", "Vegeu memoria.cat i D3.2 a la pàg. següent", None),
        ("list_item", "- Un. Dos", ["- Un.", " Dos"]),
        ("note", "Àmbit. Èxit", ["Àmbit.", " Èxit"]),
        (
            "table",
            TABLE,
            ["| Partida | Import |\n| --- | --- |\n", "| Personal. Fix | 12 € |\n", "| Viatges | 3 € |"],
        ),
        ("paragraph", "Carrer Major 3\n08001 Vila", ["Carrer Major 3", "\n08001 Vila"]),
        ("list_item", "1. Objectius del pla. Fets.", ["1. Objectius del pla.", " Fets."]),
        (
            "paragraph",
            "La Dra. Anna Puig i el Sr. J. Pou, art. 5. Fi.",
            ["La Dra. Anna Puig i el Sr. J. Pou, art. 5.", " Fi."],
        ),
        ("table", "| A | B |\n| --- | --- |", None),
        ("table", "| A | B |\n| --- | --- |\n", None),
        (
            "table",
            "| A | B | |\n| --- | --- | --- |\n| | Inici | Final |\n| x | 1 | 2 |",
            ["| A | B | |\n| --- | --- | --- |\n| | Inici | Final |\n", "| x | 1 | 2 |"],
        ),
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
    assert [(piece.start, piece.end) for piece in measured.pieces] == [(0, 4), (4, 8), (8, 13), (13, 16)]
    assert all(piece.begins_block for piece in measured.pieces)


def test_a_row_needs_the_header_of_its_own_table(tokens: Tokens) -> None:
    table = Block(kind="table", text=TABLE)
    measured = measure(section(0, [paragraph("Un. Dos."), table, table]), tokens)
    assert [piece.header for piece in measured.pieces] == [None, None, None, 2, 2, None, 5, 5]
    assert [piece.is_row for piece in measured.pieces] == [False, False, *[True] * 6]


def test_each_piece_tells_its_own_facts(tokens: Tokens) -> None:
    measured = measure(section(0, [paragraph("Van venir 340 alumnes. Eren 3 grups. Costà 98.400 €.")]), tokens)
    assert measured.facts == ({"number:340"}, set(), {"amount:98400 EUR"})
    assert measured.all_facts == {"number:340", "amount:98400 EUR"}


def test_what_has_no_end_is_cut_at_white_space(tokens: Tokens) -> None:
    pieces = pieces_of(paragraph("paraula " * 900 + "fi"), tokens)
    assert max(map(len, pieces)) <= 1_500 and all(piece.startswith((" ", "par")) for piece in pieces)
    assert len(pieces_of(paragraph("x" * 5_000), tokens)) == 1


@given(drawn=st.lists(blocks, max_size=5))
def test_pieces_cover_the_text_and_their_tokens_sum_up(tokens: Tokens, drawn: list[Block]) -> None:
    measured = measure(section(0, drawn), tokens)
    text = measured.section.text
    pieces = measured.pieces
    assert "".join(text[piece.start : piece.end] for piece in pieces) == text
    assert [piece.start for piece in pieces[1:]] == [piece.end for piece in pieces[:-1]]
    assert measured.tokens == tokens.count(text) and all(piece.start < piece.end for piece in pieces)
    assert len(measured.facts) == len(measured.index.lengths) == len(pieces)


def test_a_heading_is_counted_as_it_stands_between_texts(tokens: Tokens) -> None:
    measured = measure(section(0, heading="Pressupost", level=2), tokens)
    whole = tokens.count("Abans.\n\n## Pressupost\n\nDesprés.")
    assert measured.heading_tokens == whole - tokens.count("Abans.") - tokens.count("Després.")


def test_line_ends_count_as_they_do_before_a_word(tokens: Tokens) -> None:
    assert count_within("\n\n", tokens) == tokens.count("a\n\nb") - 2


@pytest.mark.parametrize(("level", "marks"), [(0, "#"), (1, "#"), (3, "###"), (6, "######"), (9, "######")])
def test_a_heading_has_one_to_six_marks(level: int, marks: str) -> None:
    assert heading_line(level, "3.2 Fi") == f"{marks} 3.2 Fi"
