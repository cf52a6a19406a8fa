"""HTML: what a browser would show, in its place and accounted for; pages that Word has saved."""

from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.records import Report
from pipeline.reports import read_report
from pipeline.reports.html import read_markup
from pipeline.settings import Reports
from tests.pipeline.reports.told import outline, text

KEEP_ALL = Reports(keep=("comments", "deletions", "hidden", "contents", "headers"))


@pytest.fixture
def read(tmp_path: Path):
    def read(page: str | bytes, settings: Reports | None = None) -> Report:
        path = tmp_path / "a.html"
        path.write_bytes(page if isinstance(page, bytes) else page.encode())
        report = read_report(path, settings)
        assert report.characters.unaccounted == 0, report.characters
        return report

    return read


PAGE = """<!doctype html><html><head><title>The bridge</title><style>p {color: red}</style></head><body>
<nav>Home About</nav><h1>Aims</h1>loose text<p>We <b>build</b>
<a href="https://example.org/x">a bridge</a>.<br>Soon.</p>
<ul><li>wood<ol><li>oak</li><li>pine</li></ol></li><li><p>iron</p></li></ul>
<!-- a comment --><script>alert(1)</script><p hidden>unseen</p><p style="display: none">gone</p>
<h2>Money</h2><table><caption>Budget</caption><thead><tr><th colspan="2">Year</th><th>Sum</th></tr></thead>
<tr><td>2023</td><td><h3>now</h3></td><td><ul><li>1</li><li>2</li></ul></td></tr></table>
<pre>a
  b</pre><img alt="A river" src="http://example.org/r.png"></body></html>"""


def test_a_whole_page(read) -> None:
    report = read(PAGE)
    assert report.title == "The bridge"
    assert [(s.level, s.title) for s in report.sections] == [(1, "Aims"), (2, "Money")]
    assert report.sections[0].text == (
        "loose text\n\nWe build [a bridge](https://example.org/x).\nSoon.\n\n- wood\n  1. oak\n  2. pine\n- iron"
    )
    assert report.sections[1].text == (
        "Budget\n\n| Year |  | Sum |\n| --- | --- | --- |\n| 2023 | now | - 1<br>- 2 |\n\na\nb\n\n![A river]"
    )
    assert report.characters.left_out == {"hidden": 10, "navigation": 9}


def test_headings(read) -> None:
    report = read(
        '<h1>A<a href="#fn1">1</a></h1><div role="heading" aria-level="3">B <b>bold</b></div>'
        '<table><tr><td><h2>cell</h2></td><td>b</td></tr></table><table role="presentation"><tr><td><h2>C</h2></td>'
        "<td>x</td></tr></table><table><tr><td><h2>D</h2>framed</td></tr></table>"
    )
    assert outline(report) == [(1, "A1"), (2, "B bold"), (2, "C"), (2, "D")] or outline(report) == [
        (1, "A"),
        (2, "B bold"),
        (2, "C"),
        (2, "D"),
    ]
    assert [s.text for s in report.sections[1:]] == ["| cell | b |\n| --- | --- |", "x", "framed"]


def test_bold_lines_head_sections_where_no_heading_is(read) -> None:
    report = read(
        "<p><b>Aims</b></p><p>One.</p><p>Two.</p><p style='font-weight:700'>Means</p><p>Three.</p><p>a <b>b</b></p>"
    )
    assert [s.heading for s in report.sections] == ["Aims", "Means"]


def test_lists(read) -> None:
    report = read(
        '<ol start=3><li>c<ol type=a><li>x<li value=5>y</ol><li>d</ol><ol reversed type="I"><li>two<li>one</ol>'
        "<ul><li><p>first</p><p>more</p></li></ul><dl><dt>Term<dd>meaning<dd><p>another</p></dl>"
        '<ul class="lst-kix_abc-0"><li>top</ul><ul class="lst-kix_abc-1"><li>deep</ul><p>end</p><li>stray'
    )
    assert text(report) == (
        "3. c\n  a. x\n  e. y\n4. d\nII. two\nI. one\n- first\n  more\n- Term\n  meaning\n  another\n"
        "- top\n  - deep\n\nend\n\n- stray"
    )


def test_tables_keep_their_columns(read) -> None:
    report = read(
        "<table><caption>Costs</caption>loose<tfoot><tr><td colspan=3>sum</td></tr></tfoot>"
        "<tr><td rowspan=2>2023</td><td colspan=2>a|b</td></tr><tr><td>c</td><td>d<table><tr><td>i<td>j</table>"
        "</td></tr>"
        "<tr hidden><td>folded</td></tr><thead><tr><th>Year<th>One<th>Two</tr></thead></table>"
    )
    assert [(b.kind, b.text) for b in report.sections[0].blocks] == [
        ("caption", "Costs"),
        ("paragraph", "loose"),
        (
            "table",
            "| Year | One | Two |\n| --- | --- | --- |\n| 2023 | a\\|b |  |\n|  | c | d<br>i; j |\n| sum |  |  |",
        ),
    ]
    assert report.characters.left_out == {"hidden": 6}


