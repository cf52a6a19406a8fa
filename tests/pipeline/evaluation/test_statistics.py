import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.errors import UserError
from pipeline.evaluation import student
from pipeline.evaluation.statistics import Resampling, compare_ratios, holm, resample, units_needed


@pytest.mark.parametrize(
    ("share", "degrees", "t"),  # from the printed tables
    [(0.95, 1, 12.706), (0.95, 2, 4.303), (0.95, 5, 2.571), (0.9, 6, 1.943), (0.99, 29, 2.756), (0.95, 1000, 1.962)],
)
def test_students_t_is_that_of_the_tables(share: float, degrees: int, t: float) -> None:
    assert student.bound(share, degrees) == pytest.approx(t, abs=5e-4)
    assert student.within(t, degrees) == pytest.approx(share, abs=5e-4)


def test_two_reports_by_hand() -> None:
    """Draws of {a, b}: aa and bb a quarter each, ab half. So the ends of the interval are aa and bb."""
    draws = resample(["a", "a", "b"], 4000, seed=0)
    assert (draws.unit, draws.units) == ("report (2)", 2)
    paired = compare_ratios([10, 30, 10], [10, 10, 5], [10, 10, 10], draws)
    assert (paired.reference.value, paired.candidate.value) == pytest.approx((50 / 30, 25 / 30))
    # reference: report a 40/20, report b 10/10; candidate: report a 20/20, report b 5/10
    assert (paired.reference.low, paired.reference.high) == pytest.approx((1.0, 2.0))
    assert (paired.candidate.low, paired.candidate.high) == pytest.approx((0.5, 1.0))
    assert (paired.difference.low, paired.difference.high) == pytest.approx((-1.0, -0.5))
    assert paired.difference.value == pytest.approx(-25 / 30)


def test_the_interval_is_students_where_values_are_normal() -> None:
    """Eight reports of one section each: mean -+ t s / sqrt(n), which percentiles alone would fall short of by 20%."""
    values = np.array([1.2, -0.7, 0.4, 2.1, -1.3, 0.2, 0.9, -0.4])
    draws = resample(list("abcdefgh"), 40_000, seed=0)
    found = compare_ratios([0.0] * 8, values.tolist(), [1.0] * 8, draws).difference
    error = values.std(ddof=1) / math.sqrt(8)
    assert found.error == pytest.approx(error, rel=0.02)
    assert found.high - found.low == pytest.approx(2 * student.bound(0.95, 7) * error, rel=0.08)
    assert found.p == pytest.approx(1 - student.within(values.mean() / error, 7), abs=0.005)


def test_a_ratio_of_sums_is_not_a_mean_of_ratios() -> None:
    """One draw of both reports once: (1 + 100) / (1 + 10), not (1/1 + 100/10) / 2."""
    draws = Resampling(np.array([[1, 1], [2, 0]]), np.array([0, 1]), "by hand")
    assert draws.sums([1, 100]).tolist() == [101, 2]
    paired = compare_ratios([1, 100], [0, 0], [1, 10], draws)
    assert paired.reference.value == pytest.approx(101 / 11)
    assert paired.reference.high == pytest.approx(101 / 11)


def test_each_contender_may_have_weights_of_its_own() -> None:
    """1 unsupported of 2 facts and 1 of 8, against 0 of 4 and none of none: the draw of b twice says nothing."""
    draws = Resampling(np.array([[1, 1], [2, 0], [0, 2]]), np.array([0, 1]), "by hand")
    paired = compare_ratios([1, 1], [0, 0], [2, 8], draws, candidate_weights=[4, 0])
    assert (paired.reference.value, paired.candidate.value) == (pytest.approx(0.2), 0)
    assert (paired.difference.low, paired.difference.high) == pytest.approx((-0.5, -0.2))


def test_a_single_report_is_resampled_by_section() -> None:
    draws = resample(["a"] * 4, 50, seed=1)
    assert draws.unit == "section (1 report)"
    assert draws.counts.shape == (50, 4)
    assert (draws.counts.sum(axis=1) == 4).all()


def test_one_section_has_no_interval() -> None:
    with pytest.raises(UserError, match="too few"):
        resample(["a"], 100, seed=0)


@given(st.lists(st.tuples(st.integers(0, 5), st.floats(0, 100), st.floats(1, 50)), min_size=2, max_size=20))
def test_equal_contenders_differ_by_exactly_nothing(sections: list[tuple[int, float, float]]) -> None:
    draws = resample([f"r{r}" for r, _, _ in sections], 100, seed=0)
    values, weights = [v for _, v, _ in sections], [w for _, _, w in sections]
    difference = compare_ratios(values, values, weights, draws).difference
    assert (difference.value, difference.low, difference.high, difference.p) == (0, 0, 0, 1)


def test_the_seed_fixes_the_draws() -> None:
    def counts(seed: int) -> list[list[int]]:
        return resample(["a", "b", "c", "d"], 100, seed).counts.tolist()

    assert counts(3) == counts(3) != counts(4)


def test_holm_by_hand() -> None:
    """Smallest first: 3 * 0.01, 2 * 0.02, then 0.04 would be less than the one before it."""
    assert holm([0.02, 0.039, 0.01]) == pytest.approx([0.04, 0.04, 0.03])
    assert holm([0.6, 0.5]) == [1, 1]


@given(st.lists(st.floats(0, 1), max_size=12))
def test_holm_keeps_the_order_and_lies_between_none_and_bonferroni(p_values: list[float]) -> None:
    adjusted = holm(p_values)
    for p, found in zip(p_values, adjusted, strict=True):
        assert p <= found <= min(1, len(p_values) * p) + 1e-12
    assert sorted(range(len(adjusted)), key=lambda i: (p_values[i], adjusted[i])) == sorted(
        range(len(adjusted)), key=lambda i: (adjusted[i], p_values[i])
    )


def test_units_needed_by_hand() -> None:
    """(1.960 + 0.842)^2 = 7.85: at one standard error's distance, 7.85 times the units."""
    assert units_needed(100, 0.5, 0.5) == 785
    assert units_needed(100, 0.5, 1.0) == 197


@pytest.mark.parametrize("reports", [6, 20])
def test_contenders_that_differ_by_chance_alone_are_seldom_told_apart(reports: int) -> None:
    """False alarms: nominally 5%. Sections of a report are alike: drawing sections would give far more."""
    generator = np.random.default_rng(0)
    names = [f"r{i // 10}" for i in range(10 * reports)]
    draws = resample(names, 2000, seed=0)
    alarms = 0
    for _ in range(400):
        shift = np.repeat(generator.normal(0, 1, reports), 10) + generator.normal(0, 0.2, len(names))
        difference = compare_ratios([0.0] * len(names), shift.tolist(), [1.0] * len(names), draws).difference
        alarms += not difference.low <= 0 <= difference.high
    assert alarms / 400 < 0.07
