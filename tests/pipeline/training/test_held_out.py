"""Looks at the held-out loss: the best weights are kept, and a run stops when looks are of no more use."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from pipeline.training.held_out import HeldOut


def looked(losses: list[float], patience: int) -> HeldOut:
    held_out, weights = HeldOut(patience), {"w": torch.zeros(1)}
    for step, loss in enumerate(losses, 1):
        weights["w"].fill_(step)  # in place, as an optimiser does
        held_out.add(step, loss, weights)
    return held_out


@given(losses=st.lists(st.sampled_from([1.0, 2.0, 3.0]), min_size=1, max_size=8), patience=st.integers(0, 4))
def test_the_first_of_the_best_is_kept_with_its_weights(losses: list[float], patience: int) -> None:
    held_out = looked(losses, patience)
    best = losses.index(min(losses)) + 1
    assert held_out.best == (best, min(losses)) and held_out.weights["w"].item() == best
    assert held_out.exhausted == (patience > 0 and len(losses) - best >= patience)


@pytest.mark.parametrize(
    ("losses", "patience", "stops"),
    [([2, 3], 1, True), ([2, 3], 2, False), ([2, 3, 1], 2, False), ([2, 2, 2], 2, True), ([2, 3, 4, 5], 0, False)],
)
def test_it_stops_after_as_many_looks_without_a_better_loss(losses: list[float], patience: int, stops: bool) -> None:
    assert looked(losses, patience).exhausted is stops


def test_before_the_first_look_nothing_is_exhausted() -> None:
    assert not HeldOut(1).exhausted
