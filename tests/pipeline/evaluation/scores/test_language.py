"""Language kept: by paragraph, and doubt is no fault."""

import pytest

from pipeline.evaluation.scores import Context
from pipeline.evaluation.scores.language import language_kept
from pipeline.reports.blocks import visible
from tests.pipeline.evaluation.scores.conftest import Judge

KEPT = language_kept(Context(languages=("en", "ca", "es")))
CATALAN = "Durant la tardor vam obrir el taller dos vespres per setmana, i les veïnes hi van venir cada dijous."
SPANISH = "Durante el otoño abrimos el taller dos tardes a la semana, y las vecinas vinieron todos los jueves."


def test_a_section_that_slips_into_another_language_has_kept_its_own_for_a_share(judged: Judge) -> None:
    catalan, spanish = visible(CATALAN), visible(SPANISH)
    assert KEPT.of(judged(CATALAN)) == (1, 1) and KEPT.of(judged(SPANISH)) == (0, 1)
    assert KEPT.of(judged(f"{CATALAN}\n\n{SPANISH}")) == (pytest.approx(catalan / (catalan + spanish)), 1)
    assert KEPT.of(judged(f"{CATALAN}\n\n{SPANISH}", language="es"))[0] == pytest.approx(spanish / (catalan + spanish))  # type: ignore[index]


def test_what_cannot_be_told_is_no_fault(judged: Judge) -> None:
    assert KEPT.of(judged("")) == KEPT.of(judged("Sí.")) == (1, 1)
    assert KEPT.of(judged("| 12.500 | 31.250 | 47.000 |" * 3)) == (1, 1)
    assert KEPT.of(judged(f"{CATALAN}\n\n{'| 12.500 ' * 20}")) == (1, 1)


@pytest.mark.parametrize("asked", ["ca", "es", "en"])
def test_a_paragraph_in_doubt_is_in_the_language_that_was_asked_for(asked: str, judged: Judge) -> None:
    doubtful = "Total: 12.500 euros. Personal: 8.000 euros. Material: 4.500 euros. IVA inclòs."
    assert KEPT.of(judged(doubtful, language=asked)) == (1, 1)


def test_it_does_not_apply_to_languages_that_are_not_told_apart(judged: Judge) -> None:
    assert KEPT.of(judged(CATALAN, language="eu")) is None and KEPT.of(judged(CATALAN, language=None)) is None


def test_the_signature_names_the_languages() -> None:
    assert "lingua of ca, en, es" in KEPT.signature