def test_controls_show_what_is_filled_in(read) -> None:
    report = read(
        '<form><label>Name <input value="Vic"></label><input type=hidden value=token><input type=password value=x><br>'
        '<input type=checkbox checked>yes <input type="radio">no<br><select><option>a<option selected>b</select>'
        "<select><option>first<option>second</select><select multiple><option selected>m<option selected>n</select>"
        "<textarea>two\nlines</textarea><button>Send</button></form><details><summary>More</summary>inside</details>"
    )
    assert text(report) == "Name Vic\n☒ yes ☐ no\nbfirstm, ntwo\nlinesSend\n\nMore\n\ninside"
    assert report.characters.left_out == {"option not chosen": 7}


def test_inline(read) -> None:
    report = read(
        "<p>x<sup>2</sup> H<sub>2</sub>O 1<sup>st</sup> m<sup>-1</sup> nº<sup>a</sup> <q>said</q> a<wbr>b "
        "<ruby>base<rt>above</rt></ruby> <ruby>b<rp>(</rp><rt>r</rt><rp>)</rp></ruby> <a href='#x'>in</a> "
        "<a href='http://a.org'>out</a> <img alt='A river'> <s>struck</s> <ins>new</ins><del>old</del></p>"
        "<p>So <math display=block><mfrac><mi>a</mi><mn>12</mn></mfrac><mo>=</mo><msqrt><mi>b</mi></msqrt>"
        "<annotation encoding=tex>a/12</annotation></math></p>"
    )
    assert text(report) == (
        "x^2 H_2O 1st m^(-1) nºa “said” ab base (above) b(r) in [out](http://a.org) ![A river] struck new\n\n"
        "So\na/(12)=√b"
    )
    assert report.characters.left_out == {"deleted": 3, "fallback copy": 4}
    assert "newold" in text(read("<p>new<del>old</del></p>", KEEP_ALL))


def test_notes(read) -> None:
    report = read(
        '<h1>T<sup><a href="#ftnt1">[1]</a></sup></h1><p>said<a href="#_ftn2" name="_ftnref2">[2]</a> and'
        '<a href="#fn3"><sup>3</sup></a></p><div><p><a href="#ftnt_ref1">[1]</a> one</p></div>'
        '<p class=MsoFootnoteText><a href="#_ftnref2">[2]</a>&nbsp;two <i>more</i></p>'
        '<ol start=3><li id="fn3"><p>three <a href="#fnref3">↩︎</a></p></li></ol>'
    )
    assert outline(report) == [(1, "T")]
    assert [(b.kind, b.text) for b in report.sections[0].blocks] == [
        ("paragraph", "said[^2] and[^3]"),
        ("note", "[^1]: one"),
        ("note", "[^2]: two more"),
        ("note", "[^3]: three"),
    ]


def test_what_is_left_out_unless_it_is_kept(read) -> None:
    page = (
        "<nav>Home</nav><div id=toc>Our aims</div><p hidden>one</p><p style='visibility: hidden'>two</p>"
        "<noscript>three</noscript><template><p>four</p></template><iframe>five</iframe><p aria-hidden=true>seen</p>"
    )
    report = read(page)
    assert text(report) == "seen"
    assert report.characters.left_out == {
        "fallback copy": 4,
        "hidden": 6,
        "navigation": 4,
        "only without scripts": 5,
        "table of contents": 7,
    }
    assert text(read(page, KEEP_ALL)).split("\n\n") == ["Our aims", "one", "two", "seen"]


def test_dates_and_title(read) -> None:
    head = (
        '<head><title>The\n bridge</title><meta name="{}" content="{}"><meta http-equiv="last-modified" content="{}">'
    )
    report = read(
        head.format("DCTERMS.created", "2023-05-06T07:08", "Tue, 02 Jan 2024 03:04:05 GMT") + "</head><p>x<svg>"
        "<title>drawn</title></svg></p>"
    )
    assert (report.title, report.created, report.modified) == ("The bridge", date(2023, 5, 6), date(2024, 1, 2))
    published = read('<meta property="article:published_time" content="2022-01-31"><p>x').created
    assert published == date(2022, 1, 31) and read(head.format("date", "soon", "")[6:] + "<p>x").created is None


