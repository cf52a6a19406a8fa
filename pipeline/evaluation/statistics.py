"""The paired bootstrap by report: what might the difference be, had other reports been held out?

    sections   a a a b b c c c c     sections of a report are alike: whole reports are drawn, with replacement
    resample   a×2     b×0 c×1       and each takes all its sections along; both contenders get the same draw

Languages are strata: each keeps its number of reports. A language with a single report cannot be resampled by
report; its sections are drawn instead, and the interval then says nothing of other reports (`Resampling.unit`
tells so).

Efron & Tibshirani, "An Introduction to the Bootstrap" (1993), the percentile interval; Koehn, "Statistical
significance tests for machine translation evaluation" (2004), for pairing.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pipeline.errors import UserError

Floats = NDArray[np.float64]
_PERCENTILES = (2.5, 97.5)


@dataclass(frozen=True)
class Resampling:
    """The draws: `counts` [resamples, units], how often each was drawn; `unit_of` [sections]."""

    counts: NDArray[np.int64]
    unit_of: NDArray[np.int64]
    unit: str

    def sums(self, values: Sequence[float]) -> Floats:
        """The sum of per-section values in each resample: [resamples]."""
        by_unit = np.bincount(self.unit_of, weights=values, minlength=self.counts.shape[1])
        return (self.counts @ by_unit).astype(np.float64)


@dataclass(frozen=True)
class Estimate:
    """A value with its 95% interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Paired:
    """Two contenders on the same sections, and the difference candidate - reference."""

    reference: Estimate
    candidate: Estimate
    difference: Estimate


def resample(reports: Sequence[str], languages: Sequence[str], resamples: int, seed: int) -> Resampling:
    """Draw whole reports within each language; the same seed and sections give the same draws.

    Args:
        reports: the report of each section, [sections].
        languages: the language of each section, [sections].

    Raises:
        UserError: a single section; it has no interval.
    """
    if len(reports) < 2:
        raise UserError(f"{len(reports)} held-out sections are too few to judge by", fix="ingest more reports")
    units = _units(reports, languages)
    names = sorted({(stratum, unit) for stratum, unit, _ in units})
    place = {name: i for i, name in enumerate(names)}
    generator = np.random.default_rng(seed)
    counts = np.zeros((resamples, len(names)), dtype=np.int64)
    for stratum in sorted({stratum for stratum, _ in names}):
        columns = [place[name] for name in names if name[0] == stratum]
        counts[:, columns] = generator.multinomial(len(columns), [1 / len(columns)] * len(columns), resamples)
    kinds = sorted({(stratum, kind) for stratum, _, kind in units})
    return Resampling(
        counts,
        np.array([place[stratum, unit] for stratum, unit, _ in units]),
        ", ".join(f"{stratum} by {kind}" for stratum, kind in kinds),
    )


def compare_ratios(
    reference: Sequence[float], candidate: Sequence[float], weights: Sequence[float], resampling: Resampling
) -> Paired:
    """Compare by a ratio of sums, sum(values) / sum(weights): over all sections, and in each resample.

    Args:
        reference, candidate: [sections], for instance bits.
        weights: [sections], > 0, for instance bytes; all 1 for a plain mean.
    """
    totals = resampling.sums(weights)
    before, after = resampling.sums(reference) / totals, resampling.sums(candidate) / totals
    value_before, value_after = sum(reference) / sum(weights), sum(candidate) / sum(weights)
    return Paired(
        _estimate(value_before, before),
        _estimate(value_after, after),
        _estimate(value_after - value_before, after - before),
    )


def _estimate(value: float, resampled: Floats) -> Estimate:
    low, high = np.percentile(resampled, _PERCENTILES)
    return Estimate(value, float(low), float(high))


def _units(reports: Sequence[str], languages: Sequence[str]) -> list[tuple[str, str, str]]:
    """Stratum, unit and kind of unit of each section."""
    sections = Counter(languages)
    reports_of = Counter(language for _, language in set(zip(reports, languages, strict=True)))
    units = []
    for i, (report, language) in enumerate(zip(reports, languages, strict=True)):
        if reports_of[language] > 1:
            units.append((language, report, f"report ({reports_of[language]})"))
        elif sections[language] > 1:
            units.append((language, f"{i:09d}", "section (1 report)"))
        else:  # one section by itself would never vary: such sections are drawn among each other
            units.append(("others", f"{i:09d}", "section"))
    return units
