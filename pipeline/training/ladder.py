"""What to change when a run does not fit in memory, one rung after another: what costs least comes first.

    shorter context ── checkpointing ── in parts, smaller tiles ── smaller rank ── sliced vocabulary ── smaller model
         other                       the run itself, on the same                           another base:
       examples                      examples and the same base                              the user

A limit that no example reaches costs nothing here, for nothing is ever padded: a shorter context is a smaller window,
and that makes other examples. So only the rungs in the middle can be taken by a run itself.
"""

from collections.abc import Callable, Iterator

from pipeline.records import Base, Record
from pipeline.settings import Training

_SMALLEST_WINDOW_TOKENS = 1_000
_SMALLEST_RANK = 4
_SMALLEST_TILE_TOKENS = 512
_SMALLER_MODEL = {"Qwen/Qwen3-8B": "Qwen/Qwen3-4B", "Qwen/Qwen3-4B": "Qwen/Qwen3-1.7B"}


class Change(Record):
    """One setting's new value, and why it helps; `own`: a run can take it by itself and keep its examples and base."""

    setting: str
    value: bool | int | str
    why: str
    own: bool

    @property
    def line(self) -> str:
        """The change in words."""
        return (
            f"{self.setting} = {str(self.value).lower() if isinstance(self.value, bool) else self.value} ({self.why})"
        )


def changes(settings: Training, base: Base, window_tokens: int, *, whole_reports: bool = False) -> Iterator[Change]:
    """The rungs that are left from here, the next one first.

    Args:
        settings: those in force.
        window_tokens: most tokens of earlier text in an example.
        whole_reports: examples are whole reports.
    """
    if whole_reports:
        why = "a section and its window are shorter than a whole report"
        yield Change(setting="corpus.whole_reports", value=False, why=why, own=False)
    for rung in _LADDER:
        change = rung(settings, base, window_tokens)
        if change:
            yield change


def taken(change: Change, settings: Training) -> Training:
    """The settings with a change of the run's own in force."""
    branch, name = change.setting.split(".")
    assert branch == "training" and change.own, change
    return Training.model_validate({**settings.model_dump(), name: change.value})


def _shorter_context(settings: Training, base: Base, window_tokens: int) -> Change | None:
    shorter = window_tokens // 2
    if shorter < _SMALLEST_WINDOW_TOKENS:
        return None
    return Change(
        setting="windows.budget_tokens", value=shorter, why="memory grows with an example's length", own=False
    )


def _checkpointing(settings: Training, base: Base, window_tokens: int) -> Change | None:
    if settings.gradient_checkpointing:
        return None
    why = "each layer's input is kept in place of all that it computes; a third more time"
    return Change(setting="training.gradient_checkpointing", value=True, why=why, own=True)


def _in_parts(settings: Training, base: Base, window_tokens: int) -> Change | None:
    if settings.in_parts == "always":
        return None
    why = "a layer, a tile and a group of heads at a time, layers' inputs in host memory"
    return Change(setting="training.in_parts", value="always", why=why, own=True)


def _smaller_tiles(settings: Training, base: Base, window_tokens: int) -> Change | None:
    smaller = settings.tile_tokens // 2
    if settings.in_parts != "always" or smaller < _SMALLEST_TILE_TOKENS:
        return None
    return Change(
        setting="training.tile_tokens", value=smaller, why="fewer tokens pass through a layer at once", own=True
    )


def _smaller_rank(settings: Training, base: Base, window_tokens: int) -> Change | None:
    smaller = max(settings.rank // 2, _SMALLEST_RANK)
    if smaller >= settings.rank:
        return None
    return Change(
        setting="training.rank", value=smaller, why="a smaller adapter, with smaller gradients and state", own=True
    )


def _sliced_vocabulary(settings: Training, base: Base, window_tokens: int) -> Change | None:
    if base.sliced_from:
        return None
    return Change(setting="vocabulary.slice", value=True, why="a smaller embedding, head and logits", own=False)


def _smaller_model(settings: Training, base: Base, window_tokens: int) -> Change | None:
    smaller = _SMALLER_MODEL.get(base.name, "a smaller one")
    return Change(setting="model", value=smaller, why="less of everything", own=False)


_LADDER: tuple[Callable[[Training, Base, int], Change | None], ...] = (
    _shorter_context,
    _checkpointing,
    _in_parts,
    _smaller_tiles,
    _smaller_rank,
    _sliced_vocabulary,
    _smaller_model,
)
