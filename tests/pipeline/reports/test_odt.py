"""OpenDocument: every kind of thing that a text may hold, in its place and accounted for."""

import random
import shutil
import subprocess
import zipfile
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.errors import UserError
from pipeline.records import Report
from pipeline.reports import read_report
from pipeline.settings import Reports
from tests.pipeline.reports.odt_files import cell, document, h, items, make_odt, p, table
from tests.pipeline.reports.told import outline, text

KEEP_ALL = Reports(keep=("comments", "deletions", "hidden", "contents", "headers"))


@pytest.fixture
def read(tmp_path: Path):
    def read(body: str, settings: Reports | None = None, **more) -> Report:
        report = read_report(make_odt(tmp_path / "made.odt", body, **more), settings)
        assert report.characters.unaccounted == 0, report.characters
        return report

    return read


def test_headings_and_their_numbers(read) -> None:
    report = read(
        p("The bridge", "Title")
        + p("", "Standard")
        + h("Preface", 1, style="Plain")
        + h("Aims")
        + h("North", 2)
        + h("South", 2)
        + h("Deep", 3)
        + h("Means", 1, ' text:is-list-header="true"')
        + h("Ends", 1, ' text:restart-numbering="true" text:start-value="7"')
        + p("In a style of its own", "Own")
        + p("Said.")
    )
    assert report.title == "The bridge"
    assert outline(report) == [
        (1, "Preface"),
        (1, "1 Aims"),
        (2, "1.a) North"),
        (2, "1.b) South"),
        (3, "Deep"),
        (1, "Means"),
        (1, "7 Ends"),
        (2, "7.a) In a style of its own"),
    ]


def test_headings_as_items_of_a_list_that_goes_on(read) -> None:
    deep = items(items(h("Deep", 2)), more=' text:continue-numbering="true" text:style-name="Numbers"')
    deep_again = deep.replace("Deep", "Deeper")
    report = read(items(h("Top"), more=' xml:id="l1" text:style-name="Numbers"') + p("x") + deep + p("y") + deep_again)
    assert outline(report) == [(1, "3 Top"), (2, "3-A Deep"), (2, "3-B Deeper")]


def test_lists(read) -> None:
    inner = items(p("one") + p("more of one"), p("two"))
    report = read(
        items(p("dot") + inner, p("last"), more=' text:style-name="Dots"')
        + p("between")
        + items(p("three"), p("four"), more=' text:style-name="Numbers" xml:id="n"')
        + "<text:list text:style-name='Numbers' text:continue-list='n'><text:list-header>"
        + p("a header")
        + "</text:list-header><text:list-item text:start-value='9'>"
        + p("nine")
        + "</text:list-item></text:list>"
        + items(p("anew"), more=' text:style-name="Numbers"')
    )
    assert text(report) == (
        "- dot\n  (i) one\n    more of one\n  (ii) two\n- last\n\nbetween\n\n"
        "3. three\n4. four\n  a header\n9. nine\n3. anew"
    )


def test_table_with_merged_nested_and_repeated_cells(read) -> None:
    head = "<table:table-header-rows><table:table-row>" + cell(p("Year"), ' table:number-columns-spanned="2"')
    covered = cell("", tag="covered-table-cell")
    report = read(
        "<table:table>"
        + head
        + covered
        + cell(h("Sum", 1))
        + "</table:table-row></table:table-header-rows><table:table-row>"
        + cell(p("1"), ' table:number-columns-repeated="2"')
        + cell(table(cell(p("a")) + cell(p("b"))) + items(p("x"), p("y"), more=' text:style-name="Dots"'))
        + '</table:table-row><table:table-row table:visibility="collapse">'
        + cell(p("folded"))
        + '</table:table-row><table:table-row table:number-rows-repeated="1048576">'
        + cell("", ' table:number-columns-repeated="1024"')
        + "</table:table-row></table:table>"
        + table(cell(p("framed")))
    )
    assert [s.heading for s in report.sections] == [""]
    assert text(report) == "| Year |  | 1. Sum |\n| --- | --- | --- |\n| 1 | 1 | a; b<br>- x<br>- y |\n\nframed"
    assert report.characters.left_out == {"hidden": 6}


