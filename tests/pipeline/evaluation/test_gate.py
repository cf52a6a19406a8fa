"""The gate, condition by condition; and by simulation, how often it lets through what it should not."""

from typing import Any

import numpy as np
import pytest

from pipeline.evaluation.comparison import Comparison, Place, Scored, compare
from pipeline.evaluation.gate import Judgement, judge
from pipeline.settings import Evaluation as EvaluationSettings

SETTINGS = EvaluationSettings(resamples=500, margin_unsupported=0.05)


def _comparison(
    low: float, high: float, name: str = "bits_per_byte", group: str = "all", better: Any = "lower"
) -> Comparison:
    """As if by 10 reports; p stands for an interval of 95%."""
    middle, error = (low + high) / 2, max((high - low) / 4, 1e-6)
    values = {"reference": 3.0, "candidate": 3.0 + middle, "difference": middle, "low": low, "high": high}
    p = 0.5 if low <= 0 <= high else 0.01
    names: dict[str, Any] = {"name": name, "title": name, "against": "base", "group": group, "signature": "v1"}
    return Comparison(**names, **values, better=better, error=error, p=p, n=30, reports=10)


BETTER = _comparison(-0.3, -0.1)


@pytest.mark.parametrize(
    ("comparisons", "verdict", "why"),
    [
        ([BETTER, _comparison(-0.1, 0.2, group="en")], "better", "worse in no language"),
        ([_comparison(-0.3, 0.1)], "not better", "may be chance: if it is as large as it looks, about 79 reports"),
        ([_comparison(0, 0)], "not better", "may be chance"),
        ([_comparison(0.1, 0.3)], "not better", "worse on the whole"),
        ([BETTER, _comparison(0.1, 0.2, group="en")], "not better", "worse in English"),
        ([_comparison(0.1, 0.3), _comparison(0.1, 0.3, group="ca")], "not better", "whole; and it is worse in Catalan"),
        (
            [BETTER, _comparison(-0.9, 0.04, "unsupported")],
            "better",
            "in no language; worse by less than is allowed on: invented facts; not guarded",
        ),
        ([BETTER, _comparison(0.06, 0.3, "unsupported")], "not better", "on invented facts it is worse by 0.18"),
        ([BETTER, _comparison(-0.1, 0.1, "unsupported")], "too few to judge", "may be worse by up to 0.10"),
        (
            [BETTER, _comparison(-0.05, 0.1, "stop_rate", better="higher")],
            "better",
            "allowed on: unfinished sections; not guarded",
        ),
        ([BETTER, _comparison(-0.3, -0.2, "stop_rate", better="higher")], "not better", "worse by 0.25"),
        ([BETTER, _comparison(-0.9, 0.9, "chrf++", better="higher")], "better", "beyond chance"),
        ([_comparison(0.1, 0.3), _comparison(-0.1, 0.1, "unsupported")], "not better", "worse on the whole"),
    ],
)
def test_the_verdict(comparisons: list[Comparison], verdict: str, why: str) -> None:
    found = judge(comparisons, 10, SETTINGS)
    assert found.verdict == verdict
    assert why in found.reason


def test_an_open_guard_says_how_many_reports_would_tell() -> None:
    """Standard error 0.05 by 10 reports, 0.05 to tell: (1.96 + 0.84)^2 * 10."""
    found = judge([BETTER, _comparison(-0.1, 0.1, "unsupported")], 10, SETTINGS)
    assert "sections written of about 79 reports would tell" in found.reason


def test_too_few_reports_are_not_judged_whatever_they_show() -> None:
    found = judge([BETTER], 4, SETTINGS)
    assert found.verdict == "too few to judge"
    assert "4 held-out reports are too few: 2 more needed" in found.reason
    assert [c.state for c in found.conditions if c.name == "bits_per_byte"] == ["holds"]  # told all the same


def test_what_was_not_written_is_not_looked_at() -> None:
    found = judge([BETTER], 10, SETTINGS)
    assert [c.state for c in found.conditions[3:]] == ["left out"] * 3
    assert found.verdict == "better"
    assert found.reason.endswith("; not guarded: invented facts, repetition, unfinished sections")


def test_a_margin_of_one_guards_nothing_and_says_so() -> None:
    settings = SETTINGS.model_copy(update={"margin_unsupported": 1.0})
    found = judge([BETTER, _comparison(0.3, 0.9, "unsupported")], 10, settings)
    assert found.verdict == "better"
    assert "not guarded: invented facts" in found.reason


class Simulated:
    """Two contenders on 12 reports of 8 sections: sections of a report are alike, and some are written."""

    def __init__(self, seed: int) -> None:
        self._random = np.random.default_rng(seed)
        self._places = [Place(f"r{i // 8}", ("ca", "es", "en")[i // 8 % 3]) for i in range(96)]

    def judged(self, gain: float, invented: float = 0.0) -> Judgement:
        """The candidate saves `gain` bits per byte, and invents a share of `invented` more."""
        by_report = np.repeat(self._random.normal(0, 0.08, 12), 8)
        costs = self._random.normal(2.0, 0.4, 96)
        after = costs - gain + by_report + self._random.normal(0, 0.1, 96)
        claims = self._random.integers(5, 40, (2, 96))
        wrong = self._random.binomial(claims, [[0.1], [0.1 + invented]])
        bytes_of = self._random.integers(300, 4000, 96)
        scored = [
            self._scored("bits_per_byte", costs * bytes_of, after * bytes_of, bytes_of, bytes_of),
            self._scored("unsupported", wrong[0], wrong[1], claims[0], claims[1]),
            *(self._scored(f"other {i}", *self._random.normal(1, 0.2, (2, 96))) for i in range(2)),
        ]
        return judge([c.comparison for c in compare(scored, "base", SETTINGS)], 12, SETTINGS)

    def _scored(self, name: str, before: Any, after: Any, size: Any = None, own: Any = None) -> Scored:
        ones = np.ones(96)
        rows = [
            [(float(value), float(weight)) for value, weight in zip(values, weights, strict=True)]
            for values, weights in ((before, ones if size is None else size), (after, ones if own is None else own))
        ]
        return Scored(name, name, "lower", "v1", self._places, {"base": rows[0], "candidate": rows[1]})


def _verdicts(gain: float, times: int, **how: float) -> list[str]:
    simulated = Simulated(seed=1)
    return [simulated.judged(gain, **how).verdict for _ in range(times)]


def test_contenders_that_are_alike_are_no_difference_in_19_of_20_comparisons() -> None:
    simulated = Simulated(seed=0)
    found = [simulated.judged(0.0) for _ in range(200)]
    shown = [j for j in found if j.verdict == "better" or "worse on the whole" in j.reason]
    assert len(shown) <= 10
    assert sum(j.verdict == "better" for j in found) <= 5


def test_a_gain_is_seen_and_a_loss_refused() -> None:
    """Reports differ by 0.08 bits: the standard error of 12 is some 0.03."""
    assert _verdicts(0.15, 40).count("better") >= 34
    assert _verdicts(-0.15, 40) == ["not better"] * 40


def test_who_invents_more_is_refused_whatever_the_gain() -> None:
    assert "better" not in _verdicts(0.3, 40, invented=0.1)
