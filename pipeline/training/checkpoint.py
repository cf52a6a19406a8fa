"""Checkpoints that a killed run goes on from, each one file that is whole or absent.

adapter       the trained weights
optimizer     its moments
held_out      looks at the held-out loss, and the weights of the best
random        states of the random generators
(file name)   steps done: place in the data and in the learning rate's curve are functions of it
"""

import logging
import os
import random
import re
from pathlib import Path
from typing import Any

import torch
from peft import PeftModel
from torch import Tensor

from pipeline.storage import clear_disk_errors
from pipeline.training.held_out import HeldOut

log = logging.getLogger(__name__)

_KEPT = 2  # the newest may be lost to a dying disk; the one before it costs little


def save_checkpoint(
    folder: Path, step: int, model: PeftModel, optimizer: torch.optim.Optimizer, held_out: HeldOut
) -> None:
    """Write `checkpoint-<step>.pt` and drop all but the newest two."""
    final = folder / f"checkpoint-{step:06d}.pt"
    partial = final.with_suffix(".partial")
    state = {
        "adapter": trained_weights(model),
        "optimizer": optimizer.state_dict(),
        "held_out": held_out.state(),
        "random": random_state(),
    }
    with clear_disk_errors(folder), open(partial, "wb") as file:
        torch.save(state, file)
        file.flush()
        os.fsync(file.fileno())
    partial.replace(final)
    for old in _checkpoints(folder)[:-_KEPT]:
        old.unlink()


def drop_checkpoints(folder: Path) -> None:
    """Remove all checkpoints of a run that needs them no more."""
    for file in _checkpoints(folder):
        file.unlink()


def load_checkpoint(folder: Path, model: PeftModel, optimizer: torch.optim.Optimizer, held_out: HeldOut) -> int:
    """Put the newest checkpoint that can be read in force; returns the steps done, 0 without one."""
    for file in reversed(_checkpoints(folder)):
        try:
            state = torch.load(file, map_location="cpu", weights_only=True)
        except Exception as error:  # whatever the broken bytes lead torch's reader to
            log.warning("%s cannot be read (%s): going back to the one before it", file, error)
            continue
        load_weights(model, state["adapter"])
        optimizer.load_state_dict(state["optimizer"])
        held_out.restore(state["held_out"])
        set_random_state(state["random"])
        return _step(file)
    return 0


def trained_weights(model: PeftModel) -> dict[str, Tensor]:
    """The parameters that are trained, by name."""
    return {name: parameter for name, parameter in model.named_parameters() if parameter.requires_grad}


def load_weights(model: PeftModel, weights: dict[str, Tensor]) -> None:
    """Put values of `trained_weights` back."""
    with torch.no_grad():
        for name, parameter in trained_weights(model).items():
            parameter.copy_(weights[name])


def random_state() -> dict[str, Any]:
    """Where Python's and torch's generators are, on the host and on every card."""
    cards = torch.cuda.get_rng_state_all() if torch.cuda.is_available() else []
    return {"python": random.getstate(), "torch": torch.get_rng_state(), "cards": cards}


def set_random_state(state: dict[str, Any]) -> None:
    """Put the generators back where they were; cards that there are no more are left out."""
    random.setstate(state["python"])
    torch.set_rng_state(state["torch"])
    if torch.cuda.is_available():
        for card, of_card in enumerate(state["cards"][: torch.cuda.device_count()]):
            torch.cuda.set_rng_state(of_card, card)


def _checkpoints(folder: Path) -> list[Path]:
    return sorted(folder.glob("checkpoint-*.pt"), key=_step)


def _step(file: Path) -> int:
    match = re.search(r"(\d+)\.pt$", file.name)
    assert match, file
    return int(match[1])