NOTE = (
    '<text:note text:note-class="footnote"><text:note-citation>{0}</text:note-citation><text:note-body>'
    + p("{1}")
    + "</text:note-body></text:note>"
)


def test_notes_stand_after_their_paragraph_or_table(read) -> None:
    report = read(
        h("Title" + NOTE.format("1", "of the heading"))
        + p("Said" + NOTE.format("*", "below") + ".")
        + table(cell(p("a" + NOTE.format("2", "of the table"))) + cell(p("b")))
    )
    assert report.sections[0].heading == "Title"
    assert text(report).split("\n\n") == [
        "[^1]: of the heading",
        "Said[^2].",
        "[^2]: below",
        "| a[^3] | b |\n| --- | --- |",
        "[^3]: of the table",
    ]


REMARK = (
    '<office:annotation office:name="r1"><dc:creator>Anna Puig</dc:creator><dc:date>2024-01-02T00:00:00</dc:date>'
    + p("Who says so?")
    + "</office:annotation>"
)


def test_remarks_are_kept_beside_the_text(read) -> None:
    body = p("Before " + REMARK + "these words") + p("and<office:annotation-end office:name='r1'/> no more")
    (comment,) = read(body).comments
    assert (comment.author, comment.text, comment.about) == ("Anna Puig", "Who says so?", "these words\nand")
    report = read(body, Reports(keep=()))
    assert report.comments == () and report.characters.left_out == {"comment": 10}
    assert text(report) == "Before these words\n\nand no more"


CHANGED = (
    '<text:tracked-changes><text:changed-region xml:id="c1" text:id="c1"><text:deletion><office:change-info>'
    "<dc:creator>Anna</dc:creator><dc:date>2024-01-02T00:00:00</dc:date></office:change-info>"
    + p("old ")
    + "</text:deletion></text:changed-region></text:tracked-changes>"
)


def test_what_is_left_out_unless_it_is_kept(read) -> None:
    body = (
        CHANGED + "<text:table-of-content><text:table-of-content-source><text:index-title-template>Template"
        "</text:index-title-template></text:table-of-content-source><text:index-body><text:index-title>"
        + p("Contents")
        + "</text:index-title>"
        + p("Aims<text:tab/>1")
        + "</text:index-body></text:table-of-content>"
        + p('The <text:change text:change-id="c1"/>new <text:change-start text:change-id="c2"/>words')
        + p('seen <text:span text:style-name="Secret">unseen</text:span>')
        + p("not at all", "Unseen")
        + '<text:section text:display="none">'
        + p("switched off" + NOTE.format("1", "too"))
        + '</text:section><text:section text:display="condition" text:is-hidden="false">'
        + p("on")
        + "</text:section>"
        + p('<text:hidden-paragraph text:is-hidden="true"/>gone')
    )
    masters = f"<style:header>{p('Top')}</style:header><style:footer>{p('Page <text:page-number>1</text:page-number>')}"
    masters += (
        f"</style:footer><style:footer-left>{p('Page <text:page-number>1</text:page-number>')}</style:footer-left>"
    )
    report = read(body, masters=masters)
    assert text(report) == "The new words\n\nseen\n\non"
    assert report.characters.left_out == {
        "deleted": 3,
        "header or footer": 8,
        "hidden": 33,
        "repeated header or footer": 5,
        "table of contents": 13,
    }
    report = read(body, KEEP_ALL, masters=masters)
    assert text(report).split("\n\n") == [
        "Top",
        "Contents",
        "Aims\t1",
        "The old\nnew words",
        "seen unseen",
        "not at all",
        "switched off[^1]",
        "[^1]: too",
        "on",
        "gone",
        "Page 1",
    ]
    assert report.characters.left_out == {"repeated header or footer": 5}


FORMULA = (
    "<math:math><math:semantics><math:mrow><math:mi>x</math:mi><math:mo>=</math:mo><math:mfrac><math:mn>1</math:mn>"
    "<math:msup><math:mi>a</math:mi><math:mn>12</math:mn></math:msup></math:mfrac></math:mrow>"
    '<math:annotation math:encoding="StarMath 5.0">x = 1 over a^12</math:annotation></math:semantics></math:math>'
).replace("<math:math>", '<math:math xmlns:math="http://www.w3.org/1998/Math/MathML">')
OBJECT = (
    '<draw:frame><draw:object xlink:href="./Object {0}"/>'
    '<draw:image xlink:href="./ObjectReplacements/Object {0}"/></draw:frame>'
)


