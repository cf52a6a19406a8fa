"""How long work tells how far it is, without knowing who looks: a bar, a log, a Prefect artifact, nobody."""

from typing import Protocol


class Progress(Protocol):
    """Called with what is done of what there is; `note` is a few words on the present item (ids, never text)."""

    def __call__(self, done: int, total: int, note: str = "") -> None: ...


def silent(done: int, total: int, note: str = "") -> None:
    """Nobody looks."""
