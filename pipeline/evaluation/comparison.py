"""Candidate against reference, score by score, over all sections and in each language; and the verdict.

The verdict is "better" if the primary score, bits per byte over all sections, is better with its whole 95%
interval and no language is worse with its whole interval. Anything else is "not better": doubt speaks for
what is in service.
"""

from collections.abc import Callable, Sequence
from typing import Literal

from pipeline.evaluation import bits, chrf
from pipeline.evaluation.bits import SectionBits
from pipeline.evaluation.generation import Written
from pipeline.evaluation.statistics import Paired, compare_ratios, resample
from pipeline.records import Example, Record, Score
from pipeline.settings import Evaluation as EvaluationSettings

ALL = "all"
PRIMARY = bits.NAME
LOWER_IS_BETTER = frozenset({bits.NAME})
LANGUAGES = {"ca": "Catalan", "es": "Spanish", "en": "English"}

Verdict = Literal["better", "not better"]


class Comparison(Record):
    """One score of both contenders on one group of sections; `difference` is candidate - reference.

    `low` and `high` bound the 95% interval of the difference; `n` counts sections.
    """

    name: str
    group: str
    signature: str
    reference: float
    candidate: float
    difference: float
    low: float
    high: float
    n: int

    @property
    def effect(self) -> Literal["better", "worse", "no difference shown"]:
        """What the interval says: all of it on one side of zero, or not."""
        if self.low <= 0 <= self.high:
            return "no difference shown"
        return "better" if (self.difference < 0) == (self.name in LOWER_IS_BETTER) else "worse"


class Compared(Record):
    """A comparison, and the candidate's own value with its interval."""

    comparison: Comparison
    score: Score


def compare_bits(
    reference: Sequence[SectionBits],
    candidate: Sequence[SectionBits],
    signature: str,
    settings: EvaluationSettings,
) -> list[Compared]:
    """Bits per byte of both: sum of bits / sum of bytes over the same sections."""
    assert [s.example for s in reference] == [s.example for s in candidate], "not the same sections"
    return _by_group(
        bits.NAME,
        signature,
        [(s.report, s.language) for s in reference],
        ([s.bits for s in reference], [s.bits for s in candidate], [float(s.text_bytes) for s in reference]),
        settings,
    )


def compare_written(
    reference: Sequence[Written],
    candidate: Sequence[Written],
    examples: Sequence[Example],
    signature: str,
    settings: EvaluationSettings,
) -> list[Compared]:
    """chrF++ of what both wrote, against the true sections of `examples`: the mean over sections."""
    scores = [
        [chrf.chrf(section.text, example.target) for section, example in zip(written, examples, strict=True)]
        for written in (reference, candidate)
    ]
    return _by_group(
        chrf.NAME,
        signature,
        [(example.report, example.language) for example in examples],
        (scores[0], scores[1], [1.0] * len(examples)),
        settings,
    )


def judge(comparisons: Sequence[Comparison]) -> tuple[Verdict, str]:
    """The verdict, and why in plain words."""
    primary = {c.group: c for c in comparisons if c.name == PRIMARY}
    reasons = []
    if primary[ALL].effect != "better":
        reasons.append(
            "it is worse on the whole"
            if primary[ALL].effect == "worse"
            else "on the whole the difference may be chance: its interval holds zero"
        )
    reasons += [
        f"it is worse in {LANGUAGES.get(group, 'an unknown language')}"
        for group, comparison in primary.items()
        if group != ALL and comparison.effect == "worse"
    ]
    if reasons:
        return "not better", " and ".join(reasons)
    return "better", "it is better on the whole, beyond chance, and worse in no language"


def _by_group(
    name: str,
    signature: str,
    places: Sequence[tuple[str, str | None]],
    values: tuple[Sequence[float], Sequence[float], Sequence[float]],
    settings: EvaluationSettings,
) -> list[Compared]:
    """All sections first, then each language that has more than one."""
    languages = [language or "unknown" for _, language in places]
    groups: list[tuple[str, Callable[[str], bool]]] = [(ALL, lambda _: True)]
    groups += [(g, g.__eq__) for g in sorted(set(languages)) if languages.count(g) > 1]
    compared = []
    for group, belongs in groups:
        chosen = [i for i, language in enumerate(languages) if belongs(language)]
        draws = resample(
            [places[i][0] for i in chosen], [languages[i] for i in chosen], settings.resamples, settings.seed
        )
        before, after, weights = ([column[i] for i in chosen] for column in values)
        how = f"{settings.resamples} draws, seed {settings.seed}, {draws.unit}"
        full = f"{signature}|ci:95% paired bootstrap, {how}"
        compared.append(_compared(name, group, full, compare_ratios(before, after, weights, draws), len(chosen)))
    return compared


def _compared(name: str, group: str, signature: str, paired: Paired, n: int) -> Compared:
    own, difference = paired.candidate, paired.difference
    return Compared(
        comparison=Comparison(
            name=name,
            group=group,
            signature=signature,
            reference=paired.reference.value,
            candidate=own.value,
            difference=difference.value,
            low=difference.low,
            high=difference.high,
            n=n,
        ),
        score=Score(
            name=name if group == ALL else f"{name}/{group}",
            signature=signature,
            value=own.value,
            low=own.low,
            high=own.high,
            n=n,
        ),
    )