@pytest.mark.parametrize(
    "page",
    [
        "\ufeff<p>Més cooperació</p>".encode(),
        "<p>Més cooperació</p>".encode("utf-16"),
        '<meta charset="iso-8859-1"><p>Més “cooperació”</p>'.encode("cp1252"),
        '<?xml version="1.0" encoding="iso-8859-15"?><p>Més cooperació €</p>'.encode("iso-8859-15"),
        "<p>Més cooperació</p>".encode(),
    ],
)
def test_encodings(read, page: bytes) -> None:
    said = text(read(page))
    assert said.replace("“", "").replace("”", "").replace(" €", "") == "Més cooperació"
    assert ("“" in said) == (b"\x93" in page) and ("€" in said) == (b"\xa4" in page)


SAVED_BY_WORD = """<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><title>Old name</title>
<!--[if gte mso 9]><xml><o:DocumentProperties><o:Created>2019-03-04T10:00:00Z</o:Created>
<o:LastSaved>2020-01-02T10:00:00Z</o:LastSaved>
</o:DocumentProperties></xml><![endif]--></head><body><div class=WordSection1>
<p class=MsoTitle>Memòria<o:p></o:p></p><p class=MsoToc1>1 Objectius 3</p>
<p class=MsoNormal style='mso-outline-level:1'><![if !supportLists]><span style='mso-list:Ignore'>1.<span>&nbsp;
</span></span><![endif]>Objectius</p>
<p class=MsoListParagraph style='mso-list:l0 level1 lfo1'><![if !supportLists]><span style='font-family:Symbol'><span
style='mso-list:Ignore'>·<span>&nbsp;</span></span></span><![endif]>punt</p>
<p class=MsoListParagraph style='mso-list:l0 level2 lfo1'><span style='mso-list:Ignore'>b)<span>&nbsp;</span></span>
lletra <span style='mso-hide:all'>amagat</span></p>
<!--[if gte vml 1]><v:shape>vml</v:shape><![endif]--><![if !vml]><img alt="Un riu"><![endif]>
<p class=MsoCaption>Figura 1: el riu</p><p class=MsoHeading7>Petit</p><p>Dit<a class=msocomanchor href="#_msocom_1"></a>
<span class=MsoCommentReference>[AP1]</span>.</p>
<div style='mso-element:footnote-list'><div style='mso-element:footnote' id=ftn1><p class=MsoFootnoteText>
<a href="#_ftnref1" name="_ftn1"><span class=MsoFootnoteReference>[1]</span></a> Una nota.</p></div></div>
<div style='mso-element:comment-list'><div style='mso-element:comment'><p class=MsoCommentText>Segur?</p></div></div>
<div style='mso-element:header'><p class=MsoHeader>Capçalera</p></div></div></body></html>"""


def test_a_page_that_word_has_saved(read) -> None:
    report = read(SAVED_BY_WORD)
    assert (report.title, report.created, report.modified) == ("Memòria", date(2019, 3, 4), date(2020, 1, 2))
    assert outline(report) == [(1, "1 Objectius"), (2, "Petit")]
    assert [(b.kind, b.text) for b in report.sections[0].blocks] == [
        ("list_item", "- punt"),
        ("list_item", "  b) lletra"),
        ("paragraph", "![Un riu]"),
        ("caption", "Figura 1: el riu"),
    ]
    assert report.sections[1].text == "Dit .\n\n[^1]: Una nota."
    assert [comment.text for comment in report.comments] == ["Segur?"]
    assert report.characters.left_out == {
        "comment": 5,
        "header or footer": 9,
        "hidden": 6,
        "page head": 7,
        "table of contents": 11,
    }


def test_nested_without_end_loses_nothing(read) -> None:
    report = read("<p>first</p>" + "<div><i>" * 3000 + "deep<p>deeper</p>" + "</i></div>" * 3000 + "<p>last</p>")
    assert text(report).split("\n\n") == ["first", "deep", "deeper", "last"]


NAMES = st.sampled_from(["p", "div", "b", "ul", "li", "table", "tr", "td", "h2", "a", "sup", "dl", "dt", "select", "q"])
MARKUP = st.recursive(
    st.sampled_from(["pont", "riu ", " mà", "42"]),
    lambda inner: st.one_of(
        st.tuples(NAMES, inner).map(lambda pair: f"<{pair[0]}>{pair[1]}</{pair[0]}>"),
        st.tuples(NAMES, inner).map(lambda pair: f"<{pair[0]}>{pair[1]}"),
        st.lists(inner, min_size=1, max_size=4).map("".join),
    ),
    max_leaves=15,
)


@given(MARKUP)
def test_no_character_is_lost(markup: str) -> None:
    reading = read_markup(markup)
    read = sum(event.characters for event in reading.events) + reading.title_characters
    assert reading.tally.visible == read + sum(reading.tally.left_out.values())
    said = "".join(event.text for event in reading.events)
    for word in ("pont", "riu", "mà", "42"):
        assert said.count(word) <= markup.count(word)
        assert said.count(word) + reading.tally.left_out["option not chosen"] >= min(1, markup.count(word))
