"""Hand-computed labels for what numbering.xml says (as Word prints them)."""

import pytest
from lxml import etree

from pipeline.reports.word.numbering import Numbering, formatted
from pipeline.reports.word.styles import Styles
from tests.pipeline.reports.report_files import NAMESPACES, STYLES, level


def root(inside: str):
    return etree.fromstring(f"<w:numbering {NAMESPACES}>{inside}</w:numbering>")


def abstract(*levels: str, more: str = "") -> str:
    return f'<w:abstractNum w:abstractNumId="1">{more}{"".join(levels)}</w:abstractNum>'


def num(num_id: int, overrides: str = "", of: int = 1) -> str:
    return f'<w:num w:numId="{num_id}"><w:abstractNumId w:val="{of}"/>{overrides}</w:num>'


def start(depth: int, number: int) -> str:
    return f'<w:lvlOverride w:ilvl="{depth}"><w:startOverride w:val="{number}"/></w:lvlOverride>'


THREE = (level(0, "decimal", "%1."), level(1, "decimal", "%1.%2"), level(2, "lowerLetter", "%3)"))

CASES = {
    "multi-level": (
        abstract(*THREE) + num(1),
        [
            (1, 0, "1."),
            (1, 1, "1.1"),
            (1, 2, "a)"),
            (1, 2, "b)"),
            (1, 1, "1.2"),
            (1, 2, "a)"),
            (1, 0, "2."),
            (1, 1, "2.1"),
        ],
    ),
    "a skipped level shows its first number": (
        abstract(*THREE) + num(1),
        [(1, 1, "1.1"), (1, 1, "1.2"), (1, 0, "2.")],
    ),
    "lists of one definition go on": (
        abstract(*THREE) + num(1) + num(2),
        [(1, 0, "1."), (2, 0, "2."), (1, 0, "3.")],
    ),
    "an override starts anew, once": (
        abstract(*THREE) + num(1) + num(2, start(0, 1)),
        [(1, 0, "1."), (1, 0, "2."), (2, 0, "1."), (2, 0, "2."), (1, 0, "3.")],
    ),
    "an override of the first number": (abstract(*THREE) + num(1, start(0, 7)), [(1, 0, "7."), (1, 0, "8.")]),
    "a level of the list's own": (
        abstract(*THREE) + num(1, f'<w:lvlOverride w:ilvl="0">{level(0, "upperRoman", "%1)")}</w:lvlOverride>'),
        [(1, 0, "I)"), (1, 1, "I.1")],
    ),
    "never restarts": (
        abstract(THREE[0], level(1, "decimal", "%2", '<w:lvlRestart w:val="0"/>')) + num(1),
        [(1, 0, "1."), (1, 1, "1"), (1, 0, "2."), (1, 1, "2")],
    ),
    "restarts after the first level only": (
        abstract(*THREE[:2], level(2, "decimal", "%3", '<w:lvlRestart w:val="1"/>')) + num(1),
        [
            (1, 0, "1."),
            (1, 1, "1.1"),
            (1, 2, "1"),
            (1, 1, "1.2"),
            (1, 2, "2"),
            (1, 0, "2."),
            (1, 1, "2.1"),
            (1, 2, "1"),
        ],
    ),
    "legal": (
        abstract(level(0, "upperRoman", "%1."), level(1, "decimal", "%1.%2", "<w:isLgl/>")) + num(1),
        [(1, 0, "I."), (1, 1, "1.1"), (1, 0, "II."), (1, 1, "2.1")],
    ),
    "text around": (
        abstract(level(0, "upperLetter", "Annex %1:")) + num(1),
        [(1, 0, "Annex A:"), (1, 0, "Annex B:")],
    ),
    "bullet": (abstract(level(0, "bullet", "§")) + num(1), [(1, 0, "-")]),
    "nothing printed": (abstract(level(0, "none", "")) + num(1), [(1, 0, None)]),
    "no such list": (num(2), [(0, 0, None), (9, 0, None), (2, 0, None)]),
}


@pytest.mark.parametrize("case", CASES)
def test_labels(case: str) -> None:
    inside, asked = CASES[case]
    numbering = Numbering(root(inside), Styles(None))
    labels = [numbering.label(str(num_id), depth) for num_id, depth, _ in asked]
    assert [label.text if label else None for label in labels] == [text for _, _, text in asked]


def test_a_level_linked_to_a_style() -> None:
    linked = level(1, "decimal", "%1.%2", '<w:pStyle w:val="Heading2"/>')
    numbering = Numbering(root(abstract(THREE[0], linked) + num(1)), Styles(None))
    labels = [numbering.label("1", None, style) for style in ("Heading1", "Heading2")]
    assert [label and label.text for label in labels] == ["1.", "1.1"]


def test_a_definition_that_points_to_a_list_style() -> None:
    styles = etree.fromstring(
        f'<w:styles {NAMESPACES}>{STYLES}<w:style w:type="numbering" w:styleId="Outline"><w:pPr><w:numPr>'
        f'<w:numId w:val="1"/></w:numPr></w:pPr></w:style></w:styles>'
    )
    pointer = '<w:abstractNum w:abstractNumId="2"><w:numStyleLink w:val="Outline"/></w:abstractNum>'
    numbering = Numbering(root(abstract(*THREE) + pointer + num(1) + num(2, of=2)), Styles(styles))
    labels = [numbering.label("2", depth) for depth in (0, 1)]
    assert [label and label.text for label in labels] == ["1.", "1.1"]


def test_formats() -> None:
    told = {
        (4, "lowerRoman"): "iv",
        (1994, "upperRoman"): "MCMXCIV",
        (26, "lowerLetter"): "z",
        (27, "lowerLetter"): "aa",
        (53, "upperLetter"): "AAA",
        (7, "decimalZero"): "07",
        (0, "lowerRoman"): "0",
        (3, "none"): "",
        (3, "ordinalText"): "3",
    }
    assert {case: formatted(*case) for case in told} == told
