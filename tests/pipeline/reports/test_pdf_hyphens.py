"""Hyphens at a line's end: of a syllable, or of the word."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.reports.blocks import visible
from pipeline.reports.pdf.glyphs import HYPHEN
from pipeline.reports.pdf.hyphens import Words, joined


@pytest.mark.parametrize(
    ("lines", "elsewhere", "expected"),
    [
        (["one", "two"], "", ("one two", 0)),
        (["coop-", "erative"], "", ("cooperative", 1)),
        (["coop-", "erative"], "a coop and an erative thing, all cooperative here", ("cooperative", 1)),
        (["long-", "term."], "a long-term plan", ("long-term.", 0)),
        (["solar-", "powered."], "the solar and powered ones", ("solar-powered.", 0)),
        (["North-", "South"], "", ("North-South", 0)),
        (["2019-", "2020"], "", ("2019-2020", 0)),
        (["pre-", "and post-war"], "", ("pre- and post-war", 0)),
        (["pre-", "i postguerra"], "", ("pre- i postguerra", 0)),
        (["va fer-", "se fosc"], "van dir-se adeu", ("va fer-se fosc", 0)),
        (["empezó a reír-", "se"], "", ("empezó a reírse", 1)),
        ([f"far{HYPHEN}", "reaching"], "", ("farreaching", 1)),
        ([f"far{HYPHEN}", "reaching"], "a far-reaching plan", ("far-reaching", 0)),
        ([f"FVC{HYPHEN}", "2022"], "", ("FVC-2022", 0)),
        (["see https://example.org/one-", "two/three"], "", ("see https://example.org/one-two/three", 0)),
        (["see https://example.org/one", "two/three.pdf ok"], "", ("see https://example.org/onetwo/three.pdf ok", 0)),
        (["see https://example.org/one", "and more"], "", ("see https://example.org/one and more", 0)),
        (["a dash -", "like this"], "", ("a dash - like this", 0)),
    ],
)
def test_joined(lines: list[str], elsewhere: str, expected: tuple[str, int]) -> None:
    assert joined(lines, Words([*lines, f"x {elsewhere} x"])) == expected


@given(st.lists(st.text(alphabet="abAB1- .\x02\u2010", min_size=1, max_size=12), max_size=6))
def test_what_is_dropped_is_counted(lines: list[str]) -> None:
    text, dropped = joined(lines, Words(lines))
    assert visible(text) + dropped == sum(map(visible, lines))
    assert HYPHEN not in text
