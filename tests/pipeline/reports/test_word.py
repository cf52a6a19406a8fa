"""Every kind of text that a .docx can hold: read in its place, or left out for a reason."""

import zipfile

import pytest

from pipeline.reports import read_report
from tests.pipeline.reports.report_files import Craft


def text_of(path):
    report = read_report(path)
    assert report.characters.unaccounted == 0
    assert not any("accounted" in warning for warning in report.warnings)
    return report.sections[-1].text, report.characters.left_out


def box(content):
    return (
        "<w:p><w:r><mc:AlternateContent>"
        f'<mc:Choice Requires="wps"><w:drawing><wps:txbx><w:txbxContent>{content}</w:txbxContent></wps:txbx>'
        "</w:drawing></mc:Choice>"
        f"<mc:Fallback><w:pict><v:textbox><w:txbxContent>{content}</w:txbxContent></v:textbox></w:pict></mc:Fallback>"
        "</mc:AlternateContent></w:r></w:p>"
    )


def inline_cases(c):
    run, deleted = c.run, '<w:del w:id="1"><w:r><w:delText>deleted</w:delText></w:r></w:del>'
    form = '<w:r><w:fldChar w:fldCharType="begin"><w:ffData>{}</w:ffData></w:fldChar></w:r>'.format
    check = form("<w:checkBox><w:checked/></w:checkBox>")
    choice = form('<w:ddList><w:result w:val="1"/><w:listEntry w:val="no"/><w:listEntry w:val="yes"/></w:ddList>')
    end = '<w:r><w:fldChar w:fldCharType="end"/></w:r>'
    power = "<m:sSup><m:e>{}</m:e><m:sup>{}</m:sup></m:sSup>".format
    leaf = "<m:r><m:t>{}</m:t></m:r>".format
    fraction = f"<m:f><m:num>{leaf('ab')}</m:num><m:den>{leaf('c')}</m:den></m:f>"
    picture = '<w:r><w:drawing><wp:inline><wp:docPr id="1" name="x" descr="A bridge"/></wp:inline></w:drawing></w:r>'
    return {
        "split runs": (run("sp") + run("lit", "<w:i/>"), "split", {}),
        "tab and break": ("<w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t></w:r>", "a\tb\nc", {}),
        "hyphens": (
            "<w:r><w:t>co</w:t><w:softHyphen/><w:t>op</w:t><w:noBreakHyphen/><w:t>1\u00a0234</w:t></w:r>",
            "coop-1 234",
            {},
        ),
        "insertion": (f'<w:ins w:id="1">{run("new")}</w:ins>', "new", {}),
        "deletion": (run("kept") + deleted, "kept", {"deleted": 7}),
        "moves": (
            f'<w:moveTo w:id="1">{run("here")}</w:moveTo><w:moveFrom w:id="2">{run("there")}</w:moveFrom>',
            "here",
            {"moved away": 5},
        ),
        "hidden run": (run("seen") + run("unseen", "<w:vanish/>"), "seen", {"hidden": 6}),
        "hidden by style": (run("seen") + run("unseen", '<w:rStyle w:val="Hid"/>'), "seen", {"hidden": 6}),
        "hidden no more": (run("seen", '<w:rStyle w:val="Hid"/><w:vanish w:val="0"/>'), "seen", {}),
        "content control": (
            f"<w:sdt><w:sdtPr/><w:sdtContent>{run('control')}</w:sdtContent></w:sdt>",
            "control",
            {},
        ),
        "smart tag": (f'<w:smartTag w:element="x">{run("smart")}</w:smartTag>', "smart", {}),
        "link": (
            f'<w:hyperlink r:id="web">{run("our site")}</w:hyperlink>',
            "[our site](https://example.org/a)",
            {},
        ),
        "link to itself": (
            f'<w:hyperlink r:id="web">{run("example.org/a")}</w:hyperlink>',
            "example.org/a",
            {},
        ),
        "link inside": (f'<w:hyperlink w:anchor="x">{run("see 2")}</w:hyperlink>', "see 2", {}),
        "field": (c.field(" REF x ", run("result")), "result", {"field code": 4}),
        "link field": (
            c.field(' HYPERLINK "https://example.org/b" ', run("there")),
            "[there](https://example.org/b)",
            {"field code": 32},
        ),
        "simple field": (f'<w:fldSimple w:instr=" PAGE ">{run("7")}</w:fldSimple>', "7", {}),
        "field without end": (f'<w:r><w:fldChar w:fldCharType="begin"/></w:r>{run("text")}', "text", {}),
        "field without end around another": (
            '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>TOC</w:instrText></w:r>'
            + c.field(" REF ", run("a"))
            + run("b"),
            "ab",
            {"field code": 6},
        ),
        "check box": (check + run("agreed", "") + end, "☒", {"field code": 6}),
        "choice": (choice + end + run("!"), "yes!", {}),
        "symbol": ('<w:r><w:sym w:font="Wingdings" w:char="F0FC"/></w:r>' + run(" done"), "✓ done", {}),
        "power": (run("E = m") + f"<m:oMath>{power(leaf('c'), leaf('2'))}</m:oMath>", "E = mc^2", {}),
        "fraction": (f"<m:oMathPara><m:oMath>{fraction}</m:oMath></m:oMathPara>", "(ab)/c", {}),
        "alt text": (picture + run(" by night"), "![A bridge] by night", {}),
        "word art": ('<w:r><w:pict><v:textpath string="ART"/></w:pict></w:r>' + run(" x"), "ART x", {}),
        "comment mark": (run("a") + '<w:r><w:commentReference w:id="0"/></w:r>' + run("b"), "ab", {}),
    }


