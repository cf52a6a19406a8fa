"""Sections made of any blocks."""

from collections.abc import Sequence

from hypothesis import strategies as st

from pipeline.records import Block, Section


def section(position: int, blocks: Sequence[Block] = (), heading: str = "Resultats", level: int = 1) -> Section:
    return Section(document="d", position=position, level=level, heading=heading, path=(heading,), blocks=tuple(blocks))


def paragraph(text: str) -> Block:
    return Block(kind="paragraph", text=text)


_words = st.sampled_from(
    [
        "L'acció",
        "durar",
        "24",
        "1.250,50",
        "€",
        "à",
        "😀",
        "e\u0301",
        "D3.2",
        "“cites”",
        "(núm",
        "3)",
        "—",
        "x",
    ]
)
_sentences = st.builds(
    lambda words, end: " ".join(words).capitalize() + end,
    st.lists(_words, min_size=1, max_size=9),
    st.sampled_from([".", "!", "?", "…", ".»", ":", ""]),
)
_prose = st.builds(
    lambda sentences, gap: gap.join(sentences),
    st.lists(_sentences, min_size=1, max_size=5),
    st.sampled_from([" ", "  ", "\n"]),
)


@st.composite
def _tables(draw: st.DrawFn) -> str:
    columns = draw(st.integers(1, 3))
    cells = st.lists(_words, min_size=columns, max_size=columns)
    rows = draw(st.lists(cells, min_size=1, max_size=5))
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([lines[0], "|" + " --- |" * columns, *lines[1:]])


blocks = st.one_of(
    st.builds(Block, kind=st.sampled_from(["paragraph", "note", "caption"]), text=_prose),
    st.builds(Block, kind=st.just("list_item"), text=_prose.map("- {}".format)),
    st.builds(Block, kind=st.just("table"), text=_tables()),
)
reports = st.lists(st.tuples(_sentences, st.integers(1, 6), st.lists(blocks, max_size=4)), min_size=1, max_size=8).map(
    lambda drawn: [section(i, b, heading=h, level=level) for i, (h, level, b) in enumerate(drawn)]
)
