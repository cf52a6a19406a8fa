"""Sharing by decay: whole, within the sizes, nothing left over, and the heavier never behind the lighter."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.windows.shares import decay_weights, distances_in_tokens, water_fill

sizes = st.lists(st.integers(0, 200_000), max_size=40)
half_lives = st.one_of(st.floats(1e-300, 1e300), st.floats(0.5, 50))


@pytest.mark.parametrize(
    ("sizes", "weights", "budget", "shares"),
    [
        ([100, 100, 100], [1, 2, 4], 70, [10, 20, 40]),  # in proportion
        (
            [100, 100, 10],
            [1, 2, 4],
            70,
            [20, 40, 10],
        ),  # the nearest is full at 10, the rest share 60 by 1 : 2
        ([100, 5, 10], [1, 2, 4], 70, [55, 5, 10]),  # all flows on to the only one that is not full
        ([3, 5, 10], [1, 2, 4], 70, [3, 5, 10]),  # everything fits
        ([9, 9], [1, 1], 5, [3, 2]),  # of equal weights the earlier has the remainder
        ([9, 9], [1, 2], 2, [0, 2]),  # 0.67 and 1.33: the remainder goes to the heavier
        ([9, 0, 9], [1, 1, 1], 0, [0, 0, 0]),
        ([19, 171], [1 / 3, 3], 190, [19, 171]),  # both full at once, but for rounding
        ([6, 140, 20], [0.3, 7, 1], 166, [6, 140, 20]),
        ([], [], 7, []),
    ],
)
def test_shares_worked_out_by_hand(sizes: list[int], weights: list[float], budget: int, shares: list[int]) -> None:
    assert water_fill(sizes, weights, budget) == shares


def test_weights_halve_with_every_half_life_and_never_vanish() -> None:
    assert decay_weights([3, 2, 1, 0], 1) == [0.125, 0.25, 0.5, 1]
    assert decay_weights([2, 1, 0], 2) == pytest.approx([0.5, 0.5**0.5, 1])
    assert decay_weights([], 6) == []
    assert all(weight > 0 for weight in decay_weights(range(5_000), 0.5))


def test_distance_in_tokens_is_what_stands_between() -> None:
    assert distances_in_tokens([10, 20, 5]) == [25, 5, 0]
    assert distances_in_tokens([]) == []


@given(sizes, half_lives, st.integers(0, 10**7))
def test_the_budget_is_used_up_and_no_share_exceeds_its_text(sizes: list[int], half_life: float, budget: int) -> None:
    shares = water_fill(sizes, decay_weights(range(len(sizes)), half_life), budget)
    assert all(0 <= share <= size for share, size in zip(shares, sizes, strict=True))
    assert sum(shares) == min(budget, sum(sizes))


@given(st.lists(st.tuples(st.integers(0, 50), st.floats(1e-200, 1e12)), max_size=12), st.integers(0, 700))
def test_that_holds_for_any_weights(drawn: list[tuple[int, float]], budget: int) -> None:
    sizes, weights = [size for size, _ in drawn], [weight for _, weight in drawn]
    shares = water_fill(sizes, weights, budget)
    assert all(0 <= share <= size for share, size in zip(shares, sizes, strict=True))
    assert sum(shares) == min(budget, sum(sizes))


@given(st.lists(st.floats(1e-9, 1e9), min_size=1, max_size=20), st.integers(0, 10**5), st.integers(0, 10**6))
def test_of_equal_texts_the_heavier_has_no_smaller_share(weights: list[float], size: int, budget: int) -> None:
    shares = water_fill([size] * len(weights), weights, budget)
    by_weight = [share for _, share in sorted(zip(weights, shares, strict=True))]
    assert all(b >= a - 1 for a, b in zip(by_weight, by_weight[1:], strict=False))
    distinct = sorted({weight: share for weight, share in zip(weights, shares, strict=True)}.items())
    assert all(b >= a for (_, a), (_, b) in zip(distinct, distinct[1:], strict=False))


@given(sizes, half_lives, st.integers(0, 10**6))
def test_the_same_question_has_the_same_answer(sizes: list[int], half_life: float, budget: int) -> None:
    weights = decay_weights(range(len(sizes)), half_life)
    assert water_fill(sizes, weights, budget) == water_fill(tuple(sizes), tuple(weights), budget)


@given(sizes, st.integers(0, 10**6))
def test_more_budget_takes_nothing_away(sizes: list[int], budget: int) -> None:
    weights = decay_weights(range(len(sizes)), 6)
    less, more = (sum(water_fill(sizes, weights, b)) for b in (budget, budget + 1))
    assert more - less in (0, 1)
