"""The picture of a window as a page for the browser: one file that refers to nothing outside it, and runs nothing.

header   the budget as a bar: outline, older text, recent text, what is left; the reasons with their colours
         share kept against distance, a column a section
main     a track a section, oldest on top, as long as the section; opened, the text that the model sees
"""

from collections.abc import Iterator
from html import escape
from importlib.resources import files

from pipeline.pages import one_file_page
from pipeline.windows.picture import OTHER, REASONS, Picture, Row

_OUTLINE, _UNUSED = "outline", "unused"


def page_of(picture: Picture) -> str:
    """The page, as HTML."""
    title = f"What the model sees before {escape(picture.target.title)}"
    style = (files("pipeline.windows") / "picture_page.css").read_text("utf-8") + _colours()
    body = (
        f"<header><h1>{title}</h1>{_about(picture)}{_budget(picture)}{_chart(picture)}</header>"
        f"<main>{_outline(picture)}{_tracks(picture)}</main>"
    )
    return one_file_page(title, style, body)


def _colours() -> str:
    """A class for each reason, with its colour in light and in dark."""
    shades = {_class(reason): shade for reason, shade in REASONS.items()} | {_class(""): OTHER}
    return "".join(f".{name}{{--c:light-dark({shade.light},{shade.dark})}}" for name, shade in shades.items())


def _class(reason: str) -> str:
    return reason.replace(" ", "-") if reason in REASONS else "other"


def _about(picture: Picture) -> str:
    window = picture.window
    told = (
        picture.report,
        f"policy {window.policy}",
        f"{window.used_tokens:,} of {window.budget_tokens:,} tokens",
    )
    return f'<div class="faint">{escape(" · ".join(told))}</div>'


def _budget(picture: Picture) -> str:
    """A bar of what the budget is used for, and the same in figures: the legend of all the colours."""
    window = picture.window
    uses = [(_OUTLINE, _OUTLINE, window.outline_tokens, "the headings of the whole report")]
    uses += [
        (reason, _class(reason), tokens, REASONS.get(reason, OTHER).meaning)
        for reason, tokens in picture.tokens_by_reason.items()
    ]
    uses.append((_UNUSED, _UNUSED, window.budget_tokens - window.used_tokens, "room for more"))
    bar = "".join(
        f'<i class="{name}" title="{escape(use)}" style="width:{100 * tokens / window.budget_tokens:.3f}%"></i>'
        for use, name, tokens, _ in uses
    )
    rows = "".join(
        f'<tr><td><i class="swatch {name}"></i>{escape(use)}</td><td class="n">{tokens:,}</td>'
        f'<td class="n">{tokens / window.budget_tokens:.1%}</td><td class="faint">{escape(meaning)}</td></tr>'
        for use, name, tokens, meaning in uses
    )
    return f'<div class="bar">{bar}</div><table class="legend">{rows}</table>'


def _chart(picture: Picture) -> str:
    """Share kept against distance: a column a section, the nearest on the right."""
    if not picture.rows:
        return ""
    columns = "".join(_column(row) for row in picture.rows)
    furthest = picture.rows[0].distance
    return (
        '<figure><figcaption>Share kept of each section, against its distance</figcaption><div class="plot">'
        f'<div class="shares"><span>100%</span><span>50%</span><span>0</span></div><div class="columns">{columns}</div>'
        f'<div class="distances"><span>{_back(furthest)}</span><span>{_back(1) if furthest > 1 else ""}</span></div>'
        "</div></figure>"
    )


def _column(row: Row) -> str:
    pieces = "".join(
        f'<i class="{_class(reason)}" style="height:{100 * share:.2f}%"></i>'
        for reason, share in row.share_by_reason().items()
    )
    kept = f"{row.share_kept:.0%}" if row.characters else "no text"
    return f'<span title="{escape(row.section.title)}: {kept}, {_back(row.distance)}">{pieces}</span>'


def _back(distance: int) -> str:
    return "1 section back" if distance == 1 else f"{distance} sections back"


def _outline(picture: Picture) -> str:
    """The outline as the model sees it."""
    if not picture.window.outline:
        return ""
    return (
        f"<details><summary>The outline, {picture.window.outline_tokens:,} tokens</summary>"
        f"<pre>{escape(picture.window.outline)}</pre></details>"
    )


def _tracks(picture: Picture) -> str:
    if not picture.rows:
        return "<p>This is the first section: there is no earlier text to look back at.</p>"
    names = (("title", "section"), ("n", "back"), ("", "kept, in place"), ("n", "share"), ("n", "tokens"))
    head = "".join(f'<span class="{name}">{said}</span>' for name, said in names)
    rows = "".join(_row(row, picture.longest) for row in picture.rows)
    target = f'<div class="row target"><span class="title">{escape(picture.target.title)}</span></div>'
    return f'<div class="row head">{head}</div>{rows}{target}'


def _row(row: Row, longest: int) -> str:
    """A section's line, which opens to the text that the model sees of it."""
    pieces = "".join(
        f'<i class="{_class(reason)}" title="{escape(reason)}" '
        f'style="left:{100 * start:.3f}%;width:{100 * (end - start):.3f}%"></i>'
        for start, end, reason in row.spans()
    )
    track = f'<span class="track" style="width:{100 * row.characters / longest:.2f}%">{pieces}</span>'
    cells = (
        f'<span class="title" style="padding-left:{0.9 * (row.section.level - 1):.1f}rem">'
        f'{escape(row.section.title)}</span><span class="n faint">{row.distance}</span>'
        f"<span>{track if row.characters else '<span class=faint>no text</span>'}</span>"
        f'<span class="n">{f"{row.share_kept:.0%}" if row.characters else ""}</span>'
        f'<span class="n">{f"{row.tokens:,}" if row.part else ""}</span>'
    )
    if row.part is None or not row.part.text:
        return f'<div class="row{"" if row.part else " none"}">{cells}</div>'
    language = f' lang="{escape(row.section.language)}"' if row.section.language else ""
    return (
        f'<details><summary class="row">{cells}</summary><p class="faint">{escape(row.part.reason)}</p>'
        f"<pre{language}>{''.join(_seen(row))}</pre></details>"
    )


def _seen(row: Row) -> Iterator[str]:
    """The text that the model sees, each kept span in the colour of its reason, the marks of cuts between them."""
    if row.part is None:
        return
    seen, at = row.part.text, 0
    for span in row.part.spans:
        kept = row.section.text[span.start : span.end].rstrip()  # before a cut, the window drops white space
        begin = seen.index(kept, at)
        yield escape(seen[at:begin])
        at = begin + len(kept)
        yield f'<mark class="{_class(span.reason)}" title="{escape(span.reason)}">{escape(kept)}</mark>'
    yield escape(seen[at:])
