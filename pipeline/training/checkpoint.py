"""Checkpoints that a killed run goes on from: adapter, optimiser and place, in one file that is whole or absent."""

import logging
import os
import re
from pathlib import Path
from typing import Any

import torch
from peft import PeftModel

from pipeline.storage import clear_disk_errors

log = logging.getLogger(__name__)

_KEPT = 2  # the newest may be lost to a dying disk; the one before it costs little


def save_checkpoint(folder: Path, step: int, model: PeftModel, optimizer: torch.optim.Optimizer) -> None:
    """Write `checkpoint-<step>.pt` and drop all but the newest two."""
    final = folder / f"checkpoint-{step:06d}.pt"
    partial = final.with_suffix(".partial")
    with clear_disk_errors(folder), open(partial, "wb") as file:
        torch.save({"adapter": _trained(model), "optimizer": optimizer.state_dict()}, file)
        file.flush()
        os.fsync(file.fileno())
    partial.replace(final)
    for old in _checkpoints(folder)[:-_KEPT]:
        old.unlink()


def drop_checkpoints(folder: Path) -> None:
    """Remove all checkpoints of a run that needs them no more."""
    for file in _checkpoints(folder):
        file.unlink()


def load_checkpoint(folder: Path, model: PeftModel, optimizer: torch.optim.Optimizer) -> int:
    """Put the newest checkpoint that can be read into model and optimiser; returns the steps done, 0 without one."""
    for file in reversed(_checkpoints(folder)):
        try:
            state = torch.load(file, map_location="cpu", weights_only=True)
        except Exception as error:  # whatever the broken bytes lead torch's reader to
            log.warning("%s cannot be read (%s): going back to the one before it", file, error)
            continue
        with torch.no_grad():
            for name, parameter in _trained(model).items():
                parameter.copy_(state["adapter"][name])
        optimizer.load_state_dict(state["optimizer"])
        return _step(file)
    return 0


def _trained(model: PeftModel) -> dict[str, Any]:
    return {name: parameter for name, parameter in model.named_parameters() if parameter.requires_grad}


def _checkpoints(folder: Path) -> list[Path]:
    return sorted(folder.glob("checkpoint-*.pt"), key=_step)


def _step(file: Path) -> int:
    match = re.search(r"(\d+)\.pt$", file.name)
    assert match, file
    return int(match[1])
