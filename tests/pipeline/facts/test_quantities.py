"""Amounts, percentages, numbers and codes in their sentences."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.facts import facts_of
from pipeline.facts.numbers import plain


def keys(text, language="ca"):
    return [fact.key for fact in facts_of(text, language)]


@pytest.mark.parametrize(
    ("written", "key"),
    [
        ("1.234,56 €", "amount:1234.56 EUR"),
        ("€1,234.56", "amount:1234.56 EUR"),
        ("1,234.56 EUR", "amount:1234.56 EUR"),
        ("EUR 1,234.56", "amount:1234.56 EUR"),
        ("1.234 euros", "amount:1234 EUR"),
        ("12.500€", "amount:12500 EUR"),
        ("12 M€", "amount:12000000 EUR"),
        ("12 k€", "amount:12000 EUR"),
        ("1,5 milions d'euros", "amount:1500000 EUR"),
        ("1,5 millones de euros", "amount:1500000 EUR"),
        ("1.5 million euros", "amount:1500000 EUR"),
        ("€1.5 million", "amount:1500000 EUR"),
        ("€2bn", "amount:2000000000 EUR"),
        ("3 mil milions d'euros", "amount:3000000000 EUR"),
        ("15 mil euros", "amount:15000 EUR"),
        ("1,5 milers d'euros", "amount:1500 EUR"),
        ("$300", "amount:300 USD"),
        ("300 USD", "amount:300 USD"),
        ("£20", "amount:20 GBP"),
        ("-1.200,00 €", "amount:-1200 EUR"),
        ("**1.234,56** €", "amount:1234.56 EUR"),
        ("64,2 %", "percentage:64.2"),
        ("64.2%", "percentage:64.2"),
        ("64 per cent", "percentage:64"),
        ("64 por ciento", "percentage:64"),
        ("64 percent", "percentage:64"),
        ("340", "number:340"),
        ("8,4", "number:8.4"),
        ("-5", "number:-5"),
        ("12 500", "number:12500"),
        ("25kg", "number:25"),
        ("93 123 45 67", "number:931234567"),
        ("+34 931 234 567", "number:34931234567"),
        ("0161 496 0000", "number:01614960000"),
    ],
)
def test_a_quantity_has_its_kind_and_value(written, key):
    text = f"va ser de {written} en total"
    (fact,) = facts_of(text, "en" if "million" in written else "ca")
    assert fact.key == key
    assert text[fact.start : fact.end].strip("*kg") == written.strip("*kg")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("entre 12-15 persones", ["number:12", "number:15"]),
        ("de 10 a 20 €", ["number:10", "amount:20 EUR"]),
        ("el 3r i la 2a, the 2nd, el 1.º y la 5ª", []),
        ("[^3] i [12] i [1, 2]", []),
        ("1. Fer\n2) Dir\na) Dur\n3.2 Resultats\n- 340 persones", ["number:340"]),
        ("| 1 | 12.500,00 |\n| --- | --- |\n| 2 | 3 |", ["number:1", "number:12500", "number:2", "number:3"]),
        ("la versió 1.2.3", []),
        ("la fase 2", ["number:2"]),
        ("de 57 de 80 llars", ["number:57", "number:80"]),
        ("el 2021 l'entitat en feia 2000 l per hora", ["date:2021", "number:2000"]),
    ],
)
def test_what_counts_as_a_number(text, expected):
    assert keys(text) == expected


@given(st.decimals(min_value=0, max_value=10**9, places=2), st.sampled_from(["ca", "es", "en", None]))
def test_any_amount_has_one_key_in_all_formats(value, language):
    english = f"{value:,}"
    european = english.translate(str.maketrans(",.", ".,"))
    for written in (f"{european} €", f"€{english}", f"{english} EUR", f"{european} euros"):
        assert keys(f"hem pagat {written} avui", language) == [f"amount:{plain(Decimal(value))} EUR"], written


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("D3.2", ["D3.2"]),
        ("WP2", ["WP2"]),
        ("WP 2", ["WP2"]),
        ("D 3.2", ["D3.2"]),
        ("T1.3", ["T1.3"]),
        ("R4b", ["R4B"]),
        ("2024/PROJ/0012", ["2024/PROJ/0012"]),
        ("EXP-2023/114", ["EXP-2023/114"]),
        ("H2020", ["H2020"]),
        ("CO2", ["CO2"]),
        ("ISO-9001", ["ISO-9001"]),
        ("PT1-PT3", ["PT1", "PT3"]),
        ("D1.1/D1.2", ["D1.1", "D1.2"]),
        ("PT1.", ["PT1"]),
    ],
)
def test_codes_are_kept_as_written_in_capitals(written, expected):
    assert keys(f"al paquet {written} i prou") == [f"code:{code}" for code in expected]


def test_a_word_with_a_page_number_glued_to_it_is_no_code():
    assert [key for key in keys("PRESSUPOSTOS6-1 i RESULTATS12") if key.startswith("code:")] == []


@pytest.mark.parametrize(
    ("written", "key"),
    [
        ("Anna.Puig@Exemple.cat", "anna.puig@exemple.cat"),
        ("https://exemple.org/a/B?c=1", "https://exemple.org/a/b?c=1"),
        ("www.exemple.org", "www.exemple.org"),
        ("exemple.cat", "exemple.cat"),
        ("10.1234/Abc.5-6", "10.1234/abc.5-6"),
    ],
)
def test_addresses_end_before_the_sentence_does(written, key):
    for text in (f"Vegeu {written}.", f"Vegeu [el web]({written}), i", f"Vegeu ({written})"):
        (fact,) = facts_of(text, "ca")
        assert (fact.key, text[fact.start : fact.end]) == (f"address:{key}", written)
