"""What a style of a Word file inherits, which names say what it is, and what picture fonts look like."""

import time

import pytest
from lxml import etree

from pipeline.reports.word.styles import Styles
from pipeline.reports.word.symbols import readable, symbol
from tests.pipeline.reports.report_files import NAMESPACES


def style(id_: str, name: str = "", based_on: str = "", more: str = "") -> str:
    based = f'<w:basedOn w:val="{based_on}"/>' if based_on else ""
    return f'<w:style w:type="paragraph" w:styleId="{id_}"><w:name w:val="{name or id_}"/>{based}{more}</w:style>'


def outline(level: int) -> str:
    return f'<w:pPr><w:outlineLvl w:val="{level}"/></w:pPr>'


def styles(*found: str) -> Styles:
    return Styles(etree.fromstring(f"<w:styles {NAMESPACES}>{''.join(found)}</w:styles>"))


@pytest.mark.parametrize(
    ("name", "is_contents"),
    [
        ("toc 1", True),
        ("TDC 3", True),
        ("Índex 2", True),
        ("table of figures", True),
        ("TOC Heading", True),
        ("Contents Heading", True),
        ("Títol de l'índex", True),
        ("Títol de l’índex de continguts", True),
        ("Título de TDC", True),
        ("Título TDC", True),
        ("Encabezado del índice", True),
        ("Título de tabla", False),
        ("Títol de taula", False),
        ("Título 1", False),
        ("Contents", False),
        ("Tocs 1", False),
    ],
)
def test_names_of_the_table_of_contents(name: str, is_contents: bool) -> None:
    assert styles(style("X", name)).get("X").is_contents is is_contents


def test_who_is_based_on_an_entry_of_the_contents_is_one() -> None:
    found = styles(
        style("T", "toc 1"),
        style("Mine", based_on="T"),
        style("Again", based_on="Mine", more=outline(9)),
        style("Chapter", based_on="T", more=outline(0)),
        style("Under", based_on="Chapter"),
        style("Head", "TOC Heading", more=outline(9)),
        style("Preface", based_on="Head"),
    )
    kinds = {
        name: found.get(name).is_contents for name in ("T", "Mine", "Again", "Chapter", "Under", "Head", "Preface")
    }
    assert kinds == {"T": 1, "Mine": 1, "Again": 1, "Chapter": 0, "Under": 0, "Head": 1, "Preface": 0}


def test_what_is_inherited_and_what_overrides_it() -> None:
    number = "<w:pPr><w:numPr>{}</w:numPr></w:pPr>".format
    vanish = '<w:rPr><w:vanish/><w:b w:val="{}"/></w:rPr>'.format
    found = styles(
        style("A", "heading 2", more=number('<w:ilvl w:val="1"/><w:numId w:val="7"/>') + vanish(1)),
        style("B", based_on="A"),
        style("C", based_on="B", more=number('<w:ilvl w:val="2"/>') + vanish(0)),
        style("D", based_on="C", more=number('<w:numId w:val="0"/>')),
        style("E", based_on="D", more=outline(9)),
    )
    seen = {(name, s.level, s.number, s.hidden, s.bold) for name in "ABCDE" for s in [found.get(name)]}
    assert seen == {
        ("A", 2, ("7", 1), True, True),
        ("B", 2, ("7", 1), True, True),
        ("C", 2, ("7", 2), True, False),
        ("D", 2, ("0", None), True, False),
        ("E", None, ("0", None), True, False),
    }


def test_circles_and_styles_that_are_not_there() -> None:
    found = styles(style("A", "heading 1", "B"), style("B", "b", "A"), style("C", "c", "C"), style("D", "d", "Gone"))
    assert [found.get(name).name for name in "ABCD"] == ["heading 1", "b", "c", "d"]
    assert list(found.chain("B")) == ["B", "A"]
    assert found.get("Heading3").level == 3
    assert found.get(None).name == ""


def test_a_long_chain_is_read_in_no_time() -> None:
    count = 4000
    chain = [style("S0", "heading 4")] + [style(f"S{n}", f"s {n}", f"S{n - 1}") for n in range(1, count)]
    found = styles(*chain)
    start = time.process_time()
    assert {found.get(f"S{n}").level for n in reversed(range(count))} == {4}
    assert time.process_time() - start < 1.5


@pytest.mark.parametrize(
    ("of_default", "of_style", "language"),
    [("", "", "en"), ("ca-ES", "", "ca"), ("en-GB", "es-ES", "es"), ("", "FR-fr", "fr")],
)
def test_the_language_of_a_document(of_default: str, of_style: str, language: str) -> None:
    def said(value: str) -> str:
        return f'<w:rPr><w:lang w:val="{value}"/></w:rPr>' if value else "<w:rPr/>"

    normal = f'<w:style w:type="paragraph" w:default="1" w:styleId="N">{said(of_style)}</w:style>'
    defaults = f"<w:docDefaults><w:rPrDefault>{said(of_default)}</w:rPrDefault></w:docDefaults>"
    assert styles(defaults, normal).language == language


@pytest.mark.parametrize(
    ("font", "codes", "seen"),
    [
        ("Wingdings", "6F A8 78 FC FB FE FD 4A", "□◻☒✓✗☑☒☺"),
        ("Wingdings", "DF E0 E1 E2 E3 E4 E5 E6 E8 F0", "←→↑↓↖↗↙↘➔⇨"),
        ("Wingdings", "80 81 8A 8B 8C 95", "⓪①⑩⓿❶❿"),
        ("wingdings 2", "50 4F 52 A3 54 6A 73 98", "✓✗☑□☒①⑩●"),
        ("Wingdings 3", "21 22 66 67 68 69 6E 6F 75 7D", "←→←→↑↓↔↕▶▸"),
        ("Webdings", "61 72 34 6E", "✓✗▶●"),
        ("Symbol", "61 B7 DE 22 28 A3", "α•⇒∀(≤"),
    ],
)
def test_picture_fonts(font: str, codes: str, seen: str) -> None:
    assert "".join(symbol(font, code) or "?" for code in codes.split()) == seen
    assert "".join(symbol(font, f"F0{code}") or "?" for code in codes.split()) == seen


def test_nobody_guesses_where_the_font_is_known() -> None:
    assert symbol("Wingdings", "F061") is None
    assert readable("\uf061", "Wingdings") == "□"
    assert readable("\uf061\uf0fc", "Arial") == "α✓"