def test_frames_pictures_and_objects(read) -> None:
    box = f"<draw:frame><draw:text-box>{h('Boxed')}{p('twice seen, once read')}</draw:text-box></draw:frame>"
    picture = "<draw:frame><draw:image/><svg:title>River</svg:title><svg:desc>{}</svg:desc></draw:frame>"
    shape = f"<draw:g><draw:custom-shape>{p('In a shape')}</draw:custom-shape><draw:line/></draw:g>"
    chart = document(
        "content",
        "<office:body><office:chart><chart:chart><chart:title>"
        + p("Visits")
        + "</chart:title>"
        + table(
            cell(p("north"), ' office:value-type="string"') + cell(p("42"), ' office:value-type="float"'),
            cell(p("north"), ' office:value-type="string"'),
        )
        + "</chart:chart></office:chart></office:body>",
    )
    old = '<!DOCTYPE math:math PUBLIC "-//OpenOffice.org//DTD Modified W3C MathML 1.01//EN" "math.dtd">' + FORMULA
    report = read(
        p("See " + box + picture.format("A river") + picture.format("River") + shape)
        + p(f"With {OBJECT.format(1)} and {OBJECT.format(2)}")
        + p("Figure <text:sequence>1</text:sequence>: it", "Figure")
        + shape,
        parts={"Object 1/content.xml": old, "Object 2/content.xml": chart, "Object 3/content.xml": FORMULA},
    )
    assert [s.heading for s in report.sections] == [""]
    assert [(b.kind, b.text) for b in report.sections[0].blocks] == [
        ("paragraph", "See ![River: A river]![River]"),
        ("list_item", "1. Boxed"),
        ("paragraph", "twice seen, once read"),
        ("paragraph", "In a shape"),
        ("paragraph", "With x=1/(a^(12)) and"),
        ("paragraph", "Visits; north"),
        ("caption", "Figure 1: it"),
        ("paragraph", "In a shape"),
    ]
    assert report.characters.left_out == {
        "chart data": 2,
        "drawing without a reference": 6 + 11,
        "fallback copy": 5 + 11,
        "repeated chart label": 5,
    }


def test_inline(read) -> None:
    forms = (
        '<office:forms><form:form><form:checkbox xml:id="k1" form:label="Yes" form:current-state="checked"/>'
        '<form:text xml:id="k2" form:current-value="Vic"/><form:listbox xml:id="k3"><form:option form:label="a"/>'
        '<form:option form:label="b" form:current-selected="true"/></form:listbox></form:form></office:forms>'
    )
    report = read(
        forms
        + p(
            "a<text:s text:c='3'/>b<text:tab/>c<text:line-break/>d <text:soft-page-break/>\n   e"
            ' <text:a xlink:href="https://example.org/x">there</text:a> <text:a xlink:href="#here">here</text:a>'
            " <text:ruby><text:ruby-base>base</text:ruby-base><text:ruby-text>above</text:ruby-text></text:ruby>"
            ' <text:bookmark text:name="m"/><text:date>2 May</text:date>'
        )
        + p('<draw:control draw:control="k1"/>; <draw:control draw:control="k2"/>; <draw:control draw:control="k3"/>')
    )
    assert text(report) == "a b\tc\nd e [there](https://example.org/x) here base (above) 2 May\n\n☒ Yes; Vic; b"


def test_bold_lines_head_sections_where_no_heading_is(read) -> None:
    bold = '<text:span text:style-name="Bold">{}</text:span>'.format
    report = read(p(bold("Aims")) + p("One.") + p("Two.") + p(bold("Means")) + p("Three " + bold("four")) + p("Five."))
    assert [s.heading for s in report.sections] == ["Aims", "Means"]


def test_dates_and_title(read) -> None:
    meta = (
        "<dc:title>The bridge</dc:title><meta:creation-date>2023-05-06T07:08:09</meta:creation-date>"
        "<dc:date>2024-01-02T03:04:05.6</dc:date>"
    )
    report = read(p("Report on the bridge"), meta=meta)
    assert (report.title, report.created, report.modified) == ("The bridge", date(2023, 5, 6), date(2024, 1, 2))
    assert read(p("On a road") + h("Way") + p("x"), meta=meta.replace("2023-05-06", "long ago")).created is None


