"""Rent by the hour and by the month, counted by hand, with and without prices."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.planner.cards import ListedCard
from pipeline.planner.cost import run_cost
from pipeline.planner.rent import HOURS_A_MONTH, Rent, choose

PRICES = st.floats(0.01, 1000)


def card(name: str = "A", mib: int = 16_384, hour: float | None = None, month: float | None = None) -> ListedCard:
    return ListedCard(
        name=name, memory_mib=mib, bandwidth_gb_per_s=100, bf16_tflops=mib / 1000, power_watts=100,
        compute_capability="8.9", source="made up", price_per_hour=hour, price_per_month=month,
    )  # fmt: skip


def test_by_the_hour_and_by_the_month():
    rent = Rent(card(hour=0.5, month=250), runs=12, hours_a_run=2.5)
    assert (rent.by_the_hour, rent.by_the_month, rent.cost) == (15, 250, 15)
    assert rent.break_even_hours == 500 and rent.break_even_runs == 200
    assert rent.sentence == (
        "A: 12 x 2.5 h cost 15.00 by the hour and 250.00 by the month (1); "
        "the month is cheaper from 500 h, or 200 runs, in it."
    )


def test_months_that_are_begun_are_paid():
    assert Rent(card(month=100), 4, 10, months=2.2).by_the_month == 300
    assert Rent(card(month=100), 4, 500, months=1).by_the_month == 300  # 2,000 hours need three months


def test_a_month_that_is_never_cheaper():
    rent = Rent(card(hour=0.1, month=100), 1, 10)
    assert rent.break_even_hours is None and rent.break_even_runs is None
    assert "no month has so many hours" in rent.sentence


def test_a_run_that_no_month_holds_often_enough():
    rent = Rent(card(hour=1, month=700), 1, 400)
    assert rent.break_even_hours == 700 and rent.break_even_runs is None
    assert rent.sentence.endswith("the month is cheaper from 700 h in it.")


def test_with_one_price_alone():
    assert Rent(card(hour=2), 3, 1).sentence == "A: 3 x 1.0 h cost 6.00 by the hour."
    assert Rent(card(month=99), 3, 1).cost == 99
    assert Rent(card(month=99), 3, 1).break_even_hours is None


def test_without_a_price_it_says_where_to_write_one():
    rent = Rent(card(), 3, 1)
    assert rent.cost is None and rent.sentence.endswith("fill in price_per_hour or price_per_month in cards.toml.")


@given(PRICES, PRICES, st.floats(0.1, HOURS_A_MONTH))
def test_the_month_is_cheaper_from_the_break_even_on(hour, month, hours):
    rent = Rent(card(hour=hour, month=month), 1, hours)
    even = rent.break_even_hours
    assert rent.by_the_hour is not None and rent.by_the_month is not None
    if even is None or hours < even * 0.999:
        assert rent.cost == rent.by_the_hour <= rent.by_the_month
    elif hours > even * 1.001:
        assert rent.cost == rent.by_the_month <= rent.by_the_hour


SMALL, MIDDLE, LARGE = card("small", 8_192, hour=0.1), card("middle", 16_384, hour=0.3), card("large", 81_920, hour=0.6)


def large_enough(least: int):
    return lambda candidate: candidate.memory_mib >= least


def hours_of(candidate: ListedCard) -> float | None:
    cost = run_cost(1e16, candidate)
    return cost.hours if cost else None


def test_the_cheapest_is_not_the_smallest_if_another_is_faster():
    choice = choose([SMALL, MIDDLE, LARGE], large_enough(16_384), hours_of, runs=5)
    assert [rent.card.name for rent in choice.rents] == ["large", "middle"]  # 5 times as fast at twice the price
    assert choice.cheapest is not None and choice.cheapest.runs == 5
    assert choice.smallest is not None and choice.smallest.card.name == "middle"
    assert choice.sentence.startswith("The cheapest that does is large: 5 x ")


def test_a_server_that_always_stands_takes_the_cheapest_month():
    by_month = [MIDDLE.model_copy(update={"price_per_month": 250}), LARGE.model_copy(update={"price_per_month": 240})]
    choice = choose(by_month, large_enough(0), lambda _: HOURS_A_MONTH * 3, months=3)
    assert choice.cheapest is not None
    assert (choice.cheapest.card.name, choice.cheapest.cost) == ("middle", pytest.approx(0.3 * 2190))
    dearer_hour = [c.model_copy(update={"price_per_hour": 5}) for c in by_month]
    assert choose(dearer_hour, large_enough(0), lambda _: HOURS_A_MONTH * 3, months=3).rents[0].cost == 720


def test_cards_without_a_price_come_last_and_are_named():
    choice = choose([card("free", 8_192), LARGE], large_enough(0), lambda _: 1.0)
    assert [rent.card.name for rent in choice.rents] == ["large", "free"]
    assert choice.sentence.endswith("by the hour. Without a price: free.")


def test_no_price_at_all():
    choice = choose([card("b", 24_576), card("a", 16_384)], large_enough(0), lambda _: 1.0)
    assert choice.cheapest is None
    assert choice.sentence.startswith("The smallest card that does is a; to know the cheapest, fill in")


def test_nothing_does():
    assert choose([SMALL], large_enough(10**6), hours_of).sentence == "No card in cards.toml does."
    assert choose([SMALL], large_enough(0), lambda _: None).rents == ()
