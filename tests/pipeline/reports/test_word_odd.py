"""What Word files hold that nobody plans: each is read as Word shows it."""

import zipfile
from pathlib import Path

import pytest

from pipeline.errors import UserError
from pipeline.records import Report
from pipeline.reports import read_report
from tests.pipeline.reports.report_files import Craft

PROSE = "The project worked with twelve municipalities, and trained sixty people over the year."


def read(path: Path) -> Report:
    report = read_report(path)
    assert report.characters.unaccounted == 0
    return report


def outline(report: Report) -> list[tuple[int, str | None, str]]:
    return [(section.level, section.number, section.heading) for section in report.sections]


def field(code: str) -> str:
    """A field that never got a result."""
    mark = '<w:r><w:fldChar w:fldCharType="{}"/></w:r>'.format
    return f'{mark("begin")}<w:r><w:instrText xml:space="preserve">{code}</w:instrText></w:r>{mark("end")}'


def with_comments(craft: Craft, body: str, *comments: str) -> Path:
    inside = "".join(
        f'<w:comment w:id="{i}" w:author="Ann">{craft.p(text)}</w:comment>' for i, text in enumerate(comments)
    )
    return craft.docx(
        body,
        relations={"c": ("comments", "comments.xml")},
        parts={"word/comments.xml": craft.part("comments", inside)},
    )


def test_chapters_in_the_style_of_the_title(craft: Craft) -> None:
    chapters = ("Introduction", "Methods", "Results")
    report = read(craft.docx("".join(craft.p(chapter, "Title") + craft.p(PROSE) for chapter in chapters)))
    assert report.title == "Introduction"
    assert [section.heading for section in report.sections] == list(chapters)


def test_a_title_in_two_paragraphs(craft: Craft) -> None:
    report = read(craft.docx(craft.p("Water", "Title") + craft.p("in the hills", "Title") + craft.p(PROSE)))
    assert report.title == "Water in the hills"


@pytest.mark.parametrize("code", [' TOC \\o "1-3" ', "TOC\\o", " toc \\h ", " INDEX "])
def test_a_table_of_contents_whose_end_stands_behind_the_chapters(craft: Craft, code: str) -> None:
    mark = '<w:r><w:fldChar w:fldCharType="{}"/></w:r>'.format
    begin = mark("begin") + f"<w:r><w:instrText>{code}</w:instrText></w:r>" + mark("separate")
    body = (
        craft.p(raw=begin + craft.run("Aims 3")) + craft.p("Aims", "Heading1") + craft.p(PROSE + " ", raw=mark("end"))
    )
    report = read(craft.docx(body))
    assert [(section.heading, section.text) for section in report.sections] == [("Aims", PROSE)]
    assert report.characters.left_out["table of contents"] == 5


def test_a_simple_field_of_contents(craft: Craft) -> None:
    body = craft.p(raw=f'<w:fldSimple w:instr=" TOC ">{craft.run("Aims 3")}</w:fldSimple>') + craft.p(PROSE)
    assert read(craft.docx(body)).characters.left_out == {"table of contents": 5}


@pytest.mark.parametrize(
    ("code", "shown"),
    [
        (" MACROBUTTON NoMacro [Name of the entity] ", "[Name of the entity]"),
        (" SYMBOL 8364 ", "€"),
        (' SYMBOL 252 \\f "Wingdings" ', "✓"),
        (" REF nowhere ", ""),
    ],
)
def test_fields_that_print_without_a_result(craft: Craft, code: str, shown: str) -> None:
    assert read(craft.docx(craft.p("It: ", raw=field(code)))).sections[0].text == f"It: {shown}".strip()


def test_a_comment_is_about_its_range_and_nothing_else(craft: Craft) -> None:
    start, end, mark = (f'<w:comment{name} w:id="0"/>' for name in ("RangeStart", "RangeEnd", "Reference"))
    whole = craft.p("Before ", raw=f"{start}{craft.run('these words')}{end}<w:r>{mark}</w:r>{craft.run(' after')}")
    endless = craft.p("Before ", raw=f"{start}{craft.run('these words')}<w:r>{mark}</w:r>") + craft.p("after")
    for body in (whole, endless):
        (comment,) = read(with_comments(craft, body, "Are you sure?")).comments
        assert (comment.author, comment.about, comment.text) == ("Ann", "these words", "Are you sure?")


def test_a_comment_in_deleted_text_stays_where_it_was(craft: Craft) -> None:
    mark = '<w:r><w:commentReference w:id="0"/></w:r>'
    deleted = f'<w:del w:id="1"><w:r><w:delText>gone</w:delText></w:r>{mark}</w:del>'
    paragraphs = (craft.p("Kept", raw=deleted), deleted)  # in a paragraph, and around whole ones
    for paragraph in paragraphs:
        body = craft.p("Aims", "Heading1") + paragraph + craft.p(PROSE) + craft.p("End", "Heading1") + craft.p(PROSE)
        (comment,) = read(with_comments(craft, body, "Why?")).comments
        assert (comment.section, comment.text) == (0, "Why?")


