"""The page of what was read: all of it, as text, with the account."""

from pathlib import Path

from bs4 import BeautifulSoup

from pipeline.records import Block, Characters, Comment, Report, Section
from pipeline.reports import read_report
from pipeline.reports.blocks import tidy
from pipeline.reports.page import report_page
from tests.pipeline.reports.report_files import Craft

HOSTILE = '<script>alert(1)</script> ![x](http://evil.example/a.png) <img src=x onerror=alert(1)> "&amp;'


def section(position: int, heading: str, *blocks: Block) -> Section:
    return Section(document="d", position=position, level=1, heading=heading, path=(heading,), blocks=blocks)


def test_hostile_text_is_text() -> None:
    table = Block(kind="table", text=f"| {HOSTILE} | b |\n| --- | --- |\n| [x](javascript:alert(1)) | two<br>lines |")
    report = Report(
        file=HOSTILE,
        source_sha256="0",
        reader="r",
        title=HOSTILE,
        language="ca",
        sections=(section(0, HOSTILE, Block(kind="paragraph", text=HOSTILE), table),),
        comments=(Comment(section=0, author=HOSTILE, about=HOSTILE, text=HOSTILE),),
        characters=Characters(visible=10, read=5, left_out={HOSTILE: 4}, unaccounted=1),
        warnings=(HOSTILE,),
    )
    page = BeautifulSoup(report_page(report), "lxml")
    assert not page.find_all(["script", "img", "link", "iframe"])
    assert [a["href"] for a in page.find_all("a")] == ["#s0"]
    assert page.get_text().count(HOSTILE) == 12
    assert [cell.get_text() for cell in page.find_all("td")][-2:] == ["[x](javascript:alert(1))", "twolines"]


def test_all_that_was_read_is_on_it(craft: Craft) -> None:
    body = craft.p("Aims", "Heading1", properties=craft.number(2)) + craft.p("All of *it*, with 1 &lt; 2.")
    body += craft.table(craft.cell(craft.p("a|b")) + craft.cell(craft.p("c")), craft.cell(craft.p("d")) * 2)
    path: Path = craft.docx(body + craft.p("More", "Heading2") + craft.p("item", "ListBullet"))
    report = read_report(path)
    page = BeautifulSoup(report_page(report), "lxml")
    shown = tidy(page.find("main").get_text("\n"))  # type: ignore[union-attr]
    assert [link.get_text() for link in page.find_all("a")] == [section.title for section in report.sections]
    for word in ("All of *it*, with 1 < 2.", "a|b", "c", "d", "- item"):
        assert word in shown
    account = {row.find("td").get_text(): row.find_all("td")[1].get_text() for row in page.select(".account tr")}
    assert account == {"read": str(report.characters.read), "not accounted for": "0"}
