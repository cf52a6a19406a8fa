"""The finder as a whole: what it finds in one text, and what holds for every text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.facts import facts_of


def found(text, language="ca"):
    return {text[fact.start : fact.end]: fact.key for fact in facts_of(text, language)}


def test_one_passage_with_every_kind():
    text = (
        "El 12 de març de 2024 la Fundació Roca Verda va rebre 1.234,56 € (64,2 %) per a 340 persones de l'ONG. "
        "El lliurable D3.2 és a https://Exemple.org/a."
    )
    assert found(text) == {
        "12 de març de 2024": "date:2024-03-12",
        "Fundació Roca Verda": "name:fundació roca verda",
        "1.234,56 €": "amount:1234.56 EUR",
        "64,2 %": "percentage:64.2",
        "340": "number:340",
        "ONG": "acronym:ONG",
        "D3.2": "code:D3.2",
        "https://Exemple.org/a": "address:https://exemple.org/a",
    }


LANGUAGES = st.sampled_from(["ca", "es", "en", "fr", None])
_PIECES = (
    "A a 1 12 2024 . , ' ’ - – / ( ) [ ] ^ | \n # * _ @ : € $ % D3 WP 2 M de d' i y and març March gener may 3r º "
    "Anna Puig Fundació SAPROP www. .org :// doi 10.1234/ mil milions euros +34 931 \u00a0 À ß ŀl İ 𝟙 ٣"
)
PIECES = st.sampled_from([*_PIECES.split(" "), " ", " ", "\n"])


@given(text=st.one_of(st.text(), st.lists(PIECES, max_size=60).map("".join)), language=LANGUAGES)
def test_any_text_is_read_and_its_facts_lie_in_it_in_order(text, language):
    end = 0
    for fact in facts_of(text, language):
        assert end <= fact.start < fact.end <= len(text)
        assert fact.key.startswith(f"{fact.kind}:") and len(fact.key) > len(fact.kind) + 1
        assert "\n" not in text[fact.start : fact.end] and "|" not in text[fact.start : fact.end]
        end = fact.end


@pytest.mark.parametrize("text", ["", " ", "|", "\n\n", "[", "3", "A", "€", "12 de", "L'", "D'", "’s", "\ud800"])
def test_the_smallest_texts_are_read(text):
    facts_of(text, None)


PASSAGES = [
    "El 3 de maig de 2023 la Fundació Roca Verda va pagar 1.200 € a Pau Roig i Mas.",
    "Hi van anar 340 persones (12,5 %) de l'Ajuntament d'Alborny, segons D3.2.",
    "- Gener-juny de 2024: 12 tallers.",
    "| PT1 | Marta Sala | 12.500,00 € |",
    "Escriviu a info@exemple.cat o a la UE abans del 12/03/2024.",
]


@given(
    passage=st.sampled_from(PASSAGES),
    before=st.lists(st.sampled_from([*PASSAGES, "Tot anava bé.", "3.2 Resultats"]), max_size=4),
    after=st.lists(st.sampled_from([*PASSAGES, "I prou.", "# Final"]), max_size=4),
)
def test_a_passage_states_the_same_among_others(passage, before, after):
    text = "\n".join([*before, passage, *after])
    start = len("\n".join([*before, ""]))
    alone = facts_of(passage, "ca")
    among = [fact for fact in facts_of(text, "ca") if start <= fact.start < start + len(passage)]
    assert [fact._replace(start=fact.start - start, end=fact.end - start) for fact in among] == alone
