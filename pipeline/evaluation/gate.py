"""The gate: may the candidate serve? Better on the primary score, and no worse where it must not be.

    enough reports ──> bits per byte: better on the whole, beyond chance ──> worse in no language ──┐
                                                                                                    v
        better  <── every guard holds  <── invented facts, repetition, sections that end: worse by no more than a margin

A guard holds if the whole interval of the harm lies below its margin (non-inferiority; Piaggio et al., "Reporting of
noninferiority and equivalence randomized trials", JAMA 2012), fails if all of it lies above, and is open otherwise:
too little was written to say. All conditions must hold at once, so their number asks for no correction (Berger,
"Multiparameter hypothesis testing and acceptance sampling", 1982). Doubt speaks for what is in service.
"""

from collections.abc import Sequence
from typing import Literal

from pipeline.evaluation.comparison import ALL, LANGUAGES, PRIMARY, Comparison
from pipeline.evaluation.statistics import units_needed
from pipeline.records import Record
from pipeline.settings import Evaluation as EvaluationSettings

Verdict = Literal["better", "not better", "too few to judge"]
_MOST_TOLD = 10_000  # reports; a difference that needs more is none


class Condition(Record):
    """One thing that must hold. "open": not enough was measured to say; "left out": it is not asked for."""

    name: str
    title: str
    state: Literal["holds", "fails", "open", "left out"]
    words: str


class Judgement(Record):
    """The verdict, why in plain words, and what it rests on."""

    verdict: Verdict
    reason: str
    conditions: tuple[Condition, ...]


def judge(comparisons: Sequence[Comparison], reports: int, settings: EvaluationSettings) -> Judgement:
    """Judge a candidate.

    Args:
        comparisons: with what is in service: the champion, or else the bare base.
        reports: how many held-out reports were measured.
    """
    overall = {c.name: c for c in comparisons if c.group == ALL}
    languages = [c for c in comparisons if c.name == PRIMARY and c.group != ALL]
    conditions = (
        _enough(reports, settings),
        _better(overall[PRIMARY]),
        _in_no_language(languages),
        *(_no_worse(name, title, overall.get(name), margin) for name, title, margin in guards(settings)),
    )
    return _judgement(conditions)


def guards(settings: EvaluationSettings) -> tuple[tuple[str, str, float], ...]:
    """What must not become worse: the score's name, what it is about, and by how much at most."""
    return (
        ("unsupported", "invented facts", settings.margin_unsupported),
        ("in_loops", "repetition", settings.margin_repetition),
        ("stop_rate", "unfinished sections", settings.margin_endings),
    )


def _judgement(conditions: tuple[Condition, ...]) -> Judgement:
    enough, *others = conditions
    failing = [c for c in others if c.state == "fails"]
    pending = [c for c in others if c.state == "open"]
    if enough.state == "open":
        return Judgement(verdict="too few to judge", reason=enough.words, conditions=conditions)
    if failing:
        return Judgement(verdict="not better", reason=_and(failing), conditions=conditions)
    if pending:
        reason = f"it is better on the whole, but {_and(pending)}"
        return Judgement(verdict="too few to judge", reason=reason, conditions=conditions)
    return Judgement(verdict="better", reason=_all_holds(others), conditions=conditions)


def _all_holds(conditions: Sequence[Condition]) -> str:
    """What holds in a few words; guards that nobody asked for are named, so that no one takes them for proved."""
    primary, languages, *guarded = conditions
    said = f"{primary.words}, and {languages.words}"
    for state, about in (("holds", "worse by less than is allowed on"), ("left out", "not guarded")):
        if named := [c.title for c in guarded if c.state == state]:
            said += f"; {about}: {', '.join(named)}"
    return said


def _and(conditions: Sequence[Condition]) -> str:
    words = [c.words for c in conditions]
    return words[0] if len(words) == 1 else f"{'; '.join(words[:-1])}; and {words[-1]}"


def _enough(reports: int, settings: EvaluationSettings) -> Condition:
    missing = settings.least_reports - reports
    if missing <= 0:
        return Condition(
            name="reports",
            title="held-out reports",
            state="holds",
            words=f"{reports} held-out reports are enough to judge by",
        )
    were = "report is" if reports == 1 else "reports are"
    words = (
        f"{reports} held-out {were} too few: {missing} more needed (ingest more reports, or hold out more of them by "
        "corpus.held_out_share or corpus.least_held_out)"
    )
    return Condition(name="reports", title="held-out reports", state="open", words=words)


def _better(primary: Comparison) -> Condition:
    if primary.effect == "better":
        return Condition(
            name=PRIMARY, title="the whole", state="holds", words="it is better on the whole, beyond chance"
        )
    if primary.effect == "worse":
        return Condition(name=PRIMARY, title="the whole", state="fails", words="it is worse on the whole")
    words = "on the whole the difference may be chance"
    if primary.harm[1] < 0:
        needed = units_needed(primary.reports, primary.error, primary.difference)
        words += (
            f": if it is as large as it looks, about {max(needed, primary.reports + 1)} reports would show it"
            if needed <= _MOST_TOLD
            else ": it is next to nothing"
        )
    return Condition(name=PRIMARY, title="the whole", state="fails", words=words)


def _in_no_language(languages: Sequence[Comparison]) -> Condition:
    worse = [LANGUAGES.get(c.group, "an unknown language") for c in languages if c.effect == "worse"]
    if worse:
        return Condition(
            name="languages", title="each language", state="fails", words=f"it is worse in {' and in '.join(worse)}"
        )
    return Condition(name="languages", title="each language", state="holds", words="it is worse in no language")


def _no_worse(name: str, title: str, found: Comparison | None, margin: float) -> Condition:
    if found is None:
        return Condition(name=name, title=title, state="left out", words=f"{title}: not looked at, nothing was written")
    if margin >= 1:
        return Condition(
            name=name, title=title, state="left out", words=f"{title}: not guarded, a margin of 1 allows all"
        )
    best, likely, worst = found.harm
    if worst <= margin:
        return Condition(
            name=name, title=title, state="holds", words=f"on {title} it is worse by less than the {margin:g} allowed"
        )
    if best > margin:
        words = f"on {title} it is worse by {likely:.2f}, where {margin:g} is allowed"
        return Condition(name=name, title=title, state="fails", words=words)
    words = f"on {title} it may be worse by up to {worst:.2f}, where {margin:g} is allowed"
    if likely < margin:
        needed = units_needed(found.reports, found.error, margin - likely)
        words += f" (sections written of about {max(needed, found.reports + 1)} reports would tell)"
    return Condition(name=name, title=title, state="open", words=words)
