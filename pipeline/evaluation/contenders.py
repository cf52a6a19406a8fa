"""The models that are judged: one base in memory, bare or with one of its adapters on.

On a CPU a small base is dequantised once, to the very values that NF4 stands for: the arithmetic is the same,
and it is not done again for every token. It must happen before the first forward pass, because bitsandbytes
then packs the weights anew for the CPU at hand, and what is unpacked afterwards is not what was there.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

import torch
from peft import PeftModel
from transformers import PreTrainedModel

from pipeline.adapters.files import verify
from pipeline.errors import FatalError
from pipeline.records import Adapter, Base, short
from pipeline.training.model import attach_adapter, compute_dtype, load_base

_DEQUANTISED_BYTES = 2 << 30  # a larger base stays in NF4


def arithmetic() -> str:
    """The type that this machine computes in, for signatures."""
    return str(compute_dtype()).removeprefix("torch.")


class Contenders:
    """A base in memory, and the adapters on it."""

    def __init__(self, base: Base) -> None:
        self._base, self._attached = base, set[str]()
        model, self.tokenizer = load_base(base)
        if not torch.cuda.is_available() and 4 * model.num_parameters() <= _DEQUANTISED_BYTES:
            logging.getLogger("transformers.integrations.bitsandbytes").setLevel(logging.ERROR)
            model = model.dequantize(dtype=torch.float32)
        self._model: PreTrainedModel | PeftModel = model

    @contextmanager
    def playing(self, adapter: Adapter | None) -> Iterator[torch.nn.Module]:
        """The model with this adapter on, or as the bare base (None).

        Raises:
            FatalError: the adapter belongs to another base, or its files are not whole.
        """
        if adapter is not None:
            self._put_on(adapter)
            yield self._model
        elif isinstance(self._model, PeftModel):
            with self._model.disable_adapter():
                yield self._model
        else:
            yield self._model

    def _put_on(self, adapter: Adapter) -> None:
        if adapter.base != self._base.id:
            raise FatalError(
                f"adapter {short(adapter.id)} was trained on another base ({short(adapter.base)})",
                where=self._base.name,
                fix="train one on this base",
            )
        name = short(adapter.id)
        if name not in self._attached:
            verify(adapter)
            self._model = attach_adapter(self._model, adapter, name)
            self._attached.add(name)
        self._model.set_adapter(name)
