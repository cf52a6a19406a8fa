"""Where in the code a tensor is made, read from the Python stack: the code itself carries no labels.

    loop.py:target_loss > modeling_qwen3.py:Qwen3MLP.forward > bnb.py:Linear4bit.forward
    our code              transformers                         peft or bitsandbytes

In backward the stack ends at autograd's engine. What its nodes allocate is put down to the place where they were
made in forward, with the node's name: `modeling_qwen3.py:Qwen3MLP.forward (MulBackward0)`.
"""

import sys
from pathlib import Path
from types import CodeType, FrameType

import torch

_ENGINE = ("torch/autograd/graph.py", "_engine_run_backward")
_OWN_ROOM = str(Path(__file__).parent) + "/"
_OURS = str(Path(__file__).parents[1]) + "/"
# Outer to inner, as they call one another.
_PACKAGES = (_OURS, "-packages/transformers/", "-packages/peft/", "-packages/bitsandbytes/")


class Places:
    """Reads places from the stack, and remembers where autograd's nodes were made."""

    def __init__(self) -> None:
        self._codes: dict[CodeType, tuple[int, str] | None] = {}
        self._made: dict[int, str] = {}  # autograd's sequence number -> place in forward

    def here(self) -> tuple[str, bool]:
        """The place of the op that is dispatched now, and whether autograd's engine itself called it.

        To be called once for each op, by a dispatch mode.
        """
        node = torch._C._current_autograd_node()
        names, in_engine = self._walk()
        if in_engine and not names and node is not None:
            place = self._made.get(node._sequence_nr(), "backward")
            return f"{place} ({node.name().removeprefix('torch::autograd::').replace('ForCpu', '')})", True
        place = " > ".join(names) or "elsewhere"
        if torch.is_grad_enabled():  # the op's node is made before the op is dispatched
            self._made.setdefault(torch.autograd._get_sequence_nr() - 1, place)
        return place, False

    def _walk(self) -> tuple[list[str], bool]:
        """Innermost frame of each package, outer package first; and whether autograd's engine called this op."""
        names: list[str] = []
        outermost = len(_PACKAGES)
        frame: FrameType | None = sys._getframe(2)
        while frame is not None:
            code = frame.f_code
            if code not in self._codes:
                self._codes[code] = _known(code)
            rank, name = self._codes[code] or (outermost, "")
            if rank < 0:  # the engine: what lies outside is the caller of backward()
                return names, True
            if rank < outermost:
                outermost = rank
                names.insert(0, name)
            frame = frame.f_back
        return names, False


def _known(code: CodeType) -> tuple[int, str] | None:
    """The package's rank and the name to show; rank -1 for autograd's engine; None for all other code."""
    file = code.co_filename
    if file.endswith(_ENGINE[0]) and code.co_name == _ENGINE[1]:
        return -1, ""
    if file.startswith(_OWN_ROOM):
        return None
    for rank, package in enumerate(_PACKAGES):
        if package in file:
            return rank, f"{Path(file).name}:{code.co_qualname.split('.<locals>')[0]}"
    return None
