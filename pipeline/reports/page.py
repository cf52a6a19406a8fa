"""A report as a page for the browser, to lay beside the file: what was read, what was left out, and why.

One file that refers to nothing outside it. The text of the report is shown as text: nothing in it can run.
"""

from collections.abc import Iterator
from html import escape
from importlib.resources import files

from pipeline.pages import one_file_page
from pipeline.records import Characters, Comment, Report, Section

DEEPEST_HEADING = 4  # of the page; deeper ones look the same


def report_page(report: Report) -> str:
    """The page of a report, as HTML."""
    comments: dict[int, list[Comment]] = {}
    for comment in report.comments:
        comments.setdefault(comment.section, []).append(comment)
    sections = "".join(_section(section, report, comments.get(section.position, [])) for section in report.sections)
    title = escape(report.title)
    style = (files("pipeline.reports") / "page.css").read_text("utf-8")
    body = (
        f"<header><h1>{title}</h1>{_about(report)}{_account(report.characters)}{_warnings(report)}</header>"
        f"<main><nav>{''.join(_entry(section) for section in report.sections)}</nav>{sections}</main>"
    )
    return one_file_page(title, style, body, report.language or "")


def _about(report: Report) -> str:
    told = [report.file, f"{len(report.sections)} sections", f"language {report.language or 'not known'}"]
    told += [f"made {report.created}"] if report.created else []
    told += [f"changed {report.modified}"] if report.modified else []
    return f'<div class="faint">{escape(" · ".join(told))}</div>'


def _account(characters: Characters) -> str:
    """A bar of what became of the file's visible characters, and the same in figures."""
    total = max(1, characters.visible)
    left_out = sum(characters.left_out.values())
    parts = (("read", characters.read), ("out", left_out), ("lost", abs(characters.unaccounted)))
    bar = "".join(f'<i class="{name}" style="width:{100 * count / total:.3f}%"></i>' for name, count in parts)
    rows = [("read", characters.read), *((f"left out: {why}", n) for why, n in characters.left_out.items())]
    rows.append(("not accounted for", characters.unaccounted))
    table = "".join(
        f'<tr><td>{escape(why)}</td><td class="n">{count:,}</td><td class="n">{count / total:.1%}</td></tr>'
        for why, count in rows
    )
    return f'<div class="bar">{bar}</div><table class="account">{table}</table>'


def _warnings(report: Report) -> str:
    return "".join(f'<p class="warning">{escape(warning)}</p>' for warning in report.warnings)


def _entry(section: Section) -> str:
    indent = f"padding-left:{0.9 * (section.level - 1):.1f}rem"
    return f'<a href="#s{section.position}" style="{indent}">{_title(section) or "(before the first heading)"}</a>'


def _title(section: Section) -> str:
    number = f'<span class="number">{escape(section.number)}</span> ' if section.number else ""
    return number + escape(section.heading)


def _section(section: Section, report: Report, comments: list[Comment]) -> str:
    depth = min(section.level + 1, DEEPEST_HEADING)
    other = section.language if section.language != report.language else None
    tag = f' <span class="tag">{escape(other)}</span>' if other else ""
    heading = f'<h{depth} id="s{section.position}">{_title(section)}{tag}</h{depth}>'
    remarks = "".join(
        f"<p><b>{escape(comment.author or '')}</b> <q>{escape(comment.about)}</q><br>{escape(comment.text)}</p>"
        for comment in comments
    )
    body = f"<div><article>{heading}{''.join(_blocks(section))}</article></div>"
    return f"<section>{body}{f'<aside>{remarks}</aside>' if remarks else ''}</section>"


def _blocks(section: Section) -> Iterator[str]:
    for block in section.blocks:
        if block.kind == "table":
            yield _table(block.text)
        else:
            yield f'<pre class="{block.kind}">{escape(block.text)}</pre>'


def _table(text: str) -> str:
    """A Markdown table as a table; whatever else a block of this kind holds, as it is."""
    from markdown_it import MarkdownIt

    if not text.startswith("|"):
        return f"<pre>{escape(text)}</pre>"
    markdown = MarkdownIt("zero").enable("table")  # nothing but the table: the cells' text is shown as it is
    return markdown.render(text).replace("&lt;br&gt;", "<br>")
