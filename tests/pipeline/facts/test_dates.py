"""Dates: every way of writing one gives its key, and what only looks like one gives none."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.facts import facts_of


def dates(text, language="ca"):
    return [(fact.key.removeprefix("date:"), text[fact.start : fact.end]) for fact in facts_of(text, language)
            if fact.kind == "date"]  # fmt: skip


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("12 de març de 2024", "2024-03-12"),
        ("12 març 2024", "2024-03-12"),
        ("12 de marzo del 2024", "2024-03-12"),
        ("12/03/2024", "2024-03-12"),
        ("12.3.2024", "2024-03-12"),
        ("12-3-2024", "2024-03-12"),
        ("12/03/24", "2024-03-12"),
        ("2024-03-12", "2024-03-12"),
        ("March 12, 2024", "2024-03-12"),
        ("March 12,2024", "2024-03-12"),
        ("12th March 2024", "2024-03-12"),
        ("12th of March, 2024", "2024-03-12"),
        ("1r d'abril de 2023", "2023-04-01"),
        ("març de 2024", "2024-03"),
        ("març del 2024", "2024-03"),
        ("marzo de 2024", "2024-03"),
        ("MARZO 2024", "2024-03"),
        ("Sept. 2024", "2024-09"),
        ("03/2024", "2024-03"),
        ("2024-03", "2024-03"),
        ("12 de març", "--03-12"),
        ("12 March", "--03-12"),
        ("2024", "2024"),
        ("1987", "1987"),
    ],
)
def test_a_date_in_any_form_has_one_key_and_spans_all_its_words(written, value):
    assert dates(f"fins a {written}, segons") == [(value, written)]


@pytest.mark.parametrize(
    ("written", "values"),
    [
        ("gener-juny de 2024", ["2024-01", "2024-06"]),
        ("de gener a juny de 2024", ["2024-01", "2024-06"]),
        ("gener, febrer i març de 2024", ["2024-01", "2024-02", "2024-03"]),
        ("del 3 al 5 de maig de 2024", ["2024-05-03", "2024-05-05"]),
        ("12-15 March 2024", ["2024-03-12", "2024-03-15"]),
        ("1 de març a 30 de juny de 2024", ["--03-01", "2024-06-30"]),
        ("des del setembre fins a l'agost de 2022", ["2022-09", "2022-08"]),
        ("2023-2024", ["2023", "2024"]),
        ("2023/2024", ["2023", "2024"]),
        ("curs 2023-24", ["2023", "2024"]),
    ],
)
def test_of_two_dates_the_first_takes_its_year_from_the_second(written, values):
    assert [value for value, _ in dates(written)] == values


@pytest.mark.parametrize(
    "text",
    ["2024 €", "2.024", "2000 persones", "la 31/02/2024 no", "el mar i el set", "12 may be enough", "in May it was",
     "des de la 1950 m", "núm. 12024", "D2024", "1.2024.3"],
)  # fmt: skip
def test_what_only_looks_like_a_date_is_none(text):
    assert dates(text, "en") == []


MONTHS = {
    "ca": "gener febrer març abril maig juny juliol agost setembre octubre novembre desembre",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "en": "January February March April May June July August September October November December",
}


@given(st.dates(date(1900, 1, 1), date(2099, 12, 31)))
def test_any_day_reads_back_from_any_format(day):
    catalan, spanish, english = (names.split()[day.month - 1] for names in MONTHS.values())
    de = "d'" if catalan[0] in "ao" else "de "
    for written in (
        f"{day:%Y-%m-%d}",
        f"{day:%d/%m/%Y}",
        f"{day.day}.{day.month}.{day.year}",
        f"{day.day} {de}{catalan} de {day.year}",
        f"{day.day} de {spanish} de {day.year}",
        f"{english} {day.day}, {day.year}",
        f"{day.day} {english} {day.year}",
    ):
        assert dates(f"Va ser el {written}.") == [(day.isoformat(), written)]
