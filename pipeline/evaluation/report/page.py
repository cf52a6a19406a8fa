"""The report as a page for the browser: one file that refers to nothing outside it, and runs nothing.

verdict      in plain words, and what follows from it
conditions   what had to hold, one by one
scores       an interval each; by language; section by section; by place in the report
sections     the worst ones: true, in service, candidate, with unsupported facts marked
small print  signatures, settings, lineage
"""

from collections.abc import Iterable, Sequence
from html import escape
from importlib.resources import files

from pipeline.evaluation.comparison import ALL, LANGUAGES, PRIMARY, Comparison
from pipeline.evaluation.found import Evaluation, SectionFound
from pipeline.evaluation.gate import guards
from pipeline.evaluation.report import plots, words
from pipeline.evaluation.report.pairs import Mark, SideBySide
from pipeline.pages import one_file_page

_SHOWN_PAIRS = 10
_MARKS = {"holds": "holds", "fails": "fails", "open": "not known", "left out": "not asked"}


def page_of(evaluation: Evaluation, rows: Sequence[SectionFound], pairs: Sequence[SideBySide]) -> str:
    """The page, as HTML.

    Args:
        rows: all sections that were judged.
        pairs: those that were written, the worst first.
    """
    style = files("pipeline.evaluation.report").joinpath("page.css").read_text("utf-8")
    body = "".join(
        (
            _verdict(evaluation),
            _conditions(evaluation),
            _scores("Score by score", _overall(evaluation.comparisons), words.reference(evaluation), evaluation),
            _base(evaluation),
            _languages(evaluation),
            _sections(rows),
            _pairs(pairs, words.reference(evaluation)),
            _small_print(evaluation),
        )
    )
    return one_file_page(words.TITLE, style, body)


def _verdict(evaluation: Evaluation) -> str:
    return (
        f'<h1>{words.TITLE}</h1><div class="verdict {evaluation.verdict.replace(" ", "-")}">'
        f"<p>{escape(words.answer(evaluation))}</p><p>{escape(words.consequence(evaluation))}</p></div>"
        f"<p>{escape(words.finding(evaluation))}</p><p>{escape(words.about(evaluation))}</p>"
    )


def _conditions(evaluation: Evaluation) -> str:
    items = "".join(
        f'<li class="{c.state.replace(" ", "-")}"><b>{_MARKS[c.state]}</b><span>{escape(c.words)}</span></li>'
        for c in evaluation.conditions
    )
    return f'<h2>What had to hold</h2><ul class="conditions">{items}</ul>'


def _overall(comparisons: Sequence[Comparison]) -> list[Comparison]:
    return [c for c in comparisons if c.group == ALL]


def _base(evaluation: Evaluation) -> str:
    if not evaluation.with_base:
        return ""
    title = "Against the base without an adapter"
    return _scores(title, _overall(evaluation.with_base), "bare base", evaluation)


def _languages(evaluation: Evaluation) -> str:
    found = [c for c in evaluation.comparisons if c.name == PRIMARY and c.group != ALL]
    return _scores("By language", found, words.reference(evaluation), evaluation, by_group=True) if found else ""


