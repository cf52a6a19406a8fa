import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.errors import UserError
from pipeline.evaluation.statistics import Resampling, compare_ratios, resample


def test_two_reports_by_hand() -> None:
    """Draws of {a, b}: aa and bb a quarter each, ab half. So the 2.5% and 97.5% points are aa and bb."""
    draws = resample(["a", "a", "b"], ["ca"] * 3, 4000, seed=0)
    assert draws.unit == "ca by report (2)"
    paired = compare_ratios([10, 30, 10], [10, 10, 5], [10, 10, 10], draws)
    assert (paired.reference.value, paired.candidate.value) == pytest.approx((50 / 30, 25 / 30))
    # reference: report a 40/20, report b 10/10; candidate: report a 20/20, report b 5/10
    assert (paired.reference.low, paired.reference.high) == pytest.approx((1.0, 2.0))
    assert (paired.candidate.low, paired.candidate.high) == pytest.approx((0.5, 1.0))
    assert (paired.difference.low, paired.difference.high) == pytest.approx((-1.0, -0.5))
    assert paired.difference.value == pytest.approx(-25 / 30)


def test_a_ratio_of_sums_is_not_a_mean_of_ratios() -> None:
    """One draw of both reports once: (1 + 100) / (1 + 10), not (1/1 + 100/10) / 2."""
    draws = Resampling(np.array([[1, 1], [2, 0]]), np.array([0, 1]), "by hand")
    assert draws.sums([1, 100]).tolist() == [101, 2]
    paired = compare_ratios([1, 100], [0, 0], [1, 10], draws)
    assert paired.reference.value == pytest.approx(101 / 11)
    assert paired.reference.high == pytest.approx(np.percentile([101 / 11, 1], 97.5))


def test_a_single_report_is_resampled_by_section() -> None:
    draws = resample(["a"] * 4, ["es"] * 4, 50, seed=1)
    assert draws.unit == "es by section (1 report)"
    assert draws.counts.shape == (50, 4)
    assert (draws.counts.sum(axis=1) == 4).all()


def test_languages_keep_their_number_of_reports_in_every_draw() -> None:
    reports = ["a", "b", "b", "c", "d", "d", "e"]
    languages = ["ca", "ca", "ca", "en", "en", "en", "es"]
    draws = resample(reports, languages, 200, seed=0)
    assert draws.unit == "ca by report (2), en by report (2), others by section"
    in_catalan = np.unique(draws.unit_of[:3])
    assert (draws.counts[:, in_catalan].sum(axis=1) == 2).all()
    assert (draws.counts.sum(axis=1) == 5).all()
    assert draws.unit_of[1] == draws.unit_of[2] != draws.unit_of[0]


def test_one_section_has_no_interval() -> None:
    with pytest.raises(UserError, match="too few"):
        resample(["a"], ["ca"], 100, seed=0)


@given(st.lists(st.tuples(st.integers(0, 5), st.floats(0, 100), st.floats(1, 50)), min_size=2, max_size=20))
def test_equal_contenders_differ_by_exactly_nothing(sections: list[tuple[int, float, float]]) -> None:
    draws = resample([f"r{r}" for r, _, _ in sections], ["ca"] * len(sections), 100, seed=0)
    values, weights = [v for _, v, _ in sections], [w for _, _, w in sections]
    difference = compare_ratios(values, values, weights, draws).difference
    assert (difference.value, difference.low, difference.high) == (0, 0, 0)


def test_the_seed_fixes_the_draws() -> None:
    def counts(seed: int) -> list[list[int]]:
        return resample(["a", "b", "c", "d"], ["ca"] * 4, 100, seed).counts.tolist()

    assert counts(3) == counts(3) != counts(4)


def test_contenders_that_differ_by_chance_alone_are_seldom_told_apart() -> None:
    """False alarms: nominally 5%. Sections of a report are alike: drawing sections would give far more."""
    generator = np.random.default_rng(0)
    reports = [f"r{i // 10}" for i in range(200)]
    alarms = 0
    for trial in range(200):
        shift = np.repeat(generator.normal(0, 1, 20), 10) + generator.normal(0, 0.2, 200)
        draws = resample(reports, ["ca"] * 200, 400, seed=trial)
        difference = compare_ratios([0.0] * 200, shift.tolist(), [1.0] * 200, draws).difference
        alarms += not difference.low <= 0 <= difference.high
    assert alarms / 200 < 0.12
