"""Under the text: what of it no source says, which facts it leaves out, and where the rest comes from, as HTML."""

from collections.abc import Sequence
from html import escape

from copilot.app.views import safe
from copilot.app.words import Words
from copilot.checking import Check, Missing, Traced, Unused

_MOST_SHOWN = 12
_MOST_TRACED = 60


def check_panel(say: Words, check: Check | None) -> str:
    """A check of the open section's text; None if it is too long for one."""
    if check is None:
        return _frame(say, "", f'<p class="quiet">{escape(say["check_too_long"])}</p>')
    pieces = [_verdict(say, check)]
    if check.unused:
        lines = "".join(map(_unused_line, check.unused[:_MOST_SHOWN]))
        more = _more(say, len(check.unused))
        pieces.append(f'<p class="unused">{escape(say["check_unused"])}</p><ul class="unused">{lines}{more}</ul>')
    if check.traced:
        pieces.append(_where(say, check.traced))
    return _frame(say, "warn" if check.missing else "good" if check.claims else "", "".join(pieces))


def check_failed(say: Words) -> str:
    """In the check's place, that there is none."""
    return _frame(say, "", f'<p class="quiet">{escape(say["check_failed"])}</p>')


def _frame(say: Words, look: str, body: str) -> str:
    return (
        f'<section id="checked" class="{look}" aria-label="{escape(say["check"])}"><div class="label">'
        f'<h2>{escape(say["check"])}</h2><span class="stale" role="status">{escape(say["check_stale"])}</span>'
        f'<button type="button" data-check>{escape(say["check_again"])}</button></div>{body}</section>'
    )


def _verdict(say: Words, check: Check) -> str:
    if not check.claims:
        return f'<p class="quiet">{escape(say["check_none"])}</p>'
    if not check.missing:
        return f'<p class="verdict">{escape(say["check_all"].format(count=check.claims))}</p>'
    count = len(check.missing)
    title = say["check_one"] if count == 1 else say["check_many"].format(count=count)
    lines = "".join(map(_missing_line, check.missing[:_MOST_SHOWN]))
    return (
        f'<p class="verdict">{escape(title)}</p><ul class="missing">{lines}{_more(say, count)}</ul>'
        f'<p class="quiet">{escape(say["check_advice"])}</p>'
    )


def _missing_line(one: Missing) -> str:
    return (
        f"<li><bdi>{escape(_plain(one.before))}<mark>{escape(one.words)}</mark>{escape(_plain(one.after))}</bdi></li>"
    )


def _unused_line(one: Unused) -> str:
    pieces, at = [], 0
    for start, end in one.spans:
        pieces += [escape(one.line[at:start]), f"<strong>{escape(one.line[start:end])}</strong>"]
        at = end
    return f"<li><bdi>{''.join(pieces)}{escape(one.line[at:])}</bdi></li>"


def _plain(words: str) -> str:
    """Words around a claim without the marks of tables and bold text."""
    return words.replace("|", " ").replace("**", "").lstrip("#-> ") if words.strip() else words


def _more(say: Words, count: int) -> str:
    if count <= _MOST_SHOWN:
        return ""
    return f'<li class="quiet">{escape(say["check_more"].format(count=count - _MOST_SHOWN))}</li>'


def _where(say: Words, traced: Sequence[Traced]) -> str:
    once = list({(one.words, one.source, one.passage): one for one in traced}.values())
    rows = "".join(_row(say, one) for one in once[:_MOST_TRACED])
    title = escape(say["check_where"].format(count=len(once)))
    return f"<details><summary>{title}</summary><table><tbody>{rows}</tbody></table></details>"


def _row(say: Words, one: Traced) -> str:
    place = safe(one.section) if one.section else escape(say[f"source_{one.source}"])
    how = "" if one.how == "said" else escape(say[f"how_{one.how.replace(' ', '_')}"])
    return f"<tr><th>{safe(one.words)}</th><td>{place}</td><td>{how} {safe(one.passage)}</td></tr>"
