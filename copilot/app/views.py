"""What the page shows, as HTML. Every text from outside is escaped here, and nowhere else."""

from collections.abc import Collection, Sequence
from html import escape
from typing import get_args

from copilot.app.engine import Status
from copilot.app.words import Words
from copilot.drafting import ENDS, DraftEvent
from copilot.export import markdown_parser
from copilot.library import Card, Entry, Project, State, Version
from pipeline.records import Section, Window
from pipeline.windows.picture import REASONS, Row, rows_of

_REASONS = {reason: f"reason_{reason.replace(' ', '_')}" for reason in REASONS}  # why text is kept: the word for it


def safe(text: str) -> str:
    """A text from outside, as text: nothing in it is markup, and its writing direction ends with it."""
    return f"<bdi>{escape(text)}</bdi>"


def brand(say: Words, cards: Sequence[Card], current: str) -> str:
    """The product's name and the choice among projects."""
    options = "".join(
        f'<option value="{escape(card.id)}"{" selected" * (card.id == current)}>{escape(card.title)}</option>'
        for card in cards
    )
    choice = (
        f'<select id="project" aria-label="{escape(say["project"])}" data-choose="project">{options}</select>'
        if cards
        else ""
    )
    return (
        '<span class="mark" aria-hidden="true"><i></i><i></i><i></i></span><span class="name">Memoria</span>'
        f'{choice}<button type="button" class="ghost" data-choose="new">{escape(say["new_project"])}</button>'
    )


def pill(say: Words, status: Status, model: str) -> str:
    """How the model is, in a word and a colour."""
    text = {
        "starting": say["model_starting"],
        "ready": model or say["model_ready"],
        "failed": say["model_failed"],
        "off": say["model_off"],
    }[status.state]
    return (
        f'<span id="model" class="pill {status.state}" role="status" title="{escape(status.line)}" '
        f'data-state="{status.state}" data-model="{escape(model)}">'
        f'<i aria-hidden="true"></i>{safe(text)}</span>'
    )


def saved(say: Words) -> str:
    """Where page.js says when the text was saved; its sentences travel with it."""
    sentences = " ".join(f'data-{name}="{escape(say[name])}"' for name in ("saved", "saving", "unsaved"))
    return f'<span id="saved" role="status" {sentences}></span>'


def export_menu(say: Words, project: Project, entries: Sequence[Entry]) -> str:
    """The downloads, with what does not go out."""
    empty = sum(entry.accepted is None for entry in entries)
    changed = sum(entry.state == "changed" for entry in entries)
    lines = []
    if empty:
        lines.append(say["export_missing"].format(count=empty, total=len(entries)))
    if changed:
        lines.append(say["export_changed"].format(count=changed))
    if not lines:
        lines.append(say["export_whole"].format(total=len(entries)))
    links = "".join(
        f'<a class="{look}" href="export/{escape(project.id)}{suffix}" download>{escape(say[name])}</a>'
        for name, suffix, look in (("export_word", ".docx", "solid"), ("export_markdown", ".md", "plain"))
    )
    told = "".join(f"<p>{escape(line)}</p>" for line in lines)
    return f'<details id="export"><summary>{escape(say["export"])}</summary><div>{told}{links}</div></details>'


def outline(say: Words, entries: Sequence[Entry], key: str, writing: Collection[str]) -> str:
    """The sections, with how far each is."""
    done = sum(entry.state == "accepted" for entry in entries)
    share = 100 * done / max(len(entries), 1)
    lines = "".join(_outline_line(say, entry, entry.key == key, entry.key in writing) for entry in entries)
    return (
        f'<div class="label"><h2>{escape(say["outline"])}</h2>'
        f"<span>{escape(say['accepted_of'].format(done=done, total=len(entries)))}</span></div>"
        f'<div class="track thin"><b style="width:{share:.1f}%"></b></div>'
        f'<nav aria-label="{escape(say["outline"])}">{lines}</nav>'
    )


def _outline_line(say: Words, entry: Entry, is_open: bool, is_written: bool) -> str:
    state = "writing" if is_written else entry.state
    words = escape(say["words"].format(count=entry.words))
    number = f'<span class="number">{escape(entry.number)}</span> ' if entry.number else ""
    return (
        f'<button type="button" class="line {state}" data-choose="section" data-key="{escape(entry.key)}" '
        f'style="--level:{min(entry.level, 5) - 1}"{" aria-current=true" if is_open else ""}>'
        f'<i class="dot" title="{escape(say[f"state_{state}"])}"></i>'
        f'<span class="title">{number}{safe(entry.heading)}</span>'
        f'<span class="count" title="{words}">{entry.words or ""}</span></button>'
    )


