"""Which tensors are alive, counted op by op: what the card's allocator would hold.

Every op of a run passes through `Live`, be its tensors real or fake (shapes without numbers). A storage counts from the
op that makes it until Python and autograd have let go of it. All that happens is written down as a list of events

    (+bytes or -bytes, place, layer at work)

and read afterwards: the peak, what is alive at it, the peak within each layer's work.
"""

import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import torch
from torch._subclasses.fake_tensor import FakeTensor, unset_fake_temporarily
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from pipeline.memory.parts import in_blocks
from pipeline.memory.places import Places
from pipeline.memory.trace import Trace

Memory = Literal["card", "host"]
Scratch = Callable[[Any, tuple[Any, ...], Any], int]

_DEVICE = torch.ops.prim.device.default
_ADD = torch.ops.aten.add.Tensor
_ARANGE = torch.ops.aten.arange


@dataclass(frozen=True)
class Place:
    """Who holds bytes: in which memory, made where, and what it is."""

    memory: Memory
    where: str
    what: str = ""


@dataclass
class _Storage:
    bytes: int
    place: int
    watch: weakref.ref[torch.UntypedStorage]


class Live(TorchDispatchMode):
    """Counts the bytes of live storages while it is active.

    Within a FakeTensorMode, ranges of numbers and ops on real tensors alone are computed for real: the code may decide
    by token ids and positions how to go on.

    Args:
        scratch: bytes that a kernel takes for the time it runs beyond its outputs, asked for every op (its overload,
            arguments and output); none without it.
    """

    def __init__(self, scratch: Scratch | None = None) -> None:
        super().__init__()
        self._scratch = scratch
        self._summed: int | None = None  # the first addend, straight after autograd's engine summed two gradients
        self._places = Places()
        self._index: dict[Place, int] = {}
        self._storages: dict[int, _Storage] = {}
        self._layers: dict[int, int] = {}  # storage of a layer's weight -> the layer; -1: of no layer
        self._memory: Memory = "card"
        self._pinned = False
        self._layer: int | None = None
        self._deltas: list[int] = []
        self._event_places: list[int] = []
        self._event_spans: list[int] = []
        self._spans: list[int | None] = [None]  # the layer at work in each span of events
        self._placing: str | None = None

    def __torch_dispatch__(self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None) -> Any:
        if func is _DEVICE:
            return func(*args)
        if self._layers:
            self._follow(args)
        out = self._run(func, args, kwargs or {})
        where, by_engine = (self._placing, False) if self._placing else self._places.here()
        scratch = self._scratch(func, args, out) if self._scratch else 0
        if scratch:
            kernel = (
                func.__name__.split(".")[0].removeprefix("_").replace("_for_cpu", "")
            )  # the card's has its place here
            place = self._place(Place("card", where, f"while {kernel} runs"))
            self._event(_rounded(scratch), place)
        tensors = (out,) if isinstance(out, torch.Tensor) else out if isinstance(out, (tuple, list)) else ()
        for tensor in tensors:
            if isinstance(tensor, torch.Tensor):
                self._see(tensor, where)
        if scratch:
            self._event(-_rounded(scratch), place)
        self._summed = args[0].untyped_storage()._cdata if by_engine and func is _ADD else None
        return out

    @contextmanager
    def on_host(self, *, pinned: bool) -> Iterator[None]:
        """What is allocated inside lies in host memory; pinned memory comes in powers of two."""
        before = self._memory, self._pinned
        self._memory, self._pinned = "host", pinned
        try:
            yield
        finally:
            self._memory, self._pinned = before

    @contextmanager
    def placing(self, where: str) -> Iterator[None]:
        """What is allocated inside is put down to this place, not to the stack's."""
        before, self._placing = self._placing, where
        try:
            yield
        finally:
            self._placing = before

    def count(self, tensor: torch.Tensor, where: str) -> None:
        """Count a tensor that was made while nobody watched."""
        self._see(tensor, where)

    def name(self, tensor: torch.Tensor, where: str, *, layer: int | None = None) -> None:
        """Put a live tensor down to another place; a weight's layer (-1: it is of none) says who is at work later."""
        key = tensor.untyped_storage()._cdata
        self._replace(self._storages[key], lambda place: Place(place.memory, where))
        if layer is not None:
            self._layers[key] = layer

    def move(self, tensor: torch.Tensor, memory: Memory) -> None:
        """Count a live tensor as lying in the other memory from now on."""
        storage = self._storages[tensor.untyped_storage()._cdata]
        self._replace(storage, lambda place: Place(memory, place.where, place.what))

    def memory(self, tensor: torch.Tensor) -> Memory:
        """Where a live tensor lies."""
        return list(self._index)[self._storages[tensor.untyped_storage()._cdata].place].memory

    def hold(self, count: int, where: str) -> None:
        """Count so many bytes on the card from now on, for what no tensor shows."""
        self._event(_rounded(count), self._place(Place("card", where)))

    def begin(self) -> Trace:
        """Forget how what is alive came to be; its sum per place stands at the beginning of the trace from now on."""
        before = self.trace()
        alive = before.at_end("card") | before.at_end("host")
        self._deltas, self._event_places = list(alive.values()), [self._place(place) for place in alive]
        self._event_spans, self._spans, self._layer = [0] * len(alive), [None], None
        return self.trace()

    def trace(self) -> Trace:
        """All events until now."""
        return Trace(list(self._index), self._deltas, self._event_places, self._event_spans, self._spans)

    def _replace(self, storage: _Storage, change: Callable[[Place], Place]) -> None:
        self._event(-storage.bytes, storage.place)
        storage.place = self._place(change(list(self._index)[storage.place]))
        self._event(storage.bytes, storage.place)

    def _see(self, tensor: torch.Tensor, where: str) -> None:
        storage = tensor.untyped_storage()
        key, count = storage._cdata, storage.nbytes()
        if key in self._storages or not count:
            return
        what = f"{str(tensor.dtype).removeprefix('torch.')} {list(tensor.shape)}"
        place = self._place(Place(self._memory, where, what))
        watch = weakref.ref(storage, partial(self._free, key))
        self._storages[key] = _Storage(_rounded(count, pinned=self._pinned), place, watch)
        self._event(self._storages[key].bytes, place)

    def _free(self, key: int, _: object) -> None:
        storage = self._storages.pop(key)
        in_place = self._summed == key
        self._event(-storage.bytes, storage.place)
        if in_place:  # the engine sums in place when nobody else holds the addend, but never while a mode is active
            for events in (self._deltas, self._event_places):
                events[-2:] = reversed(events[-2:])

    def _run(self, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        tensors = [leaf for leaf in tree_leaves((args, kwargs)) if isinstance(leaf, torch.Tensor)]
        real = not any(isinstance(tensor, FakeTensor) for tensor in tensors)
        if not real or (not tensors and func.overloadpacket is not _ARANGE):
            return func(*args, **kwargs)
        with unset_fake_temporarily():
            return func(*args, **kwargs)

    def _follow(self, args: tuple[Any, ...]) -> None:
        """A new span of events begins when a weight of another layer is used."""
        for tensor in args:
            if isinstance(tensor, torch.Tensor):
                layer = self._layers.get(tensor.untyped_storage()._cdata)
                if layer is not None and layer != self._layer:
                    self._layer = layer
                    self._spans.append(layer)

    def _place(self, place: Place) -> int:
        return self._index.setdefault(place, len(self._index))

    def _event(self, delta: int, place: int) -> None:
        self._summed = None
        self._deltas.append(delta)
        self._event_places.append(place)
        self._event_spans.append(len(self._spans) - 1)


def _rounded(count: int, *, pinned: bool = False) -> int:
    return 1 << (count - 1).bit_length() if pinned else in_blocks(count)
