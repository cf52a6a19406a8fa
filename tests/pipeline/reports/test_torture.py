"""The torture document: every mark is where a reader of the page in Word sees it, and nowhere else."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import pytest

from pipeline.records import Report
from pipeline.reports import read_report
from pipeline.reports.blocks import visible
from pipeline.settings import Reports
from tests.pipeline.reports.torture.document import left_out, marks, write
from tests.pipeline.reports.torture.manifest import BESIDE, KEPT_BY, READ, Mark

MARKS = marks()
SEEN = [mark for mark in MARKS if mark.fate == READ]
EVERYTHING = Reports(keep=("comments", "deletions", "hidden", "contents", "headers"))


class Stretch(NamedTuple):
    """A heading (with its level and number), the title, or a block."""

    kind: str
    text: str
    level: int | None = None
    number: str | None = None


def stretches(report: Report) -> list[Stretch]:
    """All that the report says, in its order."""
    found = [Stretch("title", report.title)]
    for section in report.sections:
        if section.position or section.heading != report.title:
            found.append(Stretch("heading", section.heading, section.level, section.number))
        found += [Stretch(block.kind, block.text) for block in section.blocks]
    return found


def pattern(word: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![^\W_]){re.escape(word)}(?![^\W_])")


def holding(word: str, said: Iterable[Stretch]) -> list[Stretch]:
    return [stretch for stretch in said if pattern(word).search(stretch.text)]


@pytest.fixture(scope="module")
def document(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("torture") / "torture.docx")


@pytest.fixture(scope="module")
def report(document: Path) -> Report:
    return read_report(document)


@pytest.fixture(scope="module")
def kept(document: Path) -> Report:
    return read_report(document, EVERYTHING)


def by_word(chosen: Iterable[Mark]) -> list[object]:
    return [pytest.param(mark, id=f"{mark.word}: {mark.kind}") for mark in chosen]


def test_every_mark_is_unlike_the_others() -> None:
    assert len(MARKS) >= 250
    assert len({mark.word for mark in MARKS}) == len(MARKS)


def test_the_document_is_the_same_whenever_it_is_made(document: Path, tmp_path: Path) -> None:
    assert write(tmp_path / "again.docx").read_bytes() == document.read_bytes()


@pytest.mark.parametrize("mark", by_word(SEEN))
def test_what_is_seen_is_read_once(report: Report, mark: Mark) -> None:
    said = stretches(report)
    text = "\n".join(stretch.text for stretch in said)
    assert len(pattern(mark.word).findall(text)) == 1
    if mark.block:
        assert [stretch.kind for stretch in holding(mark.word, said)] == [mark.block]
    if mark.shown:
        assert mark.shown in text


@pytest.mark.parametrize("mark", by_word(mark for mark in SEEN if mark.block == "heading"))
def test_headings_have_their_level_and_number(report: Report, mark: Mark) -> None:
    (found,) = holding(mark.word, stretches(report))
    assert (found.level, found.number) == (mark.level, mark.number and mark.number.rstrip("."))


@pytest.fixture(scope="module")
def misplaced(report: Report) -> set[str]:
    """Marks outside the longest run of marks that are in order."""
    text = "\n".join(stretch.text for stretch in stretches(report))
    found = [(match.start(), mark) for mark in SEEN if (match := pattern(mark.word).search(text))]
    in_text = [mark for _, mark in sorted(found, key=lambda pair: (pair[0], pair[1].place))]
    return {mark.word for mark in in_text} - {mark.word for mark in longest_in_order(in_text)}


def longest_in_order(sequence: list[Mark]) -> list[Mark]:
    """The longest subsequence whose places never fall (patience sorting)."""
    tails: list[int] = []  # last place of the best run of each length
    lengths = []
    for mark in sequence:
        # Bisecting for place + 0.5 lets equal places follow one another.
        at = bisect_left(tails, mark.place + 0.5)
        tails[at : at + 1] = [mark.place]
        lengths.append(at)
    chosen: list[Mark] = []
    wanted = len(tails) - 1
    for mark, length in zip(reversed(sequence), reversed(lengths), strict=True):
        if length == wanted and (not chosen or mark.place <= chosen[-1].place):
            chosen.append(mark)
            wanted -= 1
    return chosen[::-1]


def test_the_longest_run_in_order_leaves_out_what_moved() -> None:
    def in_places(*places: int) -> list[Mark]:
        return [Mark(str(number), "", place=place) for number, place in enumerate(places)]

    assert [mark.place for mark in longest_in_order(in_places(1, 9, 2, 2, 3, 1, 4))] == [1, 2, 2, 3, 4]
    assert [mark.place for mark in longest_in_order(in_places(5, 1, 2))] == [1, 2]
    assert longest_in_order([]) == []


@pytest.mark.parametrize("mark", by_word(SEEN))
def test_what_is_seen_is_in_its_place(misplaced: set[str], mark: Mark) -> None:
    assert mark.word not in misplaced


@pytest.mark.parametrize("mark", by_word(mark for mark in MARKS if mark.fate not in (READ, BESIDE)))
def test_what_is_not_seen_is_not_read(report: Report, mark: Mark) -> None:
    assert holding(mark.word, stretches(report)) == []
    assert not any(pattern(mark.word).search(comment.text) for comment in report.comments)


@pytest.mark.parametrize("mark", by_word(mark for mark in MARKS if mark.fate == BESIDE))
def test_comments_stand_beside_the_text(report: Report, mark: Mark) -> None:
    assert holding(mark.word, stretches(report)) == []
    (comment,) = (comment for comment in report.comments if pattern(mark.word).search(comment.text))
    assert report.sections[comment.section].heading == "Comments"
    assert comment.author == "Auditora"


def test_a_comment_says_what_it_is_about(report: Report) -> None:
    about = {comment.text.split()[0]: comment.about for comment in report.comments}
    assert about["mkremark"] == "mkcommented"
    assert about["mkcellremark"] == "mkcellcommented"


@pytest.mark.parametrize("mark", by_word(mark for mark in MARKS if mark.fate in KEPT_BY and mark.fate != BESIDE))
def test_what_the_settings_keep_is_read_too(kept: Report, mark: Mark) -> None:
    assert len(holding(mark.word, stretches(kept))) == 1


@pytest.mark.parametrize("settings", [Reports(), Reports(keep=()), EVERYTHING], ids=["usual", "nothing", "everything"])
def test_no_character_is_unaccounted_for(document: Path, settings: Reports) -> None:
    characters = read_report(document, settings).characters
    assert characters.unaccounted == 0
    assert characters.read + sum(characters.left_out.values()) == characters.visible


@pytest.mark.parametrize("reason", sorted({reason for left in left_out() for reason in left.reasons}))
def test_what_is_left_out_is_left_out_for_its_reason(report: Report, reason: str) -> None:
    surely = sum(visible(left.text) for left in left_out() if left.reasons == (reason,))
    perhaps = sum(visible(left.text) for left in left_out() if reason in left.reasons) - surely
    assert surely <= report.characters.left_out.get(reason, 0) <= surely + perhaps


def test_no_other_reason_is_given(report: Report) -> None:
    known = Counter(reason for left in left_out() for reason in left.reasons)
    assert set(report.characters.left_out) <= set(known)