def heading(say: Words, entry: Entry, is_written: bool) -> str:
    """The open section's heading and state."""
    state = "writing" if is_written else entry.state
    names = " ".join(f'data-{name}="{escape(say[f"state_{name}"])}"' for name in get_args(State))
    chip = f'<span class="chip {state}" id="state" {names}>{escape(say[f"state_{state}"])}</span>'
    return f"<h1>{safe(entry.title)}</h1>{chip}"


def notices(say: Words) -> str:
    """The bar that page.js shows when somebody else changed the section."""
    buttons = "".join(
        f'<button type="button" data-keep="{which}">{escape(say[f"keep_{which}"])}</button>'
        for which in ("mine", "theirs")
    )
    return f'<div id="conflict" role="alert" hidden><p>{escape(say["conflict"])}</p>{buttons}</div>'


def paper(say: Words) -> str:
    """The paper that page.js writes on while the model writes."""
    sentences = " ".join(f'data-{name}="{escape(say[name])}"' for name in ("reading", "writing"))
    return (
        f'<div id="progress" role="status" {sentences}></div>'
        '<div id="paper" aria-live="off" tabindex="0">'
        '<span id="written"></span><span class="caret"></span></div>'
    )


def note(say: Words, version: Version, event: DraftEvent | None) -> str:
    """Below the text: how long it is, who wrote it, how it ended."""
    if event is not None and event.stage == "failed":
        return f'<p class="warning">{escape(say["failed"])} {safe(event.note)}</p>'
    pieces = []
    if version.finish in ("clipped", "stopped"):
        pieces.append(f'<span class="warning">{escape(say[version.finish])}</span>')
    if version.adapter:
        pieces.append(safe(say["written_by"].format(model=version.adapter)))
    if event is not None and event.stage in ENDS and (event.first_word_seconds or 0) >= 0.1:
        pieces.append(escape(say["first_word"].format(seconds=f"{event.first_word_seconds:.1f}")))
    if version.instruction:
        pieces.append(f"“{safe(version.instruction)}”")
    return f"<p>{' · '.join(pieces)}</p>" if pieces else ""


def window_panel(say: Words, window: Window, earlier: Sequence[Section]) -> str:
    """What the model sees of each of the `earlier` sections, and where in it, as a picture."""
    title = _window_title(say)
    if not earlier:
        return f'{title}<p class="quiet">{escape(say["window_empty"])}</p>'
    share = 100 * window.used_tokens / window.budget_tokens
    budget = escape(say["window_tokens"].format(budget=_grouped(window.budget_tokens, say)))
    lines = "".join(_window_line(say, row) for row in rows_of(window, earlier))
    return (
        f'{title}<p class="total"><strong>{_grouped(window.used_tokens, say)}</strong> {budget}</p>'
        f'<div class="track whole"><b style="width:{share:.1f}%"></b></div><ol>{lines}</ol>'
    )


def no_window(say: Words, problem: str) -> str:
    """In the window's place, why it cannot be shown."""
    return f'{_window_title(say)}<p class="quiet">{safe(problem)}</p>'


def _window_title(say: Words) -> str:
    return f'<div class="label"><h2>{escape(say["window"])}</h2></div>'


def _window_line(say: Words, row: Row) -> str:
    """One section: its title, its text as a track that is filled where the model sees it, the share seen."""
    title = row.section.title
    if row.characters:
        filled = "".join(
            f'<b style="left:{100 * start:.1f}%;width:{100 * (end - start):.1f}%" '
            f'title="{escape(say[_REASONS[reason]])}"></b>'
            for start, end, reason in row.spans()
        )
        seen = f'<span class="track">{filled}</span><span class="share">{100 * row.share_kept:.0f}%</span>'
    else:
        seen = f'<span class="share none">{escape(say["no_text"])}</span>'
    return (
        f'<li style="--level:{min(row.section.level, 5) - 1}" title="{escape(title)}">'
        f'<span class="title">{safe(title)}</span>{seen}</li>'
    )


def preview(say: Words, text: str) -> str:
    """The text as it will look in Word. Its Markdown makes no links, images or other markup."""
    if not text.strip():
        return f'<p class="quiet">{escape(say["nothing_yet"])}</p>'
    return markdown_parser().render(text)


def toast(line: str) -> str:
    """One line that something went wrong."""
    return f'<p class="toast" role="alert">{safe(line)}</p>' if line else ""


def welcome(say: Words) -> str:
    """What stands over the dialog for a new report."""
    return f"<h1>{escape(say['welcome'])}</h1><p>{escape(say['welcome_line'])}</p>"


def _grouped(number: int, say: Words) -> str:
    return f"{number:,}".replace(",", say["thousands"])
