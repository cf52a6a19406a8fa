"""Copied passages and facts of other projects: by hand, and against a search for every passage."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.evaluation.scores import Context
from pipeline.evaluation.scores.copied import copied_words, foreign_facts, is_telling
from pipeline.evaluation.scores.passages import N, Passages
from pipeline.facts import facts_of
from pipeline.records import Example
from tests.pipeline.evaluation.scores.conftest import Judge

PASSAGE = "El taller de Can Serrallonga va acollir vint-i-dues veïnes durant tres tardes de maig"
WORDS = st.lists(st.sampled_from("abc"), max_size=40)


def stands_in(passage: Sequence[str], text: Sequence[str]) -> bool:
    return any(list(text[i : i + len(passage)]) == list(passage) for i in range(len(text) - len(passage) + 1))


def longest_by_search(words: Sequence[str], texts: Sequence[Sequence[str]], own: Sequence[str]) -> int:
    """The longest run of 8-grams that stand in a text and not in `own`."""
    longest = 0
    for start in range(len(words)):
        for end in range(start + N, len(words) + 1):
            grams = [words[i : i + N] for i in range(start, end - N + 1)]
            if all(any(stands_in(g, t) for t in texts) and not stands_in(g, own) for g in grams):
                longest = max(longest, end - start)
    return longest


@given(WORDS, st.lists(WORDS, max_size=3), WORDS)
def test_the_longest_passage_is_the_one_that_a_search_finds(
    words: list[str], texts: list[list[str]], own: list[str]
) -> None:
    passages = Passages(" ".join(text) for text in texts)
    assert passages.longest(words, but=[own]) == longest_by_search(words, texts, own)


def taught_by(judged: Judge, *texts: str, **fields: Any) -> Context:
    examples: list[Example] = [
        judged("", text, report=f"report {place}", **fields).example for place, text in enumerate(texts)
    ]
    return Context(languages=("ca",), taught=examples)


def test_a_passage_is_measured_in_words_and_found_whatever_its_marks(judged: Judge) -> None:
    score = copied_words(taught_by(judged, f"Abans. {PASSAGE}. Després.", "Una altra cosa."))
    assert score.of(judged(f"Vam començar. {PASSAGE.upper()}, i prou.")) == (16, 1)
    assert score.of(judged("El taller de Can Serrallonga va acollir")) == (0, 1)  # seven words say nothing
    assert score.of(judged("El taller de Can Serrallonga va acollir vint persones")) == (8, 1)
    assert score.of(judged("")) == (0, 1)


def test_what_the_prompt_or_the_true_section_says_is_not_copied_from_elsewhere(judged: Judge) -> None:
    score = copied_words(taught_by(judged, PASSAGE))
    assert score.of(judged(PASSAGE, window=f"Finestra: {PASSAGE}")) == (0, 1)
    assert score.of(judged(PASSAGE, true=f"{PASSAGE}.")) == (0, 1)
    half = "El taller de Can Serrallonga va acollir vint-i-dues veïnes"  # 11 words, so four 8-grams of nine are known
    assert score.of(judged(PASSAGE, window=half)) == (12, 1)


def test_facts_of_one_other_project_are_foreign(judged: Judge) -> None:
    theirs = "La Núria Castelltort va rebre 12.345,50 € per al projecte SOLC/2023/114."
    score = foreign_facts(
        taught_by(judged, f"{theirs} La Fundació Mirambell hi va ser.", "I la Fundació Mirambell també.")
    )
    assert score.of(judged(theirs)) == (3, 1)
    assert score.of(judged(f"{theirs} {theirs}")) == (3, 1)
    assert score.of(judged("Hi va ser la Fundació Mirambell.")) == (0, 1)  # the whole office knows it
    assert score.of(judged("Hi va ser la Roser Puigdomènech amb 54.321 euros.")) == (0, 1)  # made up, but not memorised
    assert score.of(judged(theirs, window="La tècnica és la Núria Castelltort.")) == (2, 1)
    assert score.of(judged(theirs, window="Rebuts: 12345,5 euros (SOLC/2023/114).")) == (1, 1)
    assert score.of(judged(theirs, true=theirs)) == (0, 1)
    assert score.of(judged(theirs, report="report 0")) == (0, 1)  # its own report


def test_versions_of_a_report_are_one_project(judged: Judge) -> None:
    fact = "La Núria Castelltort hi era."
    drafts = taught_by(judged, fact, f"{fact} I prou.")
    assert foreign_facts(drafts).of(judged(fact)) == (0, 1)  # two projects know her
    kin = replace(drafts, families=(("report 1", "report 0"),))
    assert foreign_facts(kin).of(judged(fact)) == (1, 1)
    assert foreign_facts(kin).of(judged(fact, report="report 0")) == (0, 1)


@pytest.mark.parametrize(
    ("text", "telling"),
    [
        ("la Núria Castelltort", True), ("12.345,50 €", True), ("el codi SOLC/2023/114", True),
        ("a info@mirambell.cat", True), ("el projecte MIRAMAR", True),
        ("la Núria", False), ("120.000 €", False), ("12 euros", False), ("el lliurable D1.2", False),
        ("el 3 de maig de 2023", False), ("l'IVA", False), ("un 92,8 %", False),
    ],
)  # fmt: skip
def test_what_two_projects_may_share_by_chance_does_not_count(text: str, telling: bool) -> None:
    (fact,) = facts_of(f"Vam veure {text} aquell dia.", "ca")
    assert is_telling(fact) is telling
