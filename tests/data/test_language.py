"""Dates, amounts and contractions against what a grammar of each language says."""

from datetime import date

import pytest

from data.sample.language import (
    amount_text,
    bare,
    capital,
    contract,
    date_text,
    join,
    month_text,
    share_text,
)


@pytest.mark.parametrize(
    ("day", "language", "expected"),
    [
        (date(2024, 3, 12), "ca", "12 de març de 2024"),
        (date(2024, 4, 1), "ca", "1 d'abril de 2024"),
        (date(2024, 10, 9), "ca", "9 d'octubre de 2024"),
        (date(2024, 3, 12), "es", "12 de marzo de 2024"),
        (date(2024, 3, 12), "en", "12 March 2024"),
    ],
)
def test_dates_are_written_out(day: date, language: str, expected: str) -> None:
    assert date_text(day, language) == expected


def test_month_and_year() -> None:
    day = date(2024, 8, 1)
    assert [month_text(day, code) for code in ("ca", "es", "en")] == [
        "agost de 2024",
        "agosto de 2024",
        "August 2024",
    ]


def test_amounts_take_the_marks_of_their_language() -> None:
    assert amount_text(123456, "ca") == amount_text(123456, "es") == "1.234,56 €"
    assert amount_text(123456, "en") == "€1,234.56"
    assert amount_text(5, "en") == "€0.05"
    assert share_text(943, 1000, "ca") == "94,3 %"
    assert share_text(943, 1000, "en") == "94.3%"


@pytest.mark.parametrize(
    ("plain", "joined"),
    [
        ("de el Consorci", "del Consorci"),
        ("a els pobles", "als pobles"),
        ("per el Gremi", "pel Gremi"),
        ("de Arenyó", "d'Arenyó"),
        ("De octubre de 2022", "D'octubre de 2022"),
        ("de l'Ajuntament", "de l'Ajuntament"),
        ("el 11 d'abril", "l'11 d'abril"),
        ("del 1 de març al 11 de maig", "de l'1 de març a l'11 de maig"),
        ("el 12 d'abril", "el 12 d'abril"),
        ("fins a el abril", "fins a l'abril"),
        ("de el agost", "de l'agost"),
        ("model escolar", "model escolar"),
    ],
)
def test_catalan_contractions(plain: str, joined: str) -> None:
    assert contract(plain, "ca") == joined


@pytest.mark.parametrize(
    ("plain", "joined"),
    [
        ("de el Banco", "del Banco"),
        ("a el Banco", "al Banco"),
        ("en El Ebanal y en Las Lomas", "en El Ebanal y en Las Lomas"),
        ("Almendral y Ibarra", "Almendral e Ibarra"),
        ("padres y hijos", "padres e hijos"),
        ("agua y hielo", "agua y hielo"),
        ("siete o ocho", "siete u ocho"),
    ],
)
def test_spanish_contractions(plain: str, joined: str) -> None:
    assert contract(plain, "es") == joined


def test_lists_articles_and_capitals() -> None:
    assert join(["a", "b", "c"], "ca") == "a, b i c"
    assert join(["a"], "en") == "a"
    assert bare("l'Ajuntament d'Alborny") == "Ajuntament d'Alborny"
    assert bare("the Errin Coast Trust") == "Errin Coast Trust"
    assert bare("Elisenda") == "Elisenda"
    assert capital('"so it is"') == '"So it is"'
    assert capital("l'any") == "L'any"