def _scores(
    title: str, comparisons: Sequence[Comparison], reference: str, evaluation: Evaluation, by_group: bool = False
) -> str:
    """A table with a line a comparison; with the guards' margins, unless it is by language."""
    reach = plots.reach_of(comparisons) if by_group else 0.0
    margins = {} if by_group else {name: margin for name, _, margin in guards(evaluation.settings) if margin < 1}
    lines = "".join(
        f"<tr{' class=primary' if c.name == PRIMARY and not by_group else ''}>"
        f"<th>{escape(words.group(c.group) if by_group else c.title)}"
        f'<div class="faint">{escape(words.direction(c))}</div></th>'
        f'<td class="n">{words.number(c, c.reference)}</td><td class="n">{words.number(c, c.candidate)}</td>'
        f"<td>{plots.interval(c, margins.get(c.name), reach)}</td>"
        f'<td class="n">{escape(words.difference(c))}</td>'
        f'<td class="{"even" if c.effect == "no difference shown" else c.effect}">{c.effect}</td>'
        f'<td class="n">{c.n}</td><td class="n">{c.reports}</td></tr>'
        for c in comparisons
    )
    first = "language" if by_group else "score"
    head = (
        f'<th>{first}</th><th class="n">{escape(reference)}</th><th class="n">candidate</th>'
        '<th><div class="ends"><span>← worse</span><span>better →</span></div></th>'
        '<th class="n">difference (95% interval)</th><th>shown</th>'
        '<th class="n">sections</th><th class="n">reports</th>'
    )
    note = "" if by_group else '<p class="faint">A dashed line: the most harm that is allowed.</p>'
    return (
        f'<h2>{title}</h2><div class="scores"><table><thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table></div>'
        f"{note}"
    )


def _sections(rows: Sequence[SectionFound]) -> str:
    better = sum(row.difference < 0 for row in rows)
    place = plots.places(rows)
    return (
        "<h2>Section by section</h2>"
        f"<p>Bits per byte that the candidate saves on each: it is better on {better} of {len(rows)}.</p>"
        f"{plots.sections(rows)}"
        + (f"<h2>By place in the report</h2><p>The line joins the means of fifths.</p>{place}" if place else "")
    )


def _pairs(pairs: Sequence[SideBySide], reference: str) -> str:
    if not pairs:
        return ""
    shown = pairs[:_SHOWN_PAIRS]
    told = (
        f"{len(shown)} of {words.count(len(pairs), 'written section')}: first those where the candidate invented most, "
        "then those whose true text it knew worst compared with what is in service. <mark>Marked</mark>: a fact that "
        "nothing supports which the writer was given."
    )
    return f"<h2>The worst sections</h2><p>{told}</p>{''.join(_pair(pair, reference) for pair in shown)}"


def _pair(pair: SideBySide, reference: str) -> str:
    language = LANGUAGES.get(pair.language or "", "language not known")
    lang = f' lang="{escape(pair.language)}"' if pair.language else ""
    columns = "".join(
        f"<div><h4>{escape(title)}</h4><div{lang}>{_marked(text, marks) or '(nothing)'}</div></div>"
        for title, text, marks in (
            ("as it truly is", pair.true, ()),
            (reference, pair.reference, pair.reference_marks),
            ("candidate", pair.candidate, pair.candidate_marks),
        )
    )
    return (
        f'<article><h3>{escape(pair.heading)} <span class="faint">{language}, report {pair.report[:12]}; '
        f'{pair.difference:+.3f} bits per byte</span></h3><div class="beside">{columns}</div></article>'
    )


def _marked(text: str, marks: Sequence[Mark]) -> str:
    """The text with its unsupported facts marked; marks do not overlap."""
    parts, at = [], 0
    for mark in sorted(marks, key=lambda mark: mark.start):
        parts.append(escape(text[at : mark.start]))
        parts.append(f'<mark title="{escape(mark.kind)}">{escape(text[mark.start : mark.end])}</mark>')
        at = mark.end
    return "".join((*parts, escape(text[at:])))


def _small_print(evaluation: Evaluation) -> str:
    signatures = {c.name: c.signature for c in evaluation.comparisons if c.group == ALL}
    settings = evaluation.settings.model_dump(mode="json")
    return (
        f"<h2>How it was measured</h2>{_list(signatures.items())}"
        f"<h2>Settings</h2>{_list((name, str(value)) for name, value in settings.items())}"
        f"<h2>What was compared</h2>{_list(words.lineage(evaluation))}"
    )


def _list(entries: Iterable[tuple[str, str]]) -> str:
    items = "".join(f"<dt>{escape(name)}</dt><dd><code>{escape(value)}</code></dd>" for name, value in entries)
    return f"<dl>{items}</dl>"
