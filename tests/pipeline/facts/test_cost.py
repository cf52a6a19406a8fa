"""The time to read a text grows with its length, whatever stands in it."""

import time

import pytest

from pipeline.facts import facts_of

HOSTILE = [
    "a", "A", "1", ".", "-", "@", "[", "(", "*", "|", "\n", " ", "1 ", "1.", "A-", "A.", "A ", "Aa ", "Aa d'", "L'",
    "Ana Puig i ", "a@", "www.", "a.a@a.", "](", "((A", "- ", "1 234 ", "12 i 13 de març ", "gener-", "AA ", "Dr. ",
    "+34 9", "1/", "[1,", "mil milions ", "1 mil ", "s' A", "COVID",
]  # fmt: skip


def seconds(text, language="ca"):
    start = time.process_time()
    facts_of(text, language)
    return time.process_time() - start


@pytest.mark.parametrize("unit", HOSTILE)
def test_hostile_repetition_takes_linear_time(unit):
    length = 100_000
    assert seconds((unit * length)[:length]) < 1.5  # what is quadratic takes minutes