@pytest.mark.parametrize("kind", inline_cases(Craft))
def test_inline(craft, kind):
    raw, expected, left_out = inline_cases(Craft)[kind]
    path = craft.docx(craft.p(raw=raw), relations={"web": ("hyperlink", "https://example.org/a")})
    assert text_of(path) == (expected, left_out)


def test_headings_by_style_and_by_paragraph(craft):
    body = "".join(
        [
            craft.p("The report", "Title"),
            craft.p("before"),
            craft.p("One", "Heading1"),
            craft.p("Dos", "Ttol1"),
            craft.p("Own", "Own"),
            craft.p("Three", "Heading3"),
            craft.p("Direct", properties='<w:outlineLvl w:val="3"/>'),
            craft.p("Not one", "Heading1", properties='<w:outlineLvl w:val="9"/>'),
            craft.p("A clause. " * 30, "Heading2"),
        ]
    )
    report = read_report(craft.docx(body))
    assert report.title == "The report"
    assert [(s.level, s.heading) for s in report.sections] == [
        (1, "The report"),
        (1, "One"),
        (1, "Dos"),
        (2, "Own"),
        (3, "Three"),
        (4, "Direct"),
    ]
    assert report.sections[-1].path == ("Dos", "Own", "Three", "Direct")
    assert report.sections[-1].text.startswith("Not one\n\nA clause.")
    assert [s.position for s in report.sections] == list(range(6))
    assert {s.document for s in report.sections} == {report.source_sha256}


def test_no_heading_in_a_table_or_a_text_box(craft):
    heading = craft.p("Cell", properties='<w:outlineLvl w:val="0"/>')
    body = (
        craft.p("Real", "Heading1")
        + craft.table(craft.cell(heading) + craft.cell(craft.p("b")))
        + box(craft.p("Box", "Heading1"))
    )
    report = read_report(craft.docx(body))
    assert [s.heading for s in report.sections] == ["Real"]
    assert report.sections[0].text == "| Cell | b |\n| --- | --- |\n\nBox"


def test_numbers_of_headings_and_lists(craft):
    n = craft.number
    body = "".join(
        [
            craft.p("Aims", "Heading1", properties=n(2)),
            craft.p("Reach", "Heading2", properties=n(2, 1)),
            craft.p("Means", "Heading1", properties=n(2)),
            craft.p("Staff", "Heading2", properties=n(2, 1)),
            craft.p("first", properties=n(2, 2)),
            craft.p("second", properties=n(2, 2)),
            craft.p("dot", "ListBullet"),
            craft.p("deeper", properties=n(1, 1)),
            craft.p("3.4 Typed", "Heading2"),
            craft.p("2024 results", "Heading2"),
        ]
    )
    report = read_report(craft.docx(body))
    assert [s.title for s in report.sections] == [
        "1 Aims",
        "1.1 Reach",
        "2 Means",
        "2.1 Staff",
        "3.4 Typed",
        "2024 results",
    ]
    assert report.sections[4].number == "3.4" and report.sections[5].number is None
    # The list starts two levels deep in its definition, but at the margin in Markdown.
    assert report.sections[3].text == "a) first\nb) second\n- dot\n  - deeper"


