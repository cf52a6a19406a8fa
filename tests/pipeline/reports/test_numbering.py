"""Hand-computed labels for what numbering.xml says (as Word prints them)."""

import pytest
from lxml import etree

from pipeline.reports.numerals import formatted
from pipeline.reports.word.numbering import Numbering
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
    "an override of a level above is printed as it is": (
        abstract(*THREE) + num(1) + num(2, start(0, 1) + start(1, 1)),
        [(1, 0, "1."), (1, 1, "1.1"), (1, 1, "1.2"), (2, 1, "1.1"), (2, 1, "1.2"), (1, 0, "2.")],
    ),
    "a level above that starts anew restarts those below": (
        abstract(*THREE) + num(1) + num(2, start(0, 5)),
        [(1, 0, "1."), (1, 1, "1.1"), (2, 1, "5.1"), (2, 0, "6."), (2, 1, "6.1")],
    ),
    "overrides out of order": (
        abstract(*THREE) + num(1) + num(2, start(1, 4) + start(0, 3)),
        [(1, 0, "1."), (2, 1, "3.4"), (2, 1, "3.5")],
    ),
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
    "a bullet that says something": (
        abstract(level(0, "bullet", "☒"), level(1, "bullet", " ☐ "), level(2, "bullet", "✓")) + num(1),
        [(1, 0, "- ☒"), (1, 1, "- ☐"), (1, 2, "- ✓")],
    ),
    "a blank bullet": (
        abstract(level(0, "bullet", " "), level(1, "bullet", "")) + num(1),
        [(1, 0, None), (1, 1, None)],
    ),
    "a picture as a bullet": (
        abstract(level(0, "bullet", "", '<w:lvlPicBulletId w:val="0"/>')) + num(1),
        [(1, 0, "-")],
    ),
    "a hidden number counts": (
        abstract(level(0, "decimal", "%1.", "<w:rPr><w:vanish/></w:rPr>"), THREE[1]) + num(1),
        [(1, 0, None), (1, 0, None), (1, 1, "2.1")],
    ),
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


@pytest.mark.parametrize("text", ["\uf0fe", "\u00fe"])
def test_a_ticked_box_of_a_picture_font(text: str) -> None:
    def bullet(depth: int, font: str) -> str:
        return level(depth, "bullet", text, f'<w:rPr><w:rFonts w:ascii="{font}" w:hAnsi="{font}"/></w:rPr>')

    numbering = Numbering(root(abstract(bullet(0, "Wingdings"), bullet(1, "Webdings")) + num(1)), Styles(None))
    labels = [numbering.label("1", depth) for depth in (0, 1)]
    assert [label and (label.text, label.bullet) for label in labels] == [("- ☑", True), ("-", True)]


def test_the_nearest_style_that_a_level_is_linked_to_decides() -> None:
    def style(name: str, based_on: str) -> str:
        return f'<w:style w:type="paragraph" w:styleId="{name}"><w:basedOn w:val="{based_on}"/>{{}}</w:style>'

    number = '<w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr>'
    inside = (
        style("Clause", "").format(number)
        + style("Subclause", "Clause").format(number)
        + style("Mine", "Subclause").format("")
        + style("Own", "Mine").format("")
    )
    styles = Styles(etree.fromstring(f"<w:styles {NAMESPACES}>{inside}</w:styles>"))
    linked = '<w:pStyle w:val="{}"/>'.format
    levels = level(0, "decimal", "%1.", linked("Clause")), level(1, "decimal", "%1.%2", linked("Subclause"))
    numbering = Numbering(root(abstract(*levels) + num(1)), styles)
    found = [styles.get(name) for name in ("Clause", "Subclause", "Mine", "Own", "Clause")]
    labels = [numbering.label(*style.number, style.number_style) for style in found if style.number]
    assert [label and label.text for label in labels] == ["1.", "1.1", "1.2", "1.3", "2."]


def test_the_language_of_the_document_is_that_of_its_ordinals() -> None:
    said = '<w:docDefaults><w:rPrDefault><w:rPr><w:lang w:val="ca-ES"/></w:rPr></w:rPrDefault></w:docDefaults>'
    styles = Styles(etree.fromstring(f"<w:styles {NAMESPACES}>{said}</w:styles>"))
    numbering = Numbering(root(abstract(level(0, "ordinal", "Article %1")) + num(1)), styles)
    labels = [numbering.label("1", 0) for _ in range(5)]
    assert [label and label.text for label in labels] == [f"Article {n}" for n in ("1r", "2n", "3r", "4t", "5è")]


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
        (3, "bahtText"): "3",
        (1, "decimalEnclosedCircle"): "①",
        (20, "decimalEnclosedCircle"): "⑳",
        (21, "decimalEnclosedCircle"): "21",
        (0, "decimalEnclosedCircle"): "0",
        (3, "decimalEnclosedParen"): "⑶",
        (4, "chicago"): "§",
        (5, "chicago"): "**",
        (9, "chicago"): "***",
        (2, "numberInDash"): "- 2 -",
        (27, "hex"): "1B",
        (1, "ordinal"): "1st",
        (12, "ordinal"): "12th",
        (22, "ordinal"): "22nd",
        (112, "ordinal"): "112th",
        (103, "ordinal"): "103rd",
        (2, "ordinal", "es"): "2.º",
        (6, "ordinal", "ca"): "6è",
        (2, "ordinal", "fr"): "2",
        (1, "cardinalText"): "One",
        (20, "cardinalText", "es"): "Veinte",
        (16, "cardinalText", "ca"): "Setze",
        (21, "cardinalText"): "21",
        (1, "ordinalText"): "First",
        (20, "ordinalText"): "Twentieth",
        (1, "ordinalText", "es"): "Primero",
        (18, "ordinalText", "es"): "Decimoctavo",
        (1, "ordinalText", "ca"): "Primer",
        (19, "ordinalText", "ca"): "Dinovè",
        (1, "ordinalText", "de"): "1",
    }
    assert {case: formatted(*case) for case in told} == told


@pytest.mark.parametrize("kind", ["cardinalText", "ordinalText"])
@pytest.mark.parametrize("language", ["en", "es", "ca"])
def test_every_number_up_to_twenty_has_its_own_word(kind: str, language: str) -> None:
    words = {formatted(number, kind, language) for number in range(1, 21)}
    assert len(words) == 20 and all(word.isalpha() for word in words)
