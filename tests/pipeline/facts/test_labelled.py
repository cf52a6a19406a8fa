"""The extractor against facts labelled by hand; first the labels and the measure themselves."""

from collections import Counter
from pathlib import Path
from typing import get_args

import pytest

from pipeline.facts import Fact, Kind, facts_of
from tests.benchmarks.facts import (
    LEAST_PRECISION,
    LEAST_RECALL,
    Judged,
    Tally,
    by_kind,
    judge,
    over_all,
    table,
    wilson,
)
from tests.pipeline.facts.labelled.passages import LANGUAGES, Passage, labelled


def test_the_set_is_whole() -> None:
    passages = labelled()
    assert len(passages) == len({passage.text for passage in passages}) == 200
    languages = Counter(passage.language for passage in passages)
    assert set(languages) == set(LANGUAGES) and min(languages.values()) >= 66
    assert min(Counter(passage.source for passage in passages).values()) >= 95
    kinds = Counter(fact.kind for passage in passages for fact in passage.facts)
    assert set(kinds) == set(get_args(Kind)) and min(kinds.values()) >= 15
    assert sum(not passage.facts for passage in passages) >= 20


def test_labels_stand_in_order_and_within_a_cell() -> None:
    for passage in labelled():
        for before, fact in zip((None, *passage.facts), passage.facts, strict=False):
            span = passage.text[fact.start : fact.end]
            assert span == span.strip() and not {"|", "\n"} & set(span), passage.place
            assert before is None or before.end <= fact.start, passage.place


@pytest.mark.parametrize(
    ("facts", "says"),
    [
        ('["number", "2", "number:2"]', "'2' is not there"),
        ('["number", "34", "number:34"], ["number", "12", "number:12"]', "'12' is not there"),
        ('["number", "12", "date:12"]', "no such label"),
        ('["figure", "12", "figure:12"]', "no such label"),
    ],
)
def test_a_label_that_is_wrong_is_named(tmp_path: Path, facts: str, says: str) -> None:
    for language in LANGUAGES:
        (tmp_path / f"{language}.toml").write_text(
            f'[[passage]]\nsource = "written"\ntext = "De 12 a 34"\nfacts = [{facts}]\n', "utf-8"
        )
    with pytest.raises(ValueError, match=f"^ca.toml, passage 1: {says}"):
        labelled(tmp_path)


def test_a_span_is_looked_for_as_a_whole_word(tmp_path: Path) -> None:
    for language in LANGUAGES:
        (tmp_path / f"{language}.toml").write_text(
            '[[passage]]\nsource = "written"\ntext = "12, 2 (2)"\n'
            'facts = [["number", "2", "number:2"], ["number", "2", "number:2"]]\n',
            "utf-8",
        )
    assert [fact[2:] for fact in labelled(tmp_path)[0].facts] == [(4, 5), (7, 8)]


#        0         1         2
#        012345678901234567890123456789
TEXT = "Girona, 12 tallers, 3 % i 5 €"
JUDGED = Judged(
    Passage(
        "ca.toml, passage 1",
        "ca",
        "written",
        TEXT,
        (
            Fact("name", "name:girona", 0, 6),
            Fact("number", "number:12", 8, 10),
            Fact("percentage", "percentage:3", 20, 23),
            Fact("amount", "amount:5 EUR", 26, 29),
        ),
    ),
    (
        Fact("name", "name:girona", 0, 6),  # right
        Fact("number", "number:120", 8, 10),  # its key is wrong
        Fact("number", "number:3", 20, 21),  # another span and kind
        Fact("percentage", "percentage:5", 26, 29),  # another kind
    ),
)


def test_the_measure_by_hand() -> None:
    assert by_kind([JUDGED]) == {
        "number": Tally(labelled=1, found=2, right=1, keys=0),
        "percentage": Tally(labelled=1, found=1, right=0, keys=0),
        "amount": Tally(labelled=1, found=0, right=0, keys=0),
        "name": Tally(labelled=1, found=1, right=1, keys=1),
        **{kind: Tally() for kind in ("date", "code", "acronym", "address")},
    }
    total = over_all([JUDGED, JUDGED])
    assert total == Tally(labelled=8, found=8, right=4, keys=2)
    assert (total.precision, total.recall) == (0.5, 0.5)
    numbers = by_kind([JUDGED])["number"]
    assert (numbers.precision, numbers.recall) == (0.5, 1.0)
    assert "| name | 1 | 1 | 1 | 100.0% (21–100) | 100.0% (21–100) | 100.0% (21–100) |" in table(
        "kind", by_kind([JUDGED])
    )


def test_misses_are_listed_where_they_stand() -> None:
    assert JUDGED.misses() == [
        "key: `number:120` should be `number:12`",
        "no fact: number `3`",
        "not found: percentage `3 %`",
        "no fact: percentage `5 €`",
        "not found: amount `5 €`",
    ]


@pytest.mark.parametrize(
    ("right", "total", "interval"),
    [(8, 10, (0.4902, 0.9433)), (0, 10, (0.0, 0.2775)), (10, 10, (0.7225, 1.0)), (0, 0, (0.0, 1.0))],
)
def test_wilson_intervals(right: int, total: int, interval: tuple[float, float]) -> None:
    assert wilson(right, total) == pytest.approx(interval, abs=1e-4)


def test_the_extractor_keeps_to_its_floors() -> None:
    total = over_all(judge(labelled(), facts_of))
    assert total.precision >= LEAST_PRECISION and total.recall >= LEAST_RECALL, total
