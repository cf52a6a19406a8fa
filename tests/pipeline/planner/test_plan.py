"""Whole plans by hand: the published case, what is pasted does fit, how long an example may be."""

import json
import tomllib

import pytest

from pipeline.memory.account import account
from pipeline.memory.run import Method
from pipeline.memory.shape import read_shape
from pipeline.planner.cards import read_cards
from pipeline.planner.lengths import Lengths
from pipeline.planner.machine import CardMemory, card_memory
from pipeline.planner.plan import Plan, document, plan_run, run_of
from pipeline.planner.told import settings_lines
from pipeline.settings import Settings, load_settings

GIB = 1 << 30
LISTED = read_cards()
HOST = 32 * GIB
SHORT = Lengths((1_000,) * 20)  # any shorter context spoils nothing


def planned(
    card: str,
    tokens: int,
    settings: Settings | None = None,
    *,
    model: str = "Qwen/Qwen3-8B",
    method: Method = "qlora",
    batch: int = 1,
    lengths: Lengths | None = None,
) -> Plan:
    settings = settings or Settings()
    run = run_of(settings, read_shape(model), tokens=tokens, method=method, batch=batch, host_free_bytes=HOST)
    return plan_run(run, card_memory(card, LISTED), settings, lengths=lengths, host_free_bytes=HOST)


def test_the_published_case_fits_with_room_left():
    # Qwen3-8B, QLoRA, 16 GB, 20,000 tokens, vocabulary 151,936 -> ~104,000
    assert read_shape("Qwen/Qwen3-8B").vocabulary == 151_936
    plan = planned("16", 20_000)
    assert plan.run.shape.vocabulary == 104_064 and plan.run.method == "qlora"
    assert plan.fits and plan.rungs == () and plan.settings == {} and plan.final is plan.run
    # 16 GiB less 1/64 for the driver and 1 GiB set aside; 3.2 GiB of it are the weights in 4 bits
    assert plan.memory.usable_bytes == 16 * GIB - 16 * GIB // 64 - GIB
    assert plan.left_bytes == plan.memory.usable_bytes - plan.account.peak_bytes > 6 * GIB
    whole = planned("16", 20_000, Settings(vocabulary={"slice": False}))
    assert whole.run.shape.vocabulary == 151_936 and whole.account.peak_bytes > plan.account.peak_bytes


@pytest.mark.parametrize("lengths", [None, SHORT], ids=["no examples", "short examples"])
@pytest.mark.parametrize(("method", "batch"), [("qlora", 1), ("qlora", 4), ("lora", 4), ("full", 1)])
@pytest.mark.parametrize("tokens", [3_000, 24_576])
@pytest.mark.parametrize("card", ["6", "8", "24"])
def test_what_is_pasted_is_read_and_does_fit(
    card: str, tokens: int, method: Method, batch: int, lengths: Lengths | None, tmp_path, monkeypatch
):
    plan = planned(card, tokens, method=method, batch=batch, lengths=lengths)
    if plan.final is None:
        assert plan.settings == {} and all(not rung.fits or rung.step.not_taken for rung in plan.rungs)
        return
    if plan.fits:
        return
    text = "\n".join(settings_lines(plan.settings))
    assert _flat(tomllib.loads(text)) == plan.settings
    (tmp_path / "memoria.toml").write_text(text)
    pasted = load_settings()
    again = run_of(pasted, read_shape(pasted.model or "Qwen/Qwen3-8B"), tokens=plan.final.tokens, host_free_bytes=HOST)
    assert account(again).peak_bytes <= plan.memory.usable_bytes
    if "training.longest_tokens" in plan.settings:
        assert pasted.training.longest_tokens == again.tokens


def test_the_longest_example_is_the_last_that_fits():
    for card, tokens in (("16", 24_576), ("16", 3_000), ("8", 3_000)):
        longest = planned(card, tokens).longest_tokens
        assert planned(card, longest).fits, (card, tokens)
        assert not planned(card, longest + 200).fits, (card, tokens)


def test_where_only_short_examples_fit_they_have_to_fit_whole():
    in_parts = planned("16", 2_000, Settings(training={"in_parts": "always"})).account.peak_bytes
    tight = CardMemory("tight", in_parts, in_parts, 0, False, None, ())
    shape, settings = read_shape("Qwen/Qwen3-8B"), Settings()

    def on_it(tokens: int) -> Plan:
        run = run_of(settings, shape, tokens=tokens, host_free_bytes=HOST)
        return plan_run(run, tight, settings, host_free_bytes=HOST)

    longest = on_it(3_000).longest_tokens
    assert longest < 2_000 and not on_it(longest + 200).fits
    assert longest == 0 or on_it(longest).fits, "up to 4,096 tokens examples are computed whole"


def test_several_at_once_and_all_weights_are_never_computed_in_parts():
    for plan in (planned("80", 20_000, batch=2), planned("80", 20_000, method="full")):
        assert plan.run.schedule is None
        assert account(plan.run).peak_bytes == plan.account.peak_bytes
    assert planned("80", 20_000).run.schedule is not None
    assert planned("80", 4_096).run.schedule is None, "up to training.in_parts_from_tokens examples are whole"


def test_too_little_memory_of_the_machine_is_told():
    run = run_of(Settings(training={"keep_every": 1}), read_shape("Qwen/Qwen3-8B"), tokens=60_000, host_free_bytes=HOST)
    # 36 layers' inputs of 60,000 tokens x 4,096 numbers in 2 bytes are 17.7 GB
    roomy, tight = (
        plan_run(run, card_memory("80", LISTED), Settings(), host_free_bytes=free) for free in (HOST, 8 * GIB)
    )
    assert roomy.host_warning == "" and "8.0 GiB are free" in tight.host_warning


def test_each_token_costs_what_the_next_ones_do():
    plan = planned("24", 8_000)
    more = planned("24", 8_800)
    assert plan.token_bytes == pytest.approx((more.account.peak_bytes - plan.account.peak_bytes) / 800)


def test_the_document_has_what_programs_read():
    plan = planned("8", 24_576, method="lora", batch=4)
    said = json.loads(json.dumps(document(plan)))
    assert said["fits"] is False and said["card"] == "a card of 8 GB"
    assert sum(said["components"].values()) == said["peak_bytes"] == plan.account.peak_bytes
    assert said["left_bytes"] == said["usable_bytes"] - said["peak_bytes"] < 0
    for told, rung in zip(said["ladder"], plan.rungs, strict=True):
        assert (told["change"], told["peak_bytes"], told["fits"]) == (rung.step.change, rung.peak_bytes, rung.fits)
    assert said["ladder"][-1]["fits"] and said["settings"] == plan.settings
    assert said["longest_context_tokens"] == plan.longest_tokens and said["rule_of_thumb_bytes"][0] > 17e9


def test_a_card_without_room_leaves_nothing_to_use():
    none = CardMemory("tiny", GIB, GIB // 2, GIB, False, None, ())
    run = run_of(Settings(), read_shape("Qwen/Qwen3-0.6B"), tokens=1_000, host_free_bytes=HOST)
    plan = plan_run(run, none, Settings(), host_free_bytes=HOST)
    assert not plan.fits and plan.final is None and plan.settings == {} and plan.longest_tokens == 0


def _flat(tables: dict) -> dict:
    flat = {}
    for name, value in tables.items():
        inner = {f"{name}.{key}": each for key, each in value.items()} if isinstance(value, dict) else {name: value}
        flat |= inner
    return flat
