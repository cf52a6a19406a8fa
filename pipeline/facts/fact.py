"""A fact, and which characters of a text are taken by facts already found."""

from typing import Literal, NamedTuple

Kind = Literal["number", "percentage", "amount", "date", "code", "acronym", "address", "name"]


class Fact(NamedTuple):
    """One thing that a text states: equal keys say the same. `start` and `end` are character offsets."""

    kind: Kind
    key: str
    start: int
    end: int


class Claims:
    """The characters of one text that something was found in, so that facts never overlap."""

    LABEL, CODE, OTHER = 1, 2, 3

    def __init__(self, length: int) -> None:
        self._marks = bytearray(length)
        self.facts: list[Fact] = []

    def free(self, start: int, end: int) -> bool:
        """Nothing was found in [start, end)."""
        return not any(self._marks[start:end])

    def at(self, place: int) -> int:
        """What the character at `place` belongs to: 0, LABEL, CODE or OTHER."""
        return self._marks[place]

    def pass_over(self, start: int, end: int) -> None:
        """[start, end) is a label, a mark or the like, and states nothing."""
        self._marks[start:end] = bytes((self.LABEL,)) * (end - start)

    def add(self, kind: Kind, value: str, start: int, end: int) -> None:
        """[start, end), which must be free, states `value`."""
        mark = self.CODE if kind == "code" else self.OTHER
        self._marks[start:end] = bytes((mark,)) * (end - start)
        self.facts.append(Fact(kind, f"{kind}:{value}", start, end))
