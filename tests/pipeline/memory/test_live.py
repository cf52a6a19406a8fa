"""Live bytes, counted by hand and against what PyTorch's own allocator and tracker say."""

import gc

import pytest
import torch
from torch import nn
from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode
from torch.distributed._tools.mem_tracker import MemTracker
from transformers import Qwen3Config, Qwen3ForCausalLM

from pipeline.memory.live import Live


def bytes_by_what(live: Live) -> dict[str, int]:
    return {place.what: held for place, held in live.trace().at_peak().items()}


def test_a_storage_counts_from_its_op_until_nobody_holds_it():
    with Live() as live:
        a = torch.zeros(1000)  # 4000 bytes: 8 blocks of 512
        view = a[10:]
        del a
        b = torch.zeros(3)
        assert sum(live.trace().at_end().values()) == 4096 + 512
        del view
        c = torch.zeros(200)
    assert live.trace().peak() == 4096 + 512
    assert sum(live.trace().at_end().values()) == 512 + 1024
    assert bytes_by_what(live) == {"float32 [1000]": 4096, "float32 [3]": 512}
    del b, c


def test_what_autograd_saves_counts_until_backward():
    x = torch.zeros(1024, requires_grad=True)
    with Live() as live:
        y = x.exp().sin().sum()  # exp's output is saved twice, sin's is not needed
        assert sum(live.trace().at_end().values()) == 4096 + 512
        y.backward()
        del y
    assert sum(live.trace().at_end().values()) == 4096  # x.grad


def test_scratch_counts_while_its_kernel_runs_beside_the_output():
    def scratch(func, args, out):
        return 5000 if func is torch.ops.aten.exp.default else 0

    x = torch.zeros(128)
    with Live(scratch) as live:
        kept = x.exp()
        assert sum(live.trace().at_end().values()) == 512
    assert live.trace().peak() == 5120 + 512
    del kept


def test_host_memory_is_counted_apart_and_pinned_in_powers_of_two():
    with Live() as live:
        with live.on_host(pinned=True):
            kept = torch.zeros(1100)
        with live.on_host(pinned=False):
            pageable = torch.zeros(1100)
        card = torch.zeros(128)
        assert live.memory(kept) == "host" and live.memory(card) == "card"
    assert live.trace().peak("host") == 8192 + 4608
    assert live.trace().peak("card") == 512
    with live:
        live.move(card, "host")
    assert sum(live.trace().at_end("card").values()) == 0
    del pageable


def test_begin_forgets_the_way_but_not_what_is_alive():
    with Live() as live:
        large = torch.zeros(100_000)
        small = torch.zeros(128)
        del large
        assert live.begin().peak() == 512
    del small


def test_spans_follow_the_layer_whose_weights_are_used():
    weights = [torch.zeros(16, 16) for _ in range(2)]
    with Live() as live:
        for layer, weight in enumerate(weights):
            live.count(weight, "weight")
            live.name(weight, "weight", layer=layer)
        live.begin()
        x = torch.zeros(64, 16)
        for weight in (*weights, weights[0]):
            x = x @ weight
    peaks = live.trace().at_peaks()
    assert [(layer, time) for layer, time, _ in peaks] == [(None, 0), (0, 0), (1, 0), (0, 1)]
    assert [sum(alive.values()) for *_, alive in peaks] == [2048 + 4096, *[2048 + 2 * 4096] * 3]


def test_indices_are_real_among_fake_tensors():
    with FakeTensorMode(allow_non_fake_inputs=True), Live():
        positions = torch.arange(10)
        chosen = positions[positions > 6]  # how many: only numbers can tell
        assert len(chosen) == 3 and not isinstance(chosen, FakeTensor)
        assert isinstance(torch.zeros(10)[chosen], FakeTensor)


class Block(nn.Module):
    """Its input's gradient is a sum of three."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x.exp() + x.sin() + x.cos()


def test_places_are_read_from_the_stack_also_in_backward():
    config = Qwen3Config(
        vocab_size=64, hidden_size=32, intermediate_size=512, num_hidden_layers=1, num_attention_heads=2,
        num_key_value_heads=1, head_dim=16,
    )  # fmt: skip
    with FakeTensorMode(allow_non_fake_inputs=True), Live() as live:
        model = Qwen3ForCausalLM(config)
        logits = model(input_ids=torch.zeros(1, 256, dtype=torch.int64)).logits
        live.begin()
        logits.sum().backward()
    where = {place.where for place in live.trace().at_peak()}
    assert "modeling_qwen3.py:Qwen3MLP.forward" in where
    assert "modeling_qwen3.py:Qwen3MLP.forward (MulBackward0)" in where


def allocated_peak(step) -> int:
    """The most bytes that the CPU allocator held at once while `step` ran, beyond what it held before."""
    gc.collect()
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU], profile_memory=True) as profiler:
        step()
    events, waiting = [], list(profiler.profiler.kineto_results.experimental_event_tree())
    while waiting:
        event = waiting.pop()
        waiting += event.children
        if event.tag.name == "Allocation":
            events.append((event.start_time_ns, event.extra_fields.alloc_size))
    level = highest = 0
    for _, size in sorted(events, key=lambda event: event[0]):
        level += size
        highest = max(highest, level)
    return highest


@pytest.mark.parametrize("checkpointing", [False, True])
@pytest.mark.parametrize("attention", ["eager", "sdpa"])
def test_the_peak_of_a_real_step_is_the_allocators(attention, checkpointing):
    config = Qwen3Config(
        vocab_size=500, hidden_size=64, intermediate_size=192, num_hidden_layers=2, num_attention_heads=4,
        num_key_value_heads=2, head_dim=16, attn_implementation=attention,
    )  # fmt: skip
    model = Qwen3ForCausalLM(config).train()
    if checkpointing:
        model.gradient_checkpointing_enable({"use_reentrant": False})
    ids = torch.zeros(1, 256, dtype=torch.int64)

    def step() -> None:
        model(input_ids=ids, labels=ids, use_cache=False).loss.backward()

    step()  # gradients exist from here on
    live = Live()
    for tensor in (ids, *model.buffers(), *(t for p in model.parameters() for t in (p, p.grad))):
        live.count(tensor, "before")
    before = live.begin().peak()
    with live:
        step()
    assert live.trace().peak() - before == pytest.approx(allocated_peak(step), rel=0.01)


def test_the_engine_sums_gradients_in_place_as_it_does_when_nobody_watches():
    leaf = torch.zeros(1 << 16, requires_grad=True)
    leaf.grad = torch.zeros_like(leaf)

    def step() -> None:
        Block()(leaf * 2).sum().backward()

    step()
    with Live() as live:
        live.count(leaf, "before")
        live.count(leaf.grad, "before")
        live.begin()
        step()
    assert live.trace().peak() - 2 * (4 << 16) == pytest.approx(allocated_peak(step), rel=0.01)


def test_pytorchs_own_tracker_agrees():
    with FakeTensorMode():
        x = torch.zeros(64, 256)
        model = nn.Sequential(nn.Linear(256, 512), nn.ReLU(), nn.Linear(512, 512), nn.ReLU(), nn.Linear(512, 256))
        with MemTracker() as theirs:
            theirs.track_external(model, x)
            model(x).sum().backward()
        peak = theirs.get_tracker_snapshot("peak")[torch.device("cpu")]["Total"]
        model.zero_grad(set_to_none=True)
        with Live() as live:
            for tensor in (x, *model.parameters()):
                live.count(tensor, "before")
            model(x).sum().backward()
    assert live.trace().peak() == pytest.approx(peak, rel=1e-3)