def test_table_merged_nested_and_controlled(craft):
    c, p = craft.cell, craft.p
    nested = craft.table(c(p("n1")) + c(p("n2")))
    body = craft.table(
        c(p("wide"), '<w:gridSpan w:val="2"/>') + c(p("a|b")),
        c(p("tall"), '<w:vMerge w:val="restart"/>') + c(p("x")) + c(nested + p("after")),
        c(p(), "<w:vMerge/>") + c(p("y") + p("z")) + f"<w:sdt><w:sdtContent>{c(p('control'))}</w:sdtContent></w:sdt>",
    )
    deleted = "<w:trPr><w:del w:id='1'/></w:trPr>" + c(p("gone"))
    body = body.replace("</w:tbl>", f"<w:tr>{deleted}</w:tr></w:tbl>", 2).replace(
        f"<w:tr>{deleted}</w:tr></w:tbl>", "</w:tbl>", 1
    )
    text, left_out = text_of(craft.docx(body))
    assert text.split("\n") == [
        "| wide |  | a\\|b |",
        "| --- | --- | --- |",
        "| tall | x | n1; n2<br>after |",
        "|  | y<br>z | control |",
    ]
    assert left_out == {"deleted": 4}


def test_a_table_of_one_cell_is_a_frame(craft):
    body = craft.p("Aims", "Heading1") + craft.table(craft.cell(craft.p("one", "Heading1") + craft.p("two")))
    assert text_of(craft.docx(body))[0] == "one\n\ntwo"


def test_notes_follow_their_paragraph(craft):
    note = (
        '<w:{0} w:type="separator" w:id="0"><w:p/></w:{0}><w:{0} w:id="2">{1}</w:{0}><w:{0} w:id="3">{2}</w:{0}>'.format
    )
    body = craft.p(
        raw=craft.run("Ouch")
        + '<w:r><w:footnoteReference w:id="2"/></w:r>'
        + craft.run(" end")
        + '<w:r><w:endnoteReference w:id="2"/></w:r>'
    ) + craft.p("next")
    path = craft.docx(
        body,
        relations={"f": ("footnotes", "footnotes.xml"), "e": ("endnotes", "endnotes.xml")},
        parts={
            "word/footnotes.xml": craft.part("footnotes", note("footnote", craft.p("foot"), craft.p("orphan"))),
            "word/endnotes.xml": craft.part(
                "endnotes", note("endnote", craft.p("tail") + craft.p("more"), craft.p(""))
            ),
        },
    )
    text, left_out = text_of(path)
    assert text == "Ouch[^1] end[^i]\n\n[^1]: foot\n\n[^i]: tail\nmore\n\nnext"
    assert left_out == {"note without a reference": 6}
    assert [b.kind for b in read_report(path).sections[0].blocks] == [
        "paragraph",
        "note",
        "note",
        "paragraph",
    ]


def test_a_note_that_is_called_twice_stands_once(craft):
    call = '<w:r><w:footnoteReference w:id="2"/></w:r>'
    note = craft.part("footnotes", f'<w:footnote w:id="2">{craft.p("foot")}</w:footnote>')
    path = craft.docx(
        craft.p("a", raw=call) + craft.p("b", raw=call) + craft.p("Aims", "Heading1", raw=call),
        relations={"f": ("footnotes", "footnotes.xml")},
        parts={"word/footnotes.xml": note},
    )
    report = read_report(path)
    assert [(s.heading, s.text) for s in report.sections] == [("", "a[^1]\n\n[^1]: foot\n\nb[^1]"), ("Aims", "")]


def test_text_box_once(craft):
    assert text_of(craft.docx(box(craft.p("boxed")))) == ("boxed", {"fallback copy": 5})


def test_blocks_in_controls_insertions_and_custom_xml(craft):
    p = craft.p
    body = (
        f"<w:sdt><w:sdtContent>{p('a')}</w:sdtContent></w:sdt>"
        f'<w:customXml w:element="x">{p("b")}</w:customXml><w:ins w:id="1">{p("c")}</w:ins>'
        f'<w:moveFrom w:id="2">{p("d")}</w:moveFrom>{p("e", "Caption")}'
    )
    path = craft.docx(body)
    assert text_of(path) == ("a\n\nb\n\nc\n\ne", {"moved away": 1})
    assert read_report(path).sections[0].blocks[-1].kind == "caption"


