"""The benchmarks' own measures, by cases worked out by hand."""

from pathlib import Path

import pytest

from tests.benchmarks.reports.fidelity import Judged, ahead_of_us, judged_by_marks, of_headings
from tests.benchmarks.reports.peers import OURS, Output
from tests.benchmarks.reports.speed import quarters
from tests.benchmarks.reports.truth import Heading, plain, repaired, share_kept, shown_words, words
from tests.pipeline.reports.torture.document import marks, write
from tests.pipeline.reports.torture.manifest import DELETED, HIDDEN, READ


def test_words_lose_the_marks_around_them() -> None:
    assert words("**Bo**ld <b>x</b>y [l'*ink*](u) 3\\.5&amp;a<br>b") == [
        "Bold",
        "xy",
        "l",
        "ink",
        "u",
        "3",
        "5",
        "a",
        "b",
    ]
    assert plain("no\u2011break\u00a0and cafe\u0301 soft\u00adly") == "no-break and caf\u00e9 softly"


def test_share_kept_counts_each_word_as_often_as_it_is_shown() -> None:
    assert share_kept(["aa", "aa", "bbbb"], ["aa", "bbbb", "bbbb"]) == pytest.approx(6 / 8)
    assert share_kept([], ["a"]) == 1


def test_levels_without_jumps() -> None:
    assert repaired([2, 4, 4, 3, 2, 1, 3]) == [1, 2, 2, 2, 1, 1, 2]


def test_headings_found_levels_and_numbers() -> None:
    true = [
        Heading((1,), "1.", "Aims"),
        Heading((2, 3), "1.1", "Means"),
        Heading((1,), "", "End"),
        Heading((1,), "", "No"),
    ]
    told = [(1, "1 Aims"), (3, "Means"), (2, "*End*"), (1, "Else")]
    assert of_headings(true, told) == (3 / 4, 2 / 4, 1 / 2)
    assert of_headings([], told) == (None, None, None)


def test_a_reader_that_tells_all_in_order_and_one_that_does_not() -> None:
    seen = [mark for mark in marks() if mark.fate == READ]
    headings = tuple((m.level or 0, f"{m.number or ''} {m.word}") for m in seen if m.block == "heading")
    right = judged_by_marks("x", Output("\n".join(mark.word for mark in seen), headings))
    assert (right.kept, right.headings, right.levels, right.numbers, right.in_order, right.not_to_show) == (
        1,
        1,
        1,
        1,
        1,
        0,
    )
    wrong = judged_by_marks("x", Output("\n".join(mark.word for mark in reversed(marks()))))
    assert wrong.kept == 1 and wrong.headings == 0
    assert wrong.in_order is not None and wrong.in_order < 0.1
    assert wrong.not_to_show == sum(mark.fate in (DELETED, HIDDEN, "moved away") for mark in marks())


def test_shown_words_of_the_torture_document(tmp_path: Path) -> None:
    shown = shown_words(write(tmp_path / "torture.docx"))
    assert [word for word in shown if word in ("mknoteholder", "mkfootnote", "mkendnote", "mknotefirst")] == [
        "mknoteholder", "mkfootnote", "mkendnote", "mknotefirst",
    ]  # fmt: skip
    not_shown = {"mkdeleted", "mkmovedaway", "mkhidden", "mkhiddenwords", "mktocentry", "mkrowgone", "mkheaderdefault"}
    assert not_shown.isdisjoint(shown)
    assert shown.count("mkboxboth") == 1


def test_a_peer_ahead_is_told() -> None:
    ours = Judged(OURS, kept=0.9, headings=1.0, not_to_show=1)
    assert ahead_of_us([ours, Judged("peer", kept=0.9, headings=None, not_to_show=1)]) == []
    assert len(ahead_of_us([ours, Judged("peer", kept=0.91, headings=1.0, not_to_show=0)])) == 2
    assert ahead_of_us([ours, Judged("peer", not_to_show=0, failure="broken")]) == []


def test_the_most_of_each_quarter() -> None:
    assert quarters([1, 5, 2, 3, 9, 1, 4, 4]) == [5, 3, 9, 4]
