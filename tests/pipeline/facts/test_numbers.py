"""Numbers in digits: every way of writing one value reads as that value."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.facts.numbers import plain, read_number, scaled


@pytest.mark.parametrize(
    "written", ["1.234,56", "1,234.56", "1 234,56", "1234.56", "1234,56", "1'234.56", "1\u202f234,56"]
)
def test_all_ways_of_writing_a_value_are_one(written):
    assert read_number(written, "ca") == read_number(written, "en") == Decimal("1234.56")


@pytest.mark.parametrize(
    ("written", "language", "value"),
    [
        ("1.234", "ca", "1234"),
        ("1.234", "es", "1234"),
        ("1.234", "en", "1.234"),
        ("1.234", None, "1234"),
        ("1,234", "ca", "1.234"),
        ("1,234", "en", "1234"),
        ("1,234", None, "1234"),
        ("1,234", "fr", "1234"),
        ("0.125", "ca", "0.125"),
        ("1.234.567", "en", "1234567"),
        ("12345.678", "ca", "12345.678"),
        ("1'5", "es", "1.5"),
        ("007", "ca", "7"),
    ],
)
def test_the_language_tells_what_one_separator_means(written, language, value):
    assert read_number(written, language) == Decimal(value)


def test_money_has_no_three_decimals():
    assert read_number("12.500", "en", money=True) == read_number("12,500", "ca", money=True) == 12500


@pytest.mark.parametrize("written", ["1.2.3", "1,23.456,7", "3.2.1", "12,34,56", "1.2,3.4"])
def test_what_makes_no_number_is_none(written):
    assert read_number(written, "ca") is None


@given(whole=st.integers(0, 10**12), cents=st.integers(0, 99), language=st.sampled_from(["ca", "es", "en", None]))
def test_any_amount_reads_back_from_any_format(whole, cents, language):
    value = Decimal(whole) + Decimal(cents) / 100
    english = f"{whole:,}.{cents:02d}"
    european = english.translate(str.maketrans(",.", ".,"))
    french = english.translate(str.maketrans({",": "\u202f", ".": ","}))
    for written in (english, european, french, f"{whole}.{cents:02d}", f"{whole},{cents:02d}"):
        assert read_number(written, language) == value, written


@given(st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**15), max_value=10**15, places=6))
def test_plain_digits_say_the_same_value_without_idle_zeros(value):
    digits = plain(value)
    assert Decimal(digits) == value
    assert "E" not in digits
    assert not ("." in digits and digits[-1] in "0.")
    assert digits != "-0"


def test_scaling_is_exact_for_any_length():
    long = "9" * 100 + ".5"
    assert plain(scaled(Decimal(long), 6)) == "9" * 100 + "500000"
