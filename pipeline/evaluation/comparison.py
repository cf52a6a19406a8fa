"""Two contenders, score by score, over all sections and in each language: who is better, and beyond chance?

    Scored      a numerator and a weight of each section, a row a contender; a group's score is the sum of the one
       │        by the sum of the other
       ├── candidate - champion     on the sections where both have them
       └── candidate - base         the same; alone, where there is no champion

One score is primary, named beforehand: its p-value stands as it is. The others are corrected for their number (Holm),
so that a difference which one of many scores shows by luck is not called one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from pipeline.evaluation import bits
from pipeline.evaluation.scores.score import Better, Part
from pipeline.evaluation.statistics import CONFIDENCE, Paired, Resampling, compare_ratios, holm, resample
from pipeline.records import Language, Record, Score
from pipeline.settings import Evaluation as EvaluationSettings

ALL = "all"
PRIMARY = bits.NAME
LANGUAGES = {"ca": "Catalan", "es": "Spanish", "en": "English"}

Rival = Literal["base", "champion"]
Contender = Literal["base", "champion", "candidate"]
Effect = Literal["better", "worse", "no difference shown"]


@dataclass(frozen=True)
class Place:
    """Where a section stands: its report, and what it is written in."""

    report: str
    language: Language | None


@dataclass(frozen=True)
class Scored:
    """One score of every contender on the same sections, in one order; None where it says nothing of a section."""

    name: str
    title: str
    better: Better
    signature: str
    places: Sequence[Place]
    parts: Mapping[Contender, Sequence[Part | None]]


class Comparison(Record):
    """One score of two contenders on one group of sections; `difference` is candidate - reference.

    `against` says who the reference is. `low` and `high` bound the 95% interval of the difference, `error` is its
    standard error and `p` its p-value, corrected as the signature says. `n` counts sections, of `reports` reports.
    """

    name: str
    title: str
    better: Better
    group: str
    against: Rival
    signature: str
    reference: float
    candidate: float
    difference: float
    low: float
    high: float
    error: float
    p: float
    n: int
    reports: int

    @property
    def effect(self) -> Effect:
        """What is shown: the whole interval lies on one side of zero, and so few would do so by chance."""
        if self.low <= 0 <= self.high or self.p > 1 - CONFIDENCE:
            return "no difference shown"
        return "better" if self.harm[1] < 0 else "worse"

    @property
    def harm(self) -> tuple[float, float, float]:
        """By how much the candidate is worse: the best case, the value found, the worst case; below 0: better."""
        rises = self.better == "lower"
        if self.better == "nearer one":
            further = abs(self.candidate - 1) > abs(self.reference - 1)
            rises = further == (self.difference > 0)
        if rises:
            return self.low, self.difference, self.high
        return -self.high, -self.difference, -self.low


class Compared(Record):
    """A comparison, and the candidate's own value with its interval."""

    comparison: Comparison
    score: Score


def compare(scored: Sequence[Scored], against: Rival, settings: EvaluationSettings) -> list[Compared]:
    """Every score over all sections, then in each language that has more than one; other pairs' scores are left out."""
    found = [
        compared
        for one in scored
        if against in one.parts
        for group in [ALL, *sorted({place.language or "unknown" for place in one.places})]
        if (compared := _compare(one, group, against, settings)) is not None
    ]
    return _corrected(found)


def _compare(scored: Scored, group: str, against: Rival, settings: EvaluationSettings) -> Compared | None:
    """None where fewer than two sections have a value by both contenders, or one of them has no weight at all."""
    rows = [
        (place.report, before, after)
        for place, before, after in zip(scored.places, scored.parts[against], scored.parts["candidate"], strict=True)
        if group in (ALL, place.language or "unknown") and before is not None and after is not None
    ]
    reports, before, after = ([row[0] for row in rows], [row[1] for row in rows], [row[2] for row in rows])
    if len(rows) < 2 or not all(sum(weight for _, weight in parts) > 0 for parts in (before, after)):
        return None
    draws = resample(reports, settings.resamples, settings.seed)
    paired = compare_ratios(
        [numerator for numerator, _ in before],
        [numerator for numerator, _ in after],
        [weight for _, weight in before],
        draws,
        [weight for _, weight in after],
    )
    return _compared(scored, group, against, paired, _how(draws, settings), reports)


def _how(draws: Resampling, settings: EvaluationSettings) -> str:
    return (
        f"ci:95% expanded percentile|paired bootstrap by {draws.unit}, {settings.resamples} draws, seed {settings.seed}"
    )


def _compared(
    scored: Scored,
    group: str,
    against: Rival,
    paired: Paired,
    how: str,
    reports: Sequence[str],
) -> Compared:
    own, difference = paired.candidate, paired.difference
    signature = f"{scored.signature}|{how}"
    return Compared(
        comparison=Comparison(
            name=scored.name,
            title=scored.title,
            better=scored.better,
            group=group,
            against=against,
            signature=signature,
            reference=paired.reference.value,
            candidate=own.value,
            difference=difference.value,
            low=difference.low,
            high=difference.high,
            error=difference.error,
            p=difference.p,
            n=len(reports),
            reports=len(set(reports)),
        ),
        score=Score(
            name=scored.name if group == ALL else f"{scored.name}/{group}",
            signature=signature,
            value=own.value,
            low=own.low,
            high=own.high,
            n=len(reports),
        ),
    )


def _corrected(found: Sequence[Compared]) -> list[Compared]:
    """With p-values corrected for the number of secondary scores that are told of the same group."""
    corrected = []
    for one in found:
        comparison = one.comparison
        if comparison.name == PRIMARY:
            how, p = "p:uncorrected, the one primary score", comparison.p
        else:
            family = [
                other.comparison
                for other in found
                if other.comparison.group == comparison.group and other.comparison.name != PRIMARY
            ]
            adjusted = holm([other.p for other in family])[family.index(comparison)]
            how, p = f"p:Holm, {len(family)} scores", adjusted
        told = comparison.model_copy(update={"p": p, "signature": f"{comparison.signature}|{how}"})
        corrected.append(one.model_copy(update={"comparison": told}))
    return corrected
