"""How work tells what it does, without knowing who looks: a terminal, a log, Prefect, nobody."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol


class Progress(Protocol):
    """Called with what is done of what there is; `note` is a few words on the present item (ids, never text)."""

    def __call__(self, done: int, total: int, note: str = "") -> None: ...


def silent(done: int, total: int, note: str = "") -> None:
    """Nobody looks."""


class Teller(Protocol):
    """Tells a person of stages: a bar while one runs, a plain line when it is done."""

    def say(self, line: str) -> None:
        """One plain line."""

    def show(self, renderable: object) -> None:
        """A table or a tree (rich), for tellers that can show one."""

    def bar(self, title: str) -> AbstractContextManager[Progress]:
        """A bar for as long as the context lasts."""


class Silence:
    """A teller that says nothing."""

    def say(self, line: str) -> None:
        """Nobody listens."""

    def show(self, renderable: object) -> None:
        """Nobody looks."""

    @contextmanager
    def bar(self, title: str) -> Iterator[Progress]:
        """Nobody looks."""
        yield silent
