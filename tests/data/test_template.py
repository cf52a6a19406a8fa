"""Template lines become sentences: all alternatives, all slots, no repeats while there is a choice."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.sample.template import Fact, Phrasing

FACTS = {"who": Fact("el Consorci Nou"), "town": Fact("Arenyó"), "tool": Fact("la pala", counts=False)}


def test_states_the_fact_as_it_stands_after_contraction() -> None:
    sentence = Phrasing("ca", "seed").sentence("la feina de {who} a {town} amb {tool}.", FACTS)
    assert sentence.text == "La feina del Consorci Nou a Arenyó amb la pala."
    assert sentence.facts == ("Consorci Nou", "Arenyó")


def test_fills_slots_and_choices_inside_a_fact() -> None:
    facts = {"what": Fact("the [old|old] weir at {place}", counts=False), "place": Fact("Hob Ford")}
    sentence = Phrasing("en", "seed").sentence("{what} fell.", facts)
    assert sentence.text == "The old weir at Hob Ford fell."
    assert sentence.facts == ("Hob Ford",)


def test_an_unknown_slot_is_an_error() -> None:
    with pytest.raises(KeyError, match="nobody"):
        Phrasing("en", "seed").sentence("{nobody} came.", {})


@given(st.text("abcdef", min_size=1), st.integers(2, 6))
def test_uses_every_alternative_before_repeating_one(seed: str, count: int) -> None:
    line = " || ".join(f"sentence {number}." for number in range(count))
    phrasing = Phrasing("en", seed)
    assert len({phrasing.sentence(line, {}).text for _ in range(count)}) == count


def test_leaves_an_optional_line_out_about_half_of_the_time() -> None:
    phrasing = Phrasing("en", "seed")
    lines = ["always {n}.", "?sometimes || ?now and then"]
    texts = [phrasing.paragraph(lines, {"n": Fact(str(number))}).text for number in range(100)]
    assert all(text.startswith("Always") and "?" not in text for text in texts)
    assert 30 < sum(text.endswith(("Sometimes", "Now and then")) for text in texts) < 70
