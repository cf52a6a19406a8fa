"""The tracer on sentences labelled by hand, and the measure itself by hand."""

from pathlib import Path

import pytest

from pipeline.faithfulness import Source
from tests.pipeline.faithfulness.labelled.cases import LANGUAGES, Case, Label, labelled
from tests.pipeline.faithfulness.labelled.measure import Tally, measure

LEAST = 0.95


def test_there_are_enough_claims_of_both_sorts_in_three_languages():
    cases = labelled()
    for language in LANGUAGES:
        labels = [label for case in cases if case.language == language for label in case.labels]
        assert len(labels) >= 100 and sum(not label.supported for label in labels) >= 25


def test_the_tracer_keeps_to_its_floors():
    measured = measure(labelled())
    for tally in (measured.unsupported, measured.supported):
        assert tally.precision >= LEAST and tally.recall >= LEAST, "\n".join(measured.mistakes)


def test_the_measure_by_hand():
    text = "A Vic i Olot van rebre 1.234 € i 99 € el 2024."
    sources = (Source("window", "Vic va rebre 1.234 € el 2023.", "ca"),)

    def label(words: str, source: str) -> Label:
        return Label(text.index(words), text.index(words) + len(words), source)

    labels = (
        label("Vic", "window"),  # right
        label("1.234 €", "-"),  # is found supported
        label("99 €", "-"),  # right
        label("rebre", "-"),  # no claim is found there
    )  # and Olot and 2024, which are found unsupported, are labelled by nobody
    measured = measure([Case("a place", "ca", sources, text, labels)])
    assert measured.unsupported == Tally(labelled=3, found=3, right=1)
    assert measured.supported == Tally(labelled=1, found=2, right=1)
    assert measured.unsupported.precision == measured.unsupported.recall == pytest.approx(1 / 3)
    assert len(measured.mistakes) == 4
    assert measured.by_kind["amount"][0] == Tally(labelled=2, found=1, right=1)


def test_a_label_that_is_wrong_is_named(tmp_path: Path):
    for language in LANGUAGES:
        (tmp_path / f"{language}.toml").write_text(
            'facts = ""\noutline = ""\nwindow = ""\n[[case]]\ntext = "De 12 a 3"\nclaims = [["2", "-"]]\n', "utf-8"
        )
    with pytest.raises(ValueError, match="^ca.toml, case 1: '2' is not there"):
        labelled(tmp_path)