def test_what_is_refused(tmp_path: Path) -> None:
    def why(**parts: str) -> str:
        with pytest.raises(UserError) as caught:
            read_report(make_odt(tmp_path / "a.odt", p("x"), parts={k.replace("__", "/"): v for k, v in parts.items()}))
        return caught.value.what

    locked = document("manifest", "<manifest:file-entry><manifest:encryption-data/></manifest:file-entry>")
    assert why(**{"META-INF/manifest.xml": locked}) == "is encrypted"
    assert "DOCTYPE" in why(**{"content.xml": "<!DOCTYPE x><x/>"})
    assert "no text document" in why(**{"content.xml": document("content", "<office:body><office:x/></office:body>")})
    assert "damaged" in why(**{"content.xml": "<x>"})


@given(st.lists(st.integers(1, 4), min_size=1, max_size=30))
def test_numbers_count_as_a_person_would(tmp_path_factory, levels: list[int]) -> None:
    styles = "".join(
        f'<text:list-level-style-number text:level="{d}" style:num-format="1" text:display-levels="{d}"/>'
        for d in range(1, 5)
    )
    body = "".join(p(f"t{i}") if not i else "" for i in range(1))
    for index, depth in enumerate(levels):
        content = p(f"item {index}")
        for _ in range(depth - 1):
            content = items(content)
        body += items(content, more=' text:style-name="N" text:continue-numbering="true"')
    path = make_odt(
        tmp_path_factory.mktemp("odt") / "n.odt",
        body,
        automatic=f'<text:list-style style:name="N">{styles}</text:list-style>',
    )
    said = [block.text.split()[0] for block in read_report(path).sections[0].blocks if block.kind == "list_item"]
    counts, expected = [0] * 5, []
    for depth in levels:
        counts[depth] += 1
        counts[depth + 1 :] = [0] * (4 - depth)
        counts[1:depth] = [c or 1 for c in counts[1:depth]]
        expected.append(".".join(map(str, counts[1 : depth + 1])))
    assert said == expected


def test_mutated_files_give_a_report_or_a_reason(tmp_path: Path) -> None:
    whole = make_odt(
        tmp_path / "whole.odt",
        CHANGED + h("Aims" + NOTE.format("1", "n")) + items(p("a" + REMARK)) + table(cell(p("x")) + cell(p("y"))),
    )
    with zipfile.ZipFile(whole) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    dice = random.Random(3)
    for _ in range(150):
        name = dice.choice(["content.xml", "styles.xml", "meta.xml"])
        data = bytearray(files[name])
        for _ in range(dice.randint(1, 4)):
            at = dice.randrange(len(data))
            data[at : at + dice.randrange(9)] = data[at : at + dice.randrange(9)]
        path = tmp_path / "mutant.odt"
        with zipfile.ZipFile(path, "w") as archive:
            for other, content in files.items():
                archive.writestr(other, bytes(data) if other == name else content)
        try:
            assert isinstance(read_report(path), Report)
        except UserError as error:
            assert "\n" not in error.line


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("soffice") is None, reason="LibreOffice is not installed")
def test_says_what_the_word_file_says_that_it_was_made_from(tmp_path: Path) -> None:
    from data.sample.writing import write_samples

    write_samples(tmp_path, lambda *_: None)
    sources = sorted(tmp_path.glob("*-2024.docx"))[:4]
    subprocess.run(
        ["soffice", f"-env:UserInstallation=file://{tmp_path}/profile", "--headless", "--convert-to", "odt"]
        + ["--outdir", str(tmp_path), *map(str, sources)],
        check=True,
        capture_output=True,
        timeout=240,
    )
    for source in sources:
        word, odt = read_report(source), read_report(source.with_suffix(".odt"))
        assert [(s.level, s.number, s.heading, s.text) for s in odt.sections] == [
            (s.level, s.number, s.heading, s.text) for s in word.sections
        ]
        assert (odt.title, odt.language, odt.characters.unaccounted) == (word.title, word.language, 0)
