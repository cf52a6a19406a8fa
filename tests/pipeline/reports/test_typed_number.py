"""Numbers typed before headings, and what looks like one: dates, times, amounts, counts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.reports.typed_number import Typed, in_series, is_label, place, split_number, typed_number

WAYS = {
    "1.- INTRODUCCIÓN": ("1", "INTRODUCCIÓN"),
    "1.-Introducción": ("1", "Introducción"),
    "3.1.- Objetivos": ("3.1", "Objetivos"),
    "1 - Aims": ("1", "Aims"),
    "1º Objeto": ("1º", "Objeto"),
    "1.º Objeto": ("1.º", "Objeto"),
    "2ª Part comuna": ("2ª", "Part comuna"),
    "a) Aims": ("a)", "Aims"),
    "(a) Aims": ("(a)", "Aims"),
    "(iv) Aims": ("(iv)", "Aims"),
    "IV Results": ("IV", "Results"),
    "IV - Results": ("IV", "Results"),
    "XIV. Results": ("XIV", "Results"),
    "1.1Objectius": ("1.1", "Objectius"),
    "4.10 Per què": ("4.10", "Per què"),
    "01. Inici": ("01", "Inici"),
    "ANEXO I. Presupuesto": ("ANEXO I", "Presupuesto"),
    "Annex A: Budget": ("Annex A", "Budget"),
    "Annex 2\tBudget": ("Annex 2", "Budget"),
    "Article 3r. Objecte": ("Article 3r", "Objecte"),
    "Artículo 3 Objeto": ("Artículo 3", "Objeto"),
    "Capítol 2 - Mètode": ("Capítol 2", "Mètode"),
    "Work Package 3: Data": ("Work Package 3", "Data"),
    "WP3. Data": ("WP3", "Data"),
}
WHOLE = (
    "1.500 participants",
    "1.500 Participants",
    "12.05.2024 Kick-off meeting",
    "12.5.24 Kick-off meeting",
    "1.05 Kick-off",
    "10.000 Euros",
    "9.30 Welcome",
    "10.20 Coffee",
    "2.0 Europe",
    "3.5 million people",
    "3.5 Millones de euros",
    "2.5 km of path",
    "12 May 2024",
    "8 AM Breakfast",
    "12.5% Of all",
    "3/4 Of the people",
    "10:30 Lunch",
    "IIII Results",
    "Annex A Budget",
    "Annex I",
    "part 1. of it",
    "Partners 2. Who",
    "D José",
)


@pytest.mark.parametrize("text", WAYS)
def test_ways_to_type_a_number(text: str) -> None:
    assert split_number(text) == WAYS[text]


@pytest.mark.parametrize("text", WHOLE)
def test_in_doubt_a_text_stays_whole(text: str) -> None:
    assert split_number(text) == (None, text)


words = st.sampled_from(["Participants", "euros", "Visit to the school", "Persones", "May", "«Festa»", "people came"])
days, months, years = st.integers(1, 31), st.integers(1, 12), st.integers(2015, 2039)
quantities = st.one_of(
    st.builds("{}.{:03}".format, st.integers(1, 999), st.integers(0, 999)),
    st.builds("{}.{:03}.{:03}".format, st.integers(1, 99), st.integers(0, 999), st.integers(0, 999)),
    st.builds("{}{}{}".format, st.integers(0, 99), st.sampled_from([",", ":", "/", "%", "€", "-"]), st.integers(0, 99)),
    st.builds("{}.{}.{}".format, days, months, years),
    st.builds("{:02}.{:02}.{}".format, days, months, years),
    st.builds("{}.{}.{}".format, days, months, years.map(lambda year: year % 100)),
    st.builds("{}.{:02}".format, st.integers(7, 23), st.integers(0, 11).map(lambda twelfth: 5 * twelfth)),
    st.builds("{} %".format, st.integers(0, 99)),
    years.map(str),
)


@given(quantities, words)
def test_quantities_are_no_numbers_of_headings(quantity: str, word: str) -> None:
    assert split_number(f"{quantity} {word}") == (None, f"{quantity} {word}")


@given(
    st.lists(st.integers(1, 14), min_size=1, max_size=5),
    st.sampled_from([". ", ".- ", ".-", " - ", " – ", "\t"]),
    st.sampled_from(["Aims", "Àmbit", "¿Qué?", "Últims anys"]),
)
def test_numbers_of_chapters_and_their_parts_are(counts: list[int], mark: str, heading: str) -> None:
    number = ".".join(map(str, counts))
    typed = typed_number(number + mark + heading)
    assert typed is not None and typed[:2] == (number, heading) and typed.depth == len(counts)


@given(st.text(max_size=30))
def test_a_split_loses_no_letter(text: str) -> None:
    number, heading = split_number(text)
    assert text.startswith(number or "") and text.endswith(heading)
    between = text[len(number or "") : len(text) - len(heading)]
    assert not any(map(str.isalnum, between))


@given(st.text(max_size=8), st.sampled_from(["arabic", "letter", "minor"]))
def test_any_automatic_number_has_a_place_or_none(number: str, kind: str) -> None:
    found = place(Typed(number, "Aims", kind, "sure"))  # type: ignore[arg-type]
    assert found is None or isinstance(found[2], int)


@pytest.mark.parametrize(
    ("text", "others", "expected"),
    [
        ("2 Aims", ["1. Start"], True),
        ("1 Aims", ["2 Means"], True),
        ("4 Aims", ["4.1 First"], True),
        ("4 Aims", ["3 Means"], False),
        ("4 Aims", ["3 Means", "5 Ends"], True),
        ("27 Member States", ["2 Means", "1 Aims"], False),
        ("9.30 Welcome", ["9.1 Aims", "9.2 Means"], False),
        ("4.15 Ends", ["4.14 Means", "4.13 Aims"], True),
        ("2.0 Means", ["1.0 Aims"], True),
        ("II Means", ["I. Aims"], True),
        ("2º Means", ["1.º Aims"], True),
        ("B. Means", ["A. Aims"], True),
        ("D. José", ["D. Marta"], False),
        ("Article 2 Means", ["Article 1r. Aims"], True),
        ("Annex II. Means", ["Annex I. Aims"], True),
    ],
)
def test_a_number_counts_on_among_others(text: str, others: list[str], expected: bool) -> None:
    found = [typed_number(other) for other in [text, *others]]
    assert found[0] is not None
    assert in_series(found[0], {where for typed in found if typed and (where := place(typed))}) is expected


def test_labels_stand_above_a_heading_of_their_own() -> None:
    assert all(map(is_label, ["ANNEX I", "Annex A:", "Capítulo 2.", "Artículo 3", "Article 3r", "WP3", "Part I"]))
    assert not any(map(is_label, ["Annex", "Annex I Budget", "part 1", "Party 1", "2", ""]))
