"""The time to read a text grows with its length, whatever stands in it."""

import random
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


def test_a_long_report_takes_well_under_a_second():
    random.seed(7)
    sentence = (
        "El {day} de març de 2024 la Fundació Roca Verda i {name} van rebre {number} € per a {number} persones de la "
        "comarca, segons el lliurable D{day}.1 que la cooperativa va presentar quan encara no hi havia prou gent.\n"
    )
    names = ["Anna Puig", "Pau Roig", "l'Ajuntament d'Alborny", "la UE"]
    text = "".join(
        sentence.format(day=random.randint(1, 28), name=random.choice(names), number=random.randint(2, 99_999))
        for _ in range(3000)
    )[:600_000]
    assert len(text) == 600_000
    assert min(seconds(text) for _ in range(2)) < 1.2  # half of it on a machine with nothing else to do
