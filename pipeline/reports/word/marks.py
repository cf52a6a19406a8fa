"""Marks in the text of what stands elsewhere: numbers of notes, and the ranges that comments are about."""

from collections.abc import Iterator
from contextlib import contextmanager

from pipeline.reports.archive import Element
from pipeline.reports.blocks import tidy
from pipeline.reports.numerals import roman
from pipeline.reports.word import names as n

LONGEST_ABOUT_CHARACTERS = 300
_MOST_PIECES = 300


class NoteMarks:
    """Footnotes are numbered 1, 2, 3 and endnotes i, ii, iii, in the order in which the text refers to them."""

    def __init__(self) -> None:
        self._marks: dict[tuple[str, str], str] = {}
        self._counts = {"footnote": 0, "endnote": 0}

    def of(self, kind: str, identity: str, is_custom: bool) -> tuple[bool, str]:
        """Whether a note is met for the first time, and its mark: "*" where the author's own follows in the text."""
        if (kind, identity) in self._marks:
            return False, self._marks[kind, identity]
        if not is_custom:
            self._counts[kind] += 1
        number = (str if kind == "footnote" else roman)(self._counts[kind]) if not is_custom else "*"
        self._marks[kind, identity] = number
        return True, number


class Ranges:
    """Gathers the text between the beginning and the end of each comment's range, as much as it takes to find it."""

    def __init__(self) -> None:
        self._said: dict[str, list[str]] = {}
        self._open: dict[str, list[str]] = {}

    def mark(self, element: Element) -> None:
        """Begin or end a range, wherever it stands."""
        identity = element.get(n.ID, "")
        if element.tag == n.COMMENT_START:
            self._open[identity] = self._said.setdefault(identity, [])
        else:
            self._open.pop(identity, None)

    def say(self, text: str) -> None:
        """Text of the document, for all ranges that are open."""
        if not self._open:
            return
        for identity, words in list(self._open.items()):
            words.append(text)
            if len(words) > _MOST_PIECES:
                del self._open[identity]

    @contextmanager
    def suspended(self) -> Iterator[None]:
        """Something is read that is not in the ranges that are open."""
        outer, self._open = self._open, {}
        yield
        self._open = outer

    def about(self, identity: str) -> str:
        """What a comment is about, cut where it is long."""
        text = tidy("".join(self._said.pop(identity, ())))
        return text if len(text) <= LONGEST_ABOUT_CHARACTERS else text[:LONGEST_ABOUT_CHARACTERS].rstrip() + "…"
