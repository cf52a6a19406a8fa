"""What is read of charts and diagrams, and that every text in them is read or left out for a reason."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from pipeline.reports import read_report
from pipeline.reports.blocks import Tally, visible
from pipeline.reports.word.drawings import drawing_text, drawing_texts, formatted_number
from tests.pipeline.reports.report_files import NAMESPACES

_CX = 'xmlns:cx="http://schemas.microsoft.com/office/drawing/2014/chartex"'


def chart(inside: str) -> str:
    return f"<c:chartSpace {NAMESPACES} {_CX}>{inside}</c:chartSpace>"


def rich(*runs: str) -> str:
    return "<a:p>" + "".join(f"<a:r><a:rPr/><a:t>{run}</a:t></a:r>" for run in runs) + "</a:p>"


def points(*values: str) -> str:
    return "".join(f'<c:pt idx="{i}"><c:v>{value}</c:v></c:pt>' for i, value in enumerate(values))


def title(*runs: str) -> str:
    return f"<c:title><c:tx><c:rich>{rich(*runs)}</c:rich></c:tx></c:title>"


def read(xml: str) -> tuple[str, dict[str, int]]:
    """The words, and what was left out; whatever is visible is one or the other."""
    part, tally = etree.fromstring(xml), Tally()
    text, characters = drawing_text(part, tally)
    assert characters + tally.left_out.total() == sum(map(visible, drawing_texts(part)))
    return text, dict(tally.left_out)


CATEGORIES = {
    "levels": (
        f"<c:multiLvlStrRef><c:multiLvlStrCache><c:lvl>{points('Coast', 'Hills')}</c:lvl>"
        f"<c:lvl>{points('Region')}</c:lvl></c:multiLvlStrCache></c:multiLvlStrRef>",
        "Coast; Hills; Region",
    ),
    "literal": (f"<c:strLit>{points('Coast')}</c:strLit>", "Coast"),
    "years": (
        f"<c:numRef><c:numCache><c:formatCode>General</c:formatCode>{points('2023', '2024.0')}</c:numCache></c:numRef>",
        "2023; 2024",
    ),
    "literal years": (f"<c:numLit>{points('2023')}</c:numLit>", "2023"),
    "dates": (
        f"<c:numLit><c:formatCode>mmm\\-yy</c:formatCode>{points('44927', '44958')}</c:numLit>",
        "2023-01; 2023-02",
    ),
    "a point's own format": (
        '<c:numLit><c:formatCode>yyyy</c:formatCode><c:pt formatCode="0%"><c:v>0.25</c:v></c:pt></c:numLit>',
        "25%",
    ),
}


@pytest.mark.parametrize("case", CATEGORIES)
def test_categories_are_read_and_values_are_not(case: str) -> None:
    categories, seen = CATEGORIES[case]
    series = f"<c:tx><c:strRef><c:strCache>{points('Staff')}</c:strCache></c:strRef></c:tx><c:cat>{categories}</c:cat>"
    values = f"<c:val><c:numRef><c:numCache>{points('12', '7.5')}</c:numCache></c:numRef></c:val>"
    text, left_out = read(chart(f"{title('Spen', 'ding')}<c:ser>{series}{values}</c:ser>"))
    assert (text, left_out) == (f"Spending; Staff; {seen}", {"chart data": 5})


@pytest.mark.parametrize("place", ["val", "xVal", "yVal", "bubbleSize", "plus", "minus"])
@pytest.mark.parametrize("kind", ["numCache", "numLit", "strCache"])
def test_plotted_values(place: str, kind: str) -> None:
    assert read(chart(f"<c:{place}><c:{kind}>{points('300')}</c:{kind}></c:{place}>")) == ("", {"chart data": 3})


def test_labels_of_a_chart_come_once_and_those_of_a_diagram_as_often_as_they_stand_there() -> None:
    twice = rich("Water") + rich("Soil") + rich("Wa", "ter")
    assert read(chart(twice)) == ("Water; Soil", {"repeated chart label": 5})
    assert read(f"<dgm:dataModel {NAMESPACES}>{twice}</dgm:dataModel>") == ("Water; Soil; Water", {})


def test_a_label_with_words_and_one_that_stands_for_a_value() -> None:
    shown = f"<c:dLbl>{rich('half of ', 'all')}</c:dLbl>"
    stand_in = '<c:dLbl><a:p><a:fld type="VALUE"><a:t>[VALOR]</a:t></a:fld><a:r><a:t> euros</a:t></a:r></a:p></c:dLbl>'
    assert read(chart(shown + stand_in)) == ("half of all; euros", {"field code": 7})


def test_a_break_parts_words() -> None:
    broken = "<a:p><a:r><a:t>Budget</a:t></a:r><a:br/><a:r><a:t>2024</a:t></a:r></a:p>"
    assert read(chart(broken)) == ("Budget 2024", {})


def test_a_newer_kind_of_chart() -> None:
    inside = (
        '<cx:strDim type="cat"><cx:lvl><cx:pt idx="0">North</cx:pt></cx:lvl></cx:strDim>'
        '<cx:numDim type="cat"><cx:lvl formatCode="General"><cx:pt idx="0">2021.0</cx:pt></cx:lvl></cx:numDim>'
        '<cx:strDim type="entityId"><cx:lvl><cx:pt idx="0">9f3</cx:pt></cx:lvl></cx:strDim>'
        '<cx:numDim type="val"><cx:lvl formatCode="General"><cx:pt idx="0">55</cx:pt></cx:lvl></cx:numDim>'
        "<cx:series><cx:tx><cx:txData><cx:v>Rain</cx:v></cx:txData></cx:tx></cx:series>"
    )
    xml = f"<cx:chartSpace {NAMESPACES} {_CX}>{inside}</cx:chartSpace>"
    assert read(xml) == ("North; 2021; Rain", {"chart data": 5})


def test_a_diagram_follows_its_tree() -> None:
    names = {"doc": "", "b": "Soil", "a": "Water", "a2": "Rivers", "a1": "Springs", "lost": "Air"}
    tree = [("doc", "b", 1), ("doc", "a", 0), ("a", "a2", 1), ("a", "a1", 0), ("lost", "lost", 0)]
    inside = "".join(f'<dgm:pt modelId="{id_}"><dgm:t>{rich(name)}</dgm:t></dgm:pt>' for id_, name in names.items())
    inside += "".join(f'<dgm:cxn srcId="{a}" destId="{b}" srcOrd="{order}"/>' for a, b, order in tree)
    inside += '<dgm:cxn type="presOf" srcId="b" destId="a" srcOrd="0"/>'
    assert read(f"<dgm:dataModel {NAMESPACES}>{inside}</dgm:dataModel>")[0] == "Water; Springs; Rivers; Soil; Air"


@pytest.mark.parametrize(
    ("text", "code", "seen"),
    [
        ("2023", "General", "2023"),
        ("2023.0", "", "2023"),
        ("0.30000000000000004", "0.0", "0.3"),
        ("0.5", "0%", "50%"),
        ("44927", "yyyy", "2023"),
        ("44927.75", "dd/mm/yy", "01/01/23"),
        ("44927", "d.m.yyyy;@", "1.1.2023"),
        ("44927", '[$-403]d" de "mmmm', "2023-01-01"),
        ("44927", "mmmm yyyy", "2023-01"),
        ("44927", "Estándar", "44927"),
        ("-3", "dd/mm/yyyy", "-3"),
        ("1e300", "yyyy", "1e+300"),
        ("nan", "yyyy", "nan"),
        ("first", "0%", "first"),
    ],
)
def test_numbers_as_a_chart_shows_them(text: str, code: str, seen: str) -> None:
    assert formatted_number(text, code) == seen


def test_days_since_1904() -> None:
    days = f"<c:cat><c:numLit><c:formatCode>yyyy</c:formatCode>{points('43465')}</c:numLit></c:cat>"
    assert [read(chart(f'<c:date1904 val="{switch}"/>{days}'))[0] for switch in (0, 1)] == ["2018", "2023"]


def _element(name: str, inside: list[str]) -> str:
    return f"<{name}>{''.join(inside)}</{name}>"


_NAMES = ["c:cat", "c:val", "c:tx", "c:numCache", "c:strCache", "a:p", "a:fld", "cx:numDim", "dgm:pt"]
_TEXTS = st.lists(st.sampled_from(["12", "[x]", "Água", " "]), max_size=1)
_LEAF = st.builds(_element, st.sampled_from(["c:v", "a:t", "cx:pt", "cx:v"]), _TEXTS)
_TREE = st.recursive(
    _LEAF, lambda inner: st.builds(_element, st.sampled_from(_NAMES), st.lists(inner, max_size=4)), max_leaves=12
)


@given(st.sampled_from(["c:chartSpace", "cx:chartSpace", "dgm:dataModel"]), st.lists(_TREE, max_size=5))
def test_whatever_stands_where_nothing_is_lost(root: str, parts: list[str]) -> None:
    read(f"<{root} {NAMESPACES} {_CX}>{''.join(parts)}</{root}>")


def test_a_chart_that_nothing_refers_to_is_counted_whole(craft) -> None:
    values = f"<c:val><c:numCache>{points('12')}</c:numCache></c:val>"
    path = craft.docx(craft.p("text"), parts={"word/charts/chart1.xml": chart(title("Rain") + values)})
    report = read_report(path)
    assert report.characters.left_out == {"drawing without a reference": 6}
    assert report.characters.unaccounted == 0