def test_a_note_with_a_mark_of_its_own_counts_for_none(craft: Craft) -> None:
    notes = "".join(
        f'<w:footnote w:id="{i}">{craft.p(text)}</w:footnote>' for i, text in ((2, "starred"), (3, "plain"))
    )
    body = craft.p(
        raw=craft.run("One")
        + '<w:r><w:footnoteReference w:customMarkFollows="1" w:id="2"/><w:t>*</w:t></w:r>'
        + craft.run(" two")
        + '<w:r><w:footnoteReference w:id="3"/></w:r>'
    )
    path = craft.docx(
        body,
        relations={"f": ("footnotes", "footnotes.xml")},
        parts={"word/footnotes.xml": craft.part("footnotes", notes)},
    )
    assert read(path).sections[0].text == "One* two[^1]\n\n[^*]: starred\n\n[^1]: plain"


def test_a_paragraph_whose_end_was_deleted_goes_on(craft: Craft) -> None:
    mark = '<w:rPr><w:del w:id="1"/></w:rPr>'
    body = craft.p("Gover", "Heading1", properties=mark) + craft.p("nance", "Heading1") + craft.p(PROSE)
    assert outline(read(craft.docx(body))) == [(1, None, "Governance")]


def test_nobody_sees_the_number_of_a_heading_that_is_hidden(craft: Craft) -> None:
    number, hidden = craft.number(2), "<w:rPr><w:vanish/></w:rPr>"
    body = craft.p("One", "Heading1", properties=number) + craft.p(PROSE)
    body += craft.p("", "Heading1", properties=number + hidden, raw=craft.run("Hidden", "<w:vanish/>"))
    body += craft.p("Two", "Heading1", properties=number) + craft.p(PROSE)
    assert outline(read(craft.docx(body))) == [(1, "1", "One"), (1, "2", "Two")]


def test_a_hidden_row(craft: Craft) -> None:
    row = craft.cell(craft.p("a")) + craft.cell(craft.p("b"))
    body = craft.table(row, "<w:trPr><w:hidden/></w:trPr>" + row)
    report = read(craft.docx(body))
    assert (report.sections[0].text.count("a"), report.characters.left_out) == (1, {"hidden": 2})


def test_a_picture_in_a_heading_is_not_its_text(craft: Craft) -> None:
    icon = '<w:r><w:drawing><wp:inline><wp:docPr id="1" name="x" descr="A leaf"/></wp:inline></w:drawing></w:r>'
    body = craft.p("", "Heading1", raw=icon + craft.run("2.1 Environment")) + craft.p(PROSE)
    assert outline(read(craft.docx(body))) == [(1, "2.1", "Environment")]


def test_the_long_question_of_a_form_is_a_heading_in_the_style_for_it(craft: Craft) -> None:
    question = (
        "Please describe " + "the aims of the project and how they serve the people of the valley, " * 4 + "shortly?"
    )
    assert 250 < len(question) < 400
    styled, bare = craft.p(question, "Heading1"), craft.p(question, properties='<w:outlineLvl w:val="0"/>')
    assert outline(read(craft.docx(styled + craft.p(PROSE)))) == [(1, None, question)]
    assert [section.heading for section in read(craft.docx(bare + craft.p(PROSE))).sections] == [""]


def test_chapters_in_other_files_are_told(craft: Craft) -> None:
    path = craft.docx(
        craft.p(PROSE) + '<w:subDoc r:id="x"/>', relations={"x": ("subDocument", "file:///chapter-1.docx://")}
    )
    assert any("chapter-1.docx" in warning for warning in read(path).warnings)


@pytest.mark.parametrize("renamed", [lambda name: "/" + name, lambda name: name.replace("/", "\\"), str.upper])
def test_parts_whose_names_are_written_in_other_ways(craft: Craft, renamed) -> None:
    path = craft.docx(craft.p("One", "Heading1", properties=craft.number(2)) + craft.p(PROSE))
    with zipfile.ZipFile(path) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in files.items():
            archive.writestr(name if name.startswith("[") else renamed(name), data)
    assert outline(read(path)) == [(1, "1", "One")]


def test_half_a_download(craft: Craft) -> None:
    path = craft.docx(craft.p(PROSE * 50))
    path.write_bytes(path.read_bytes()[:800])
    with pytest.raises(UserError, match="incomplete"):
        read_report(path)


def test_a_drop_capital_is_the_first_letter_of_its_paragraph(craft: Craft) -> None:
    body = craft.p("T", properties='<w:framePr w:dropCap="drop"/>') + craft.p(PROSE[1:])
    assert read(craft.docx(body)).sections[0].text == PROSE
    alone = craft.p("T", properties='<w:framePr w:dropCap="drop"/>') + craft.table(craft.cell(craft.p("a")) * 2)
    assert read(craft.docx(alone)).sections[0].text.startswith("T\n\n|")
