"""The paired bootstrap by report: what might the difference be, had other reports been held out?

    sections   a a a b b c c c c     sections of a report are alike: whole reports are drawn, with replacement
    resample   a×2     b×0 c×1       and each takes all its sections along; both contenders get the same draw

A single report cannot be resampled; its sections are drawn instead, and the interval then says nothing of other
reports (`Resampling.unit` tells so).

A percentile interval is too narrow where units are few: drawn values vary less than the true ones by a factor of
(n - 1) / n, and the normal's tails are too thin. Here it is taken between percentiles further out,

    tail = Phi(-sqrt(n / (n - 1)) t)        t: Student's, 95%, n - 1 degrees of freedom

the expanded percentile interval of Hesterberg, "What Teachers Should Know About the Bootstrap" (2015), section 5.3. A
p-value is Student's, of the value by its bootstrap standard error (which is stretched alike). Pairing follows Koehn,
"Statistical significance tests for machine translation evaluation" (2004); many scores are corrected for by Holm,
"A simple sequentially rejective multiple test procedure" (1979).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from pipeline.errors import UserError
from pipeline.evaluation import student

Floats = NDArray[np.float64]
CONFIDENCE, POWER = 0.95, 0.8
_NORMAL = NormalDist()
_Z_SHOWN = _NORMAL.inv_cdf((1 + CONFIDENCE) / 2) + _NORMAL.inv_cdf(POWER)


@dataclass(frozen=True)
class Resampling:
    """The draws: `counts` [resamples, units], how often each was drawn; `unit_of` [sections]."""

    counts: NDArray[np.int64]
    unit_of: NDArray[np.int64]
    unit: str

    @property
    def units(self) -> int:
        """How many reports there are to draw from (or sections, of a single report)."""
        return int(self.counts.shape[1])

    def sums(self, values: Sequence[float]) -> Floats:
        """The sum of per-section values in each resample: [resamples]."""
        by_unit = np.bincount(self.unit_of, weights=values, minlength=self.counts.shape[1])
        return (self.counts @ by_unit).astype(np.float64)


@dataclass(frozen=True)
class Estimate:
    """A value with its 95% interval, its standard error, and the p-value of its being zero (two-sided)."""

    value: float
    low: float
    high: float
    error: float
    p: float


@dataclass(frozen=True)
class Paired:
    """Two contenders on the same sections, and the difference candidate - reference."""

    reference: Estimate
    candidate: Estimate
    difference: Estimate


def resample(reports: Sequence[str], resamples: int, seed: int) -> Resampling:
    """Draw whole reports; the same seed and sections give the same draws.

    Args:
        reports: the report of each section, [sections].

    Raises:
        UserError: a single section; it has no interval.
    """
    return _resample(tuple(reports), resamples, seed)


@lru_cache(maxsize=32)  # many scores of the same sections have the same draws
def _resample(reports: tuple[str, ...], resamples: int, seed: int) -> Resampling:
    if len(reports) < 2:
        raise UserError(f"{len(reports)} held-out sections are too few to judge by", fix="ingest more reports")
    names = sorted(set(reports))
    if len(names) > 1:
        place = {name: i for i, name in enumerate(names)}
        unit_of, unit = np.array([place[report] for report in reports]), f"report ({len(names)})"
    else:
        unit_of, unit = np.arange(len(reports)), "section (1 report)"
    units = int(unit_of.max()) + 1
    counts = np.random.default_rng(seed).multinomial(units, [1 / units] * units, resamples)
    return Resampling(counts, unit_of, unit)


def compare_ratios(
    reference: Sequence[float],
    candidate: Sequence[float],
    weights: Sequence[float],
    resampling: Resampling,
    candidate_weights: Sequence[float] | None = None,
) -> Paired:
    """Compare by a ratio of sums, sum(values) / sum(weights): over all sections, and in each resample.

    Draws in which a contender has no weight at all are left out.

    Args:
        reference, candidate: [sections], for instance bits.
        weights: [sections], >= 0 and not all 0, for instance bytes; all 1 for a plain mean.
        candidate_weights: the candidate's own, where they depend on what it wrote; by default `weights`.
    """
    own = weights if candidate_weights is None else candidate_weights
    totals, own_totals = resampling.sums(weights), resampling.sums(own)
    drawn = (totals > 0) & (own_totals > 0)
    before = resampling.sums(reference)[drawn] / totals[drawn]
    after = resampling.sums(candidate)[drawn] / own_totals[drawn]
    value_before, value_after = sum(reference) / sum(weights), sum(candidate) / sum(own)
    return Paired(
        _estimate(value_before, before, resampling.units),
        _estimate(value_after, after, resampling.units),
        _estimate(value_after - value_before, after - before, resampling.units),
    )


def holm(p_values: Sequence[float]) -> list[float]:
    """Adjusted p-values: those <= 5% are wrong together at most 5% of the times, however the scores hang together."""
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    adjusted, highest = [0.0] * len(p_values), 0.0
    for rank, i in enumerate(order):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[i]))
        adjusted[i] = highest
    return adjusted


def units_needed(units: int, error: float, distance: float) -> int:
    """How many units would tell a true value from another at this distance, in four cases of five.

    n ((z_97.5% + z_80%) error / distance)^2, the usual sample size for a mean.

    Args:
        units, error: what was drawn from, and the standard error that it gave.
        distance: > 0.
    """
    return math.ceil(units * (_Z_SHOWN * error / distance) ** 2)


def _estimate(value: float, resampled: Floats, units: int) -> Estimate:
    stretch = math.sqrt(units / (units - 1))
    tail = _NORMAL.cdf(-stretch * student.bound(CONFIDENCE, units - 1))
    low, high = np.quantile(resampled, (tail, 1 - tail))
    error = stretch * float(np.std(resampled))
    return Estimate(value, float(low), float(high), error, _p(value, error, units))


def _p(value: float, error: float, units: int) -> float:
    if error <= 0:
        return 0.0 if value else 1.0
    return 1 - student.within(abs(value) / error, units - 1)
