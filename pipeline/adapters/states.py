"""From what happened to what holds: the state of every adapter and the line of champions of one base.

                 register          promote           promote another, roll back
    (nothing) ──────────> candidate ──────> champion ──────────────────────────> retired
                              │ refuse          ^                                   │
                              └────> refused ───┴─────── promote, roll back ────────┘

Pure functions of a list of events; they know no database.
"""

from collections.abc import Iterable
from typing import Literal

from pipeline.records import Record, Score

State = Literal["candidate", "champion", "retired", "refused"]
Cause = Literal["registered", "promoted", "refused", "rolled back"]


class Event(Record):
    """One change of state. `evaluation` names the proof it leans on, `scores` are what that proof found."""

    adapter: str
    state: State
    cause: Cause
    reason: str
    evaluation: str | None = None
    scores: tuple[Score, ...] = ()
    time: str


def states(events: Iterable[Event]) -> dict[str, State]:
    """The present state of each adapter: that of its last event."""
    return {event.adapter: event.state for event in events}


def latest_scores(events: Iterable[Event]) -> dict[str, tuple[Score, ...]]:
    """The scores that each adapter was last judged by."""
    return {event.adapter: event.scores for event in events if event.scores}


def line_of_champions(events: Iterable[Event]) -> list[str]:
    """The champions of one base, the present one last; a rollback takes the last one off the line for good.

    A rollback after a rollback thus goes one further back, and not forward again to what was just taken out.
    """
    line: list[str] = []
    for event in events:
        if event.state == "champion" and event.cause == "promoted":
            line.append(event.adapter)
        elif event.state == "retired" and event.cause == "rolled back":
            line.pop()
    return line
