"""Building the windows of a report's sections, so that the prompt of one begins like that of the one before.

    before section     window                                                             tokens
    1..5               outline | 1 2 3 4 5 whole                                          all fits
    9                  outline | 1 2 3 4 5 6 7 8 whole                                    the budget is reached
    10                 outline | chosen from 1..9 down to refill_share of the budget
    11                 outline | the same chosen part | 10 whole                          grows at its end
    14                 outline | the same older part | chosen from the newer ones ..13    the budget is reached again
    ...                                             and so on, with less and less room to grow
    22                 outline | chosen anew from 1..21 down to refill_share of the budget

A window only grows at its end until it is full: a server with a prefix cache then reads no more than what was added.
When it is full, what stands in it before the recent text stays, and the rest is chosen from the sections since then;
the older part grows by that. Once the room that is left would not hold a section, all is chosen anew. A window that
would have no room for a few sections in any case, is chosen anew for each section, and filled.

Where a choice falls due follows from the tokens of the sections alone, so that the window of a section is the same
whether windows are built one after the other or one by itself.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from math import ceil
from typing import NamedTuple

from pipeline.bases.tokens import Tokens
from pipeline.records import Section, Window, WindowPart
from pipeline.settings import Windows
from pipeline.windows.decay import decay
from pipeline.windows.keeping import Keeping, mark_tokens_of, whole
from pipeline.windows.outline import outline_within
from pipeline.windows.pieces import Measured, measure
from pipeline.windows.plan import Need, Plan, need_of
from pipeline.windows.select import select
from pipeline.windows.tail import RECENT, tail

Policy = Callable[[Keeping, Need, Windows], None]
POLICIES: dict[str, Policy] = {"tail": tail, "decay": decay, "select": select}

FITS, SINCE = "all of it fits", "since the choice"
_FURTHEST_TOKENS = 150_000  # of text that a choice looks back at: the cost of one does not grow with the report
_ROOM_KEPT = 0.8  # of the room to grow, from one choice to the next
_LEAST_ROOM_SECTIONS = 2  # else all is chosen anew for every section
_HEADINGS_WANTED = 4  # a choice serves several sections: it is made for these headings to come


def build_windows(sections: Sequence[Section], plan: Plan, tokens: Tokens, settings: Windows) -> Iterator[Window]:
    """The windows of all sections of a report, in order; each section is tokenised once.

    The sum of the parts' tokens and the outline's never exceeds the budget.
    """
    builder = _Builder(plan, tokens, settings)
    for section in sections:
        yield builder.window()
        builder.add(measure(section, tokens))


def window_of(sections: Sequence[Section], plan: Plan, place: int, tokens: Tokens, settings: Windows) -> Window:
    """The window of the section at `place` alone; nothing of it, or of what follows, is looked at.

    Sections that are asked for again are not tokenised again.
    """
    builder = _Builder(plan, tokens, settings)
    for section in sections[:place]:
        builder.add(_measured(section, tokens))
    return builder.window()


_measured = lru_cache(maxsize=1024)(measure)


class _Choice(NamedTuple):
    """Before which section a window was chosen, and how many tokens it was to take."""

    place: int
    tokens: int


class _Builder:
    """The sections before the one whose turn it is, and where the window was chosen for the last time."""

    def __init__(self, plan: Plan, tokens: Tokens, settings: Windows) -> None:
        self._plan, self._tokens, self._settings = plan, tokens, settings
        self._outline, self._outline_tokens = outline_within(
            plan, tokens, int(settings.budget_tokens * settings.outline_share)
        )
        self._budget = settings.budget_tokens - self._outline_tokens
        self._earlier: list[Measured] = []
        self._earlier_tokens = 0
        self._filled = 0  # tokens of the window by now, at most
        self._choices: list[_Choice] = []  # since all was chosen anew, the first of them
        self._made: list[Keeping] = []  # what was kept by these, as far as somebody has asked
        self._parts: list[WindowPart] | None = []  # of the window by now; None: still to be chosen

    def add(self, measured: Measured) -> None:
        """The section whose turn it was is written."""
        self._earlier.append(measured)
        self._earlier_tokens += measured.whole_tokens
        self._filled += measured.whole_tokens
        if self._filled > self._budget:
            self._fall_due()
        elif self._parts is not None:
            self._parts.append(whole(measured, SINCE if self._choices else FITS))

    def window(self) -> Window:
        """The window of the section whose turn it is."""
        if self._parts is None:
            since = (whole(measured, SINCE) for measured in self._earlier[self._choices[-1].place :])
            self._parts = [*self._chosen().parts(), *since]
        used = self._outline_tokens + sum(part.tokens for part in self._parts)
        return Window(
            document=self._plan.document,
            section=self._plan.headings[len(self._earlier)].section,
            policy=self._settings.policy,
            tokenizer=self._tokens.name,
            budget_tokens=self._settings.budget_tokens,
            used_tokens=used,
            outline=self._outline,
            outline_tokens=self._outline_tokens,
            parts=tuple(self._parts),
        )

    def _fall_due(self) -> None:
        """The window is full: it is to be chosen before the section to come."""
        usual = self._earlier_tokens / len(self._earlier)  # tokens of a section
        room = (self._budget - self._choices[-1].tokens) * _ROOM_KEPT if self._choices else 0.0
        if room < usual:
            room = self._budget * (1 - self._settings.refill_share)
            room = room if room >= _LEAST_ROOM_SECTIONS * usual else 0.0
            self._choices.clear()
            self._made.clear()
        self._filled = self._budget - ceil(room)
        self._choices.append(_Choice(len(self._earlier), self._filled))
        self._parts = None

    def _chosen(self) -> Keeping:
        """What is kept by the last choice; those before it since all was chosen anew are made if they were not."""
        first = _first_within(self._earlier[: self._choices[0].place], _FURTHEST_TOKENS)
        for choice in self._choices[len(self._made) :]:
            need = need_of(self._plan, choice.place, _HEADINGS_WANTED, self._outline)
            before = self._made[-1] if self._made else None
            earlier = tuple(self._earlier[first : choice.place])
            self._made.append(_kept(earlier, choice.tokens, need, self._tokens, self._settings, before))
        return self._made[-1]


@lru_cache(maxsize=64)  # a page that shows the window asks again and again
def _kept(
    earlier: tuple[Measured, ...], budget: int, need: Need, tokens: Tokens, settings: Windows, before: Keeping | None
) -> Keeping:
    keeping = Keeping(earlier, budget, mark_tokens_of(tokens))
    if before is not None:
        keeping.take_over(before, before.first_kept_for(RECENT))
    POLICIES[settings.policy](keeping, need, settings)
    return keeping


def _first_within(earlier: Sequence[Measured], tokens: int) -> int:
    """The first of the sections that lie wholly within the last `tokens`, the last one in any case."""
    for place in range(len(earlier) - 1, -1, -1):
        tokens -= earlier[place].whole_tokens
        if tokens < 0:
            return min(place + 1, len(earlier) - 1)
    return 0