def test_table_of_contents_is_left_out_and_counted(craft):
    mark = '<w:r><w:fldChar w:fldCharType="{}"/></w:r>'.format
    code = "<w:r><w:instrText>TOC</w:instrText></w:r>"
    by_field = craft.p(raw=mark("begin") + code + mark("separate") + craft.run("Aims 3")) + craft.p(
        "Means 4", raw=mark("end")
    )
    gallery = '<w:sdtPr><w:docPartObj><w:docPartGallery w:val="Table of Contents"/></w:docPartObj></w:sdtPr>'
    entries = craft.p("Contents") + craft.p("Aims 3", "TOC1")
    by_control = f"<w:sdt>{gallery}<w:sdtContent>{entries}</w:sdtContent></w:sdt>"
    by_style = craft.p("Index", "TOCHeading") + craft.p("Aims 3", "TOC1")
    for contents, count in ((by_field, 11), (by_control, 13), (by_style, 10)):
        text, left_out = text_of(craft.docx(contents + craft.p("body")))
        assert text == "body"
        assert left_out["table of contents"] == count
    chapter = craft.p("Aims 3", "TOC1") + craft.p("Aims", "Heading1") + craft.p("all")
    chapters = f"<w:sdt>{gallery}<w:sdtContent>{chapter}</w:sdtContent></w:sdt>"
    assert text_of(craft.docx(chapters)) == ("all", {"table of contents": 5})


def test_other_parts_are_counted(craft):
    path = craft.docx(
        craft.p("body"),
        parts={
            "word/header1.xml": craft.part("hdr", craft.p("head")),
            "word/footer1.xml": craft.part("ftr", craft.p("foot!")),
            "word/comments.xml": craft.part("comments", f'<w:comment w:id="0">{craft.p("why?")}</w:comment>'),
            "word/strange.xml": craft.part("strange", craft.p("unknown")),
        },
    )
    characters = read_report(path).characters
    assert characters.left_out == {"comment": 4, "header or footer": 9}
    assert (characters.visible, characters.read, characters.unaccounted) == (24, 4, 7)
    assert any("word/strange.xml" in warning for warning in read_report(path).warnings)


def test_chart_and_diagram(craft):
    ns = craft.namespaces
    values = "<c:strCache><c:pt><c:v>2023</c:v></c:pt><c:pt><c:v>2024</c:v></c:pt></c:strCache>"
    chart = f"<c:chartSpace {ns}><a:t>Budget</a:t>{values}{values}<c:numCache><c:v>5</c:v></c:numCache></c:chartSpace>"
    diagram = f"<dgm:dataModel {ns}><a:t>Plan</a:t><a:t>Do</a:t></dgm:dataModel>"
    body = craft.p("see", raw='<w:r><w:drawing><c:chart r:id="c"/></w:drawing></w:r>')
    body += craft.p(raw='<w:r><w:drawing><dgm:relIds r:dm="d"/></w:drawing></w:r>')
    path = craft.docx(
        body,
        relations={"c": ("chart", "charts/chart1.xml"), "d": ("diagramData", "diagrams/data1.xml")},
        parts={"word/charts/chart1.xml": chart, "word/diagrams/data1.xml": diagram},
    )
    assert text_of(path) == (
        "see\n\nBudget; 2023; 2024\n\nPlan; Do",
        {"repeated chart label": 8, "chart data": 1},
    )


def test_bold_lines_head_a_text_without_headings(craft):
    bold = lambda text: craft.p(raw=craft.run(text, "<w:b/>"))  # noqa: E731
    prose = craft.p("It went well, and here is how it went, at some length.")
    body = bold("Final report") + bold("The bridge") + prose + bold("2. Methods") + prose + bold("2.1 Staff") + prose
    body += bold("Note: this is a sentence.") + prose + prose + craft.table(craft.cell(bold("Cell")) * 2)
    report = read_report(craft.docx(body))
    assert [(s.level, s.title) for s in report.sections] == [
        (1, ""),
        (1, "The bridge"),
        (1, "2 Methods"),
        (2, "2.1 Staff"),
    ]


def test_strict_names(craft):
    path = craft.docx(craft.p("Aims", "Heading1") + craft.p("strict"))
    with zipfile.ZipFile(path) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in files.items():
            usual = b"http://schemas.openxmlformats.org/wordprocessingml/2006/main"
            archive.writestr(name, data.replace(usual, b"http://purl.oclc.org/ooxml/wordprocessingml/main"))
    report = read_report(path)
    assert [(s.heading, s.text) for s in report.sections] == [("Aims", "strict")]


def test_core_title_only_if_the_text_says_it(craft):
    core = (
        '<cp:coreProperties xmlns:cp="x" xmlns:dc="http://purl.org/dc/elements/1.1/">'
        "<dc:title>The Bridge</dc:title></cp:coreProperties>"
    )
    said = craft.docx(craft.p("THE BRIDGE") + craft.p("x"), parts={"docProps/core.xml": core})
    unsaid = craft.docx(craft.p("The tunnel"), name="tunnel.docx", parts={"docProps/core.xml": core})
    assert (read_report(said).title, read_report(unsaid).title) == ("The Bridge", "tunnel")
