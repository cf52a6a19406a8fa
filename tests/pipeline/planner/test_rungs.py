"""The ladder by hand: its order, what each rung frees, what is shown and not taken."""

from dataclasses import replace

import pytest

from pipeline.memory.account import account
from pipeline.memory.run import Run
from pipeline.memory.shape import Shape, known_shapes, read_shape
from pipeline.planner.lengths import Lengths
from pipeline.planner.rungs import Ground, Rung, climb, inputs_bytes, longest_tokens, sliced_rows
from pipeline.settings import Settings
from pipeline.training.schedule import LEAN

GIB = 1 << 30
QWEN3_8B = read_shape("Qwen/Qwen3-8B")
HEAVY = Run(QWEN3_8B, "lora", 24_576, batch=4, targets=4_096, checkpointing=False)
SHORT = Lengths((1_000,) * 20)


def ground(usable_gib: float, lengths: Lengths | None = None, host_gib: float = 32) -> Ground:
    return Ground(round(usable_gib * GIB), round(host_gib * GIB), lengths, Settings())


def changes(rungs: list[Rung]) -> list[str]:
    return [rung.step.change for rung in rungs]


def test_all_rungs_in_their_order_where_none_is_enough():
    assert changes(climb(HEAVY, ground(0.5, SHORT))) == [
        "12,000 tokens of context",
        "one example at a time",
        "an adapter over a 4-bit base (QLoRA)",
        "gradient checkpointing",
        "computed in parts",
        "tiles of 512 tokens",
        "a vocabulary of 104,064 rows",
        "Qwen/Qwen3-4B",
        "Qwen/Qwen3-1.7B",
        "Qwen/Qwen3-0.6B",
    ]


def test_the_climb_ends_with_the_first_combination_that_fits():
    rungs = climb(HEAVY, ground(40))
    assert [rung.fits for rung in rungs] == [False] * (len(rungs) - 1) + [True]
    assert rungs[-1].peak_bytes <= 40 * GIB < rungs[-2].peak_bytes


@pytest.mark.parametrize("usable_gib", [0.5, 4, 7, 14, 22])
@pytest.mark.parametrize("lengths", [None, SHORT])
def test_each_rung_stands_on_those_taken_before_it_and_gains_add_up(usable_gib: float, lengths: Lengths | None):
    before = account(HEAVY).peak_bytes
    for rung in climb(HEAVY, ground(usable_gib, lengths)):
        assert rung.peak_bytes == account(rung.step.run).peak_bytes == before - rung.gain_bytes
        assert rung.gain_bytes > 0 and rung.fits == (rung.peak_bytes <= usable_gib * GIB)
        before = before if rung.step.not_taken else rung.peak_bytes


def test_a_shorter_context_is_not_taken_where_typical_examples_would_not_fit():
    # of 20 examples one may be longer: 5% are, and no more
    nearly = Lengths((1_000,) * 19 + (24_000,))
    for lengths, why in (
        (None, "there are no examples yet to check it by"),
        (Lengths((1_000,) * 18 + (24_000,) * 2), "10% of your examples are longer"),
        (nearly, ""),
        (SHORT, ""),
    ):
        first, second = climb(HEAVY, ground(20, lengths))[:2]
        assert first.step.change == "12,000 tokens of context" and first.step.not_taken == why
        assert second.step.run.tokens == (24_576 if why else 12_000), "what is not taken changes nothing after it"


def test_a_context_is_shortened_no_more_than_needed_and_never_below_half():
    run = Run(QWEN3_8B, "qlora", 20_000, targets=4_096, schedule=LEAN)
    needed = account(replace(run, tokens=17_500)).peak_bytes / GIB
    (only,) = climb(run, ground(needed, SHORT))
    assert only.step.run.tokens == 17_000 and only.fits
    assert only.step.settings == {"training.longest_tokens": 17_000, "windows.budget_tokens": 17_000}
    half = climb(run, ground(1, SHORT))[0]
    assert half.step.run.tokens == 10_000 and not half.fits


def test_what_is_shortened_below_the_border_stays_in_parts():
    run = Run(QWEN3_8B, "qlora", 6_000, targets=4_096, schedule=LEAN)
    step = climb(run, ground(1, SHORT))[0].step
    assert step.run.tokens == 3_000 and step.run.targets == 3_000
    assert step.settings["training.in_parts"] == "always", "up to 4,096 tokens it would be computed whole"


def test_of_smaller_inputs_more_are_kept():
    # 36 layers x 24,576 tokens x 4,096 numbers in 2 bytes are 7.2 GB; 0.6 of 8 GiB holds every second of them
    assert inputs_bytes(QWEN3_8B, 24_576) == 36 * 24_576 * 4_096 * 2
    run = Run(QWEN3_8B, "qlora", 24_576, targets=4_096, schedule=replace(LEAN, keep_every=2))
    rungs = climb(run, ground(0.5, SHORT, host_gib=8))
    kept = {rung.step.change: rung.step.run.schedule.keep_every for rung in rungs if rung.step.run.schedule}
    assert kept["12,000 tokens of context"] == 1


def test_the_longest_is_the_last_that_fits():
    run, here = Run(QWEN3_8B, "qlora", 24_576, targets=4_096, schedule=LEAN), ground(8, host_gib=16)
    longest = longest_tokens(run, here)
    assert longest > 24_576
    at, beyond = (
        account(replace(run, tokens=tokens, schedule=replace(LEAN, keep_every=_every(tokens, 16)))).peak_bytes
        for tokens in (longest, longest + 1)
    )
    assert at <= 8 * GIB < beyond
    assert longest_tokens(run, ground(1)) == 0


def _every(tokens: int, host_gib: int) -> int:
    return -(-(36 * tokens * 4_096 * 2) // int(0.6 * host_gib * GIB))


def test_only_what_was_measured_is_sliced():
    assert sliced_rows(QWEN3_8B) == 104_064
    llama = next(shape for shape in known_shapes() if shape.vocabulary == 128_256)
    assert sliced_rows(llama) == 128_256
    assert not any("vocabulary" in change for change in changes(climb(Run(llama, "qlora", 8_000), ground(0.5))))


def test_a_smaller_model_is_of_the_same_maker_and_generation():
    for start in ("Qwen/Qwen2.5-7B-Instruct", "Qwen/Qwen3-8B"):
        shape = read_shape(start)
        names = [c for c in changes(climb(Run(shape, "qlora", 8_000), ground(0.2))) if "/" in c]
        family = shape.name.rpartition("/")[2].split("-")[0]
        assert names and all(name.rpartition("/")[2].startswith(f"{family}-") for name in names)
        sizes = [read_shape(name).parameters for name in names]
        assert sizes == sorted(sizes, reverse=True) and sizes[0] < shape.parameters


def test_a_rung_that_frees_nothing_is_left_out():
    run = Run(QWEN3_8B, "qlora", 24_576, targets=4_096, schedule=replace(LEAN, tile_tokens=512))
    assert not any("tiles" in change for change in changes(climb(run, ground(0.5))))
    one_known = Shape(layers=2, hidden=64, ffn=128, heads=4, kv_heads=2, head_dim=16, vocabulary=300, name="mine")
    assert climb(Run(one_known, "qlora", 100, schedule=LEAN), ground(0)) == []
