"""The ladder: the published order, from the present settings down to where nothing is left but a smaller model."""

import pytest

from pipeline.records import Base
from pipeline.settings import Training
from pipeline.training.ladder import Change, changes, taken

WHOLE = Base(name="Qwen/Qwen3-8B", fingerprint="f", rows=151_936, path="/")
SLICED = WHOLE.model_copy(update={"sliced_from": WHOLE.id})
PLAIN = Training(rank=16, gradient_checkpointing=False)


def rungs(settings: Training, base: Base, window_tokens: int) -> list[tuple[str, object]]:
    return [(change.setting, change.value) for change in changes(settings, base, window_tokens)]


def test_the_order_is_the_published_one() -> None:
    assert rungs(PLAIN, WHOLE, 20_000) == [
        ("windows.budget_tokens", 10_000),
        ("training.gradient_checkpointing", True),
        ("training.in_parts", "always"),
        ("training.rank", 8),
        ("vocabulary.slice", True),
        ("model", "Qwen/Qwen3-4B"),
    ]


def test_what_is_done_already_is_no_rung() -> None:
    least = Training(rank=4, in_parts="always", tile_tokens=512)
    assert rungs(least, SLICED, 1_999) == [("model", "Qwen/Qwen3-4B")]
    assert rungs(least.model_copy(update={"rank": 5}), SLICED, 0)[0] == ("training.rank", 4)
    assert rungs(least.model_copy(update={"rank": 2}), SLICED, 0)[0][0] == "model"
    assert rungs(least.model_copy(update={"tile_tokens": 1024}), SLICED, 0)[0] == ("training.tile_tokens", 512)
    assert rungs(Training(rank=4), SLICED, 0)[0] == ("training.in_parts", "always")


def test_a_run_that_takes_all_it_can_ends_where_only_the_user_can_help() -> None:
    settings, taken_ = PLAIN, []
    while own := [change for change in changes(settings, SLICED, 0) if change.own]:
        settings = taken(own[0], settings)
        taken_.append((own[0].setting, own[0].value))
    assert taken_ == [
        ("training.gradient_checkpointing", True),
        ("training.in_parts", "always"),
        ("training.tile_tokens", 1024),
        ("training.tile_tokens", 512),
        ("training.rank", 8),
        ("training.rank", 4),
    ]
    smallest = {"rank": 4, "gradient_checkpointing": True, "in_parts": "always", "tile_tokens": 512}
    assert settings == PLAIN.model_copy(update=smallest)


def test_windows_are_shorter_than_whole_reports() -> None:
    first = next(changes(PLAIN, WHOLE, 20_000, whole_reports=True))
    assert (first.setting, first.value, first.own) == ("corpus.whole_reports", False, False)


def test_only_what_keeps_examples_and_base_is_the_runs_own() -> None:
    own = {change.setting for change in changes(PLAIN, WHOLE, 20_000) if change.own}
    assert own == {"training.gradient_checkpointing", "training.in_parts", "training.rank"}
    with pytest.raises(AssertionError):
        taken(next(changes(PLAIN, WHOLE, 20_000)), PLAIN)


def test_a_change_is_a_line_that_can_be_typed_into_the_settings() -> None:
    assert Change(setting="training.rank", value=8, why="smaller", own=True).line == "training.rank = 8 (smaller)"
    assert Change(setting="vocabulary.slice", value=True, why="w", own=False).line == "vocabulary.slice = true (w)"
