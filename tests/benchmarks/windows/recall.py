"""How much of what a section takes up again, its window shows.

    earlier sections   {a b} {c} {b d}      facts that were told
    the section         a b c e             wanted: a b c, for e is new
    its window          outline a | … b     kept:   a b                   recall = kept / wanted = 2/3

What a window shows is read from its text, as the model does: a name that is cut off from the sentence in which it can
be told for one is not kept. Sums are over sections, so that one with many facts counts for more.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from pipeline.facts import facts_of
from pipeline.records import Language, Window
from pipeline.settings import Corpus
from tests.benchmarks.windows.documents import Document

DAYS = "dates of single days"
PROJECT = "project"  # what a fact of a .facts.json is of, where it is not of one account
_RESAMPLES, _SEED = 2000, 0
_TARGETS_FROM = 3  # targets stand after the first third of the sections: before, there is little to choose


@dataclass(frozen=True)
class Kept:
    """Of one section: what it takes up again, and what of that its window shows."""

    wanted: frozenset[str]
    kept: frozenset[str]


@dataclass(frozen=True)
class Recall:
    """A share of facts, with its interval of 95% over sections; None where nothing is wanted."""

    sections: int
    wanted: int
    kept: int
    value: float | None
    low: float | None
    high: float | None


def places_of_targets(document: Document) -> list[int]:
    """Sections after the first third, with as many tokens as training asks of its targets."""
    sizes, corpus = [one.tokens for one in document.measured], Corpus()
    return [
        place
        for place in range(len(sizes) // _TARGETS_FROM, len(sizes))
        if corpus.shortest_target_tokens <= sizes[place] <= corpus.longest_target_tokens
    ]


def wanted_at(told: Sequence[frozenset[str]], places: Iterable[int]) -> list[frozenset[str]]:
    """At each place, ascending, the facts told there that were told before."""
    before: set[str] = set()
    wanted, done = [], 0
    for place in places:
        before = before.union(*told[done:place])
        done = place
        wanted.append(told[place] & before)
    return wanted


def facts_kept(document: Document, windows: Sequence[Window]) -> list[Kept]:
    """Of each target, by the extractor: keys of facts."""
    languages = {one.section.id: one.section.language for one in document.measured}
    places = places_of_targets(document)
    told = [facts_told(one.section.text, one.section.language) for one in document.measured]
    kept = []
    for place, wanted in zip(places, wanted_at(told, places), strict=True):
        window = windows[place]
        shown = facts_told(window.outline, document.plan.language).union(
            *(facts_told(text, languages[part.section]) for part in window.parts for text in (part.title, part.text))
        )
        kept.append(Kept(wanted, wanted & shown))
    return kept


@lru_cache(maxsize=50_000)
def facts_told(text: str, language: Language | None) -> frozenset[str]:
    """Keys of the facts of a text; numbers of one digit are none, as in `Measured.facts`."""
    return frozenset(
        fact.key for fact in facts_of(text, language) if not (fact.kind == "number" and fact.end - fact.start == 1)
    )


def true_facts_kept(document: Document, windows: Sequence[Window]) -> list[Kept]:
    """Of each target, by what is known of a sample report.

    A fact is kept if it stands, as it is written, in what the window shows of a section that tells the same of the same
    thing; or, if it is one of the project as a whole, in the outline or a heading.
    """
    assert document.true_facts is not None
    told = {one.section.id: facts for one, facts in zip(document.measured, document.true_facts, strict=True)}
    places = places_of_targets(document)
    kept = []
    for place, wanted in zip(places, wanted_at(document.true_facts, places), strict=True):
        window = windows[place]
        of_project = {fact for fact in wanted if fact.startswith(f"{PROJECT}: ")}
        titles = "\n".join((window.outline, *(part.title for part in window.parts)))
        shown = _standing(of_project, titles).union(
            *(_standing(wanted & told[part.section], part.text) for part in window.parts)
        )
        kept.append(Kept(wanted, shown))
    return kept


def _standing(facts: Iterable[str], text: str) -> frozenset[str]:
    return frozenset(fact for fact in facts if stands_in(fact.partition(": ")[2], text))


def stands_in(fact: str, text: str) -> bool:
    """Whether the string stands in the text by itself: not within a word or a longer number."""
    return fact in text and bool(_by_itself(fact).search(text))


@lru_cache(maxsize=10_000)
def _by_itself(fact: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?<!\d[.,]){re.escape(fact)}(?!\w)(?![.,]\d)")


def kind_of(key: str) -> str:
    """The kind of a key; dates of single days are told apart, as in invented text they recur by chance."""
    kind, _, value = key.partition(":")
    return DAYS if kind == "date" and value.count("-") >= 2 else kind


def recall(targets: Sequence[Kept], counts: Callable[[str], bool] = lambda key: True) -> Recall:
    """The recall of the facts that count."""
    wanted = [sum(map(counts, one.wanted)) for one in targets]
    kept = [sum(map(counts, one.kept)) for one in targets]
    if not sum(wanted):
        return Recall(len(targets), 0, 0, None, None, None)
    low, high = interval(kept, wanted)
    return Recall(len(targets), sum(wanted), sum(kept), sum(kept) / sum(wanted), low, high)


def interval(kept: Sequence[int], wanted: Sequence[int]) -> tuple[float, float]:
    """Bootstrap percentiles, 2.5 and 97.5, of sum(kept) / sum(wanted) over resampled sections (Efron 1979)."""
    import numpy as np

    draws = np.random.default_rng(_SEED).integers(0, len(kept), (_RESAMPLES, len(kept)))
    sums = np.asarray(wanted)[draws].sum(axis=1)
    ratios = np.asarray(kept)[draws].sum(axis=1)[sums > 0] / sums[sums > 0]
    low, high = np.percentile(ratios, (2.5, 97.5))
    return float(low), float(high)
