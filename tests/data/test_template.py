"""Template lines become sentences: all alternatives, all slots, no repeats while there is a choice."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.sample.template import Fact, Phrasing, Stated, alternatives_for

FACTS = {"who": Fact("el Consorci Nou"), "town": Fact("Arenyó"), "tool": Fact("la pala", counts=False)}


def test_states_the_fact_as_it_stands_after_contraction() -> None:
    sentence = Phrasing("ca", "seed").sentence("la feina de {who} a {town} amb {tool}.", FACTS)
    assert sentence.text == "La feina del Consorci Nou a Arenyó amb la pala."
    assert sentence.facts == (Stated("Consorci Nou"), Stated("Arenyó"))


def test_fills_slots_and_choices_inside_a_fact() -> None:
    facts = {"what": Fact("the [old|old] weir at {place}", counts=False), "place": Fact("Hob Ford")}
    sentence = Phrasing("en", "seed").sentence("{what} fell.", facts)
    assert sentence.text == "The old weir at Hob Ford fell."
    assert sentence.facts == (Stated("Hob Ford"),)


def test_a_fact_is_of_what_it_says() -> None:
    facts = {"n": Fact("14", of="account 3"), "metres": Fact("14", of="account 8"), "months": Fact("14")}
    sentence = Phrasing("en", "seed").sentence("{n} people, {metres} metres, {months} months.", facts)
    assert sentence.facts == (Stated("14", "account 3"), Stated("14", "account 8"), Stated("14"))


def test_alternatives_are_those_whose_slots_have_a_fact() -> None:
    assert alternatives_for("{who} came. || {nobody} came. || It rained.", FACTS) == "{who} came. || It rained."
    with pytest.raises(ValueError, match="no alternative"):
        alternatives_for("{nobody} came.", FACTS)


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
