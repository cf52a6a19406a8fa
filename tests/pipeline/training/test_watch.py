"""Memory: what is too little is known by torch's own errors, and told once."""

import psutil
import pytest
import torch

from pipeline.training import watch
from pipeline.training.watch import Watch, free_bytes, is_out_of_memory, resident_peak_bytes


def test_torchs_own_words_for_too_little_memory_are_known() -> None:
    with pytest.raises(RuntimeError) as caught:
        torch.empty(1 << 50)
    assert is_out_of_memory(caught.value)
    assert is_out_of_memory(torch.OutOfMemoryError("CUDA out of memory")) and is_out_of_memory(MemoryError())
    assert not is_out_of_memory(RuntimeError("shapes do not match")) and not is_out_of_memory(ValueError("memory"))


def test_what_is_free_and_what_was_held_are_the_systems_own_figures() -> None:
    assert free_bytes() == pytest.approx(psutil.virtual_memory().available, rel=0.2)
    before = resident_peak_bytes()
    assert before >= psutil.Process().memory_info().rss * 0.9
    torch.ones(before // 4 + (8 << 20))  # as much again, in numbers of four bytes
    assert resident_peak_bytes() > before + (16 << 20)


def test_little_memory_is_told_once_and_enough_never(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    free = [3 << 30, (1 << 30) - 1, 1 << 20]
    monkeypatch.setattr(watch, "free_bytes", lambda: free.pop(0))
    looking = Watch(1 << 30, told.append)
    looking.look("step 1")
    assert told == []
    looking.look("step 2")
    looking.look("step 3")
    assert told == ["memory is nearly used up at step 2: 1.0 GiB free on the machine, the margin is 1.0 GiB"]
