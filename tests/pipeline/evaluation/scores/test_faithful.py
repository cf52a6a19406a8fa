"""Claims with and without a source, and facts that are owed: by hand."""

import pytest

from pipeline.errors import UserError
from pipeline.evaluation.scores import Judged
from pipeline.evaluation.scores.faithful import facts_used, unsupported
from pipeline.records import Message
from tests.pipeline.evaluation.scores.conftest import Judge

WINDOW = "El març de 2024 la Núria Castelltort va rebre 12.345,50 € per a 37 alumnes."
WRITTEN = "La Núria Castelltort va rebre 12,345.50 euros el 03/2024, i en va gastar 9.876,00 €."


def test_claims_are_counted_against_the_prompt_alone(judged: Judge) -> None:
    of = unsupported().of
    assert of(judged(WRITTEN, window=WINDOW)) == (1, 4)
    assert of(judged(WRITTEN, window="Res.", true=WRITTEN)) == (4, 4)  # the true section is no source
    assert of(judged("Tot ha anat bé.", window=WINDOW)) == (0, 0)  # no claims, no weight


def test_the_word_at_which_a_text_was_clipped_claims_nothing(judged: Judge) -> None:
    of = unsupported().of
    text = "En va gastar 9.876,00 €, i al final del 202"
    assert of(judged(text, window=WINDOW)) == (2, 2)
    assert of(judged(text, window=WINDOW, finish="clipped")) == (1, 1)


def test_facts_that_are_owed(judged: Judge) -> None:
    facts = ("Resultats: 37 alumnes", "Resultats: 9.876 euros gastats", "Seu social: carrer 44")
    of = facts_used().of
    assert of(judged("Hi van venir 37 alumnes.", facts=facts)) == (1, 2)
    assert of(judged("Amb 9.876 euros, 37 alumnes.", facts=facts)) == (2, 2)
    assert of(judged("", facts=facts)) == (0, 2)
    assert of(judged("Tot ha anat bé.", guidance="Digues que hi havia 512 persones.")) == (0, 1)
    assert of(judged(WRITTEN, window=WINDOW)) is None  # a window owes nothing


def test_a_prompt_of_another_version_is_refused(judged: Judge) -> None:
    one = judged(WRITTEN)
    example = one.example.model_copy(update={"messages": (Message(role="user", content="Escriu."),)})
    with pytest.raises(UserError, match="not laid out by this version"):
        unsupported().of(Judged(WRITTEN, "whole", example))
