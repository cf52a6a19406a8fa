"""The whole answer: what is costed, which cards do, how it is served, what is warned of."""

import json
from dataclasses import replace

import pytest

from pipeline.memory.account import account
from pipeline.planner import told
from pipeline.planner.answer import EXAMPLES_ASSUMED, Question, document
from pipeline.planner.cards import find_card
from pipeline.planner.lengths import Lengths
from pipeline.planner.machine import card_memory
from tests.pipeline.planner.answers import MINE, asked, fitting, hopeless, priced, too_large


def test_what_is_costed_is_what_can_be_trained():
    fits, not_yet, never = fitting(), too_large(), hopeless()
    assert fits.trained is fits.plan.run
    assert not_yet.trained is not_yet.plan.final and account(not_yet.trained).peak_bytes < 8 << 30
    assert never.plan.final is None and never.trained is never.plan.run


def test_operations_are_of_the_users_own_examples_or_of_as_many_as_assumed():
    found = fitting()
    assert found.examples == f"{EXAMPLES_ASSUMED} examples of 20,000 tokens"
    assert replace(found, lengths=Lengths((20_000,) * EXAMPLES_ASSUMED)).flops == pytest.approx(found.flops)
    assert replace(found, lengths=Lengths((20_000,) * 50)).flops == pytest.approx(found.flops / 2)
    assert replace(found, lengths=MINE).examples == "your 120 examples"


def test_time_is_told_only_of_a_card_whose_rate_is_known():
    cost = fitting().cost
    # operations at 35% of the RTX 4080's 97.5 TFLOP/s, and its 320 W
    assert cost and cost.hours == pytest.approx(fitting().flops / (0.35 * 97.5e12) / 3600)
    assert cost.kilowatt_hours == pytest.approx(0.32 * cost.hours)
    assert fitting(card="16").cost is None


def test_cards_are_those_on_which_it_fits_and_the_cheapest_is_first():
    found = priced(fitting(runs=10, months=2))
    for rent in found.training.rents:
        assert rent.runs == 10 and rent.months == 2
        assert found.plan.account.peak_bytes <= card_memory(rent.card.name, found.cards).usable_bytes
    named = [rent.card.name for rent in found.training.rents]
    assert named[-1] == min(found.cards, key=lambda card: card.memory_mib).name, "without a price it is last"
    # all cost 1 an hour, or 2 x 100 by the month: the fastest is the cheapest
    fastest = max((card for card in found.cards if card.flops_per_second), key=lambda card: card.flops_per_second or 0)
    assert found.training.cheapest and found.training.cheapest.hours_a_run == pytest.approx(
        found.flops / (0.35 * (fastest.flops_per_second or 0)) / 3600
    )
    small = find_card("RTX 4080", found.cards)
    assert all(rent.card.memory_mib > small.memory_mib for rent in found.servers.rents), "15 GiB of weights alone"


def test_it_is_served_in_the_format_that_changes_least_of_those_that_fit():
    assert [plan.fits for plan in fitting().serving] == [False, True, True, True]
    served = fitting().served
    assert served and served.format.name == "FP8"
    large = fitting(card="H100 SXM").served
    assert large and large.format.name == "bfloat16"
    assert hopeless().served is None


def test_warnings_come_only_where_they_apply():
    assert fitting().warnings == []
    (longer,) = too_large(MINE).warnings
    assert "of your 120 examples" in longer and "24,576" in longer
    # a peak of 97% of what is usable
    near = fitting()
    tight = replace(near.plan.memory, free_bytes=round(near.plan.account.peak_bytes / 0.97) + (1 << 30))
    (told_near,) = replace(near, plan=replace(near.plan, memory=tight)).warnings
    assert "stay free" in told_near


def test_what_is_no_matter_of_this_run_is_said_apart():
    cautions = " ".join(fitting().cautions)
    assert "download's size" in cautions and "15.3 GiB" in cautions, "8.19 billion parameters in 16 bits"
    assert "teach facts" in cautions and "a language that it does not know" in cautions
    full = asked(Question("Qwen/Qwen3-8B", "H200", 2_000, "full")).cautions
    assert any("forgets" in caution for caution in full) and not any("a language" in caution for caution in full)


def test_the_document_is_whole_and_json():
    found = priced(too_large(MINE))
    said = json.loads(json.dumps(document(found)))
    fields = {"fits", "card", "usable_bytes", "peak_bytes", "host_bytes", "components", "ladder"}
    assert fields | {"longest_context_tokens"} <= set(said)
    assert said["run"]["examples"] == "your 120 examples" and said["run"]["flops"] == found.flops
    assert [each["card"] for each in said["training_cards"]] == [rent.card.name for rent in found.training.rents]
    assert said["serving"] is None and said["warnings"] == found.warnings and said["cautions"] == found.cautions
    served = document(fitting())["serving"]
    assert served["flags"][:2] == ["--max-model-len", "32768"] and served["format"] == "FP8"


def test_what_is_told_adds_up():
    plan = fitting().plan
    assert sum(count for _, count in told.by_kind(plan)) == plan.account.peak_bytes
    assert told.verdict(plan).startswith("it fits. ") and told.verdict(too_large().plan).startswith("it does not fit. ")
    assert told.question(too_large().plan).endswith("LoRA of rank 16, 24,576 tokens, 4 at once, on a card of 8 GB")
    marks = told.bar(plan).plain
    assert marks.index("│") == 60 and marks.count("█") == round(60 * plan.account.peak_bytes / plan.memory.usable_bytes)
    marks = told.bar(too_large().plan).plain
    assert "░" not in marks and 0 < marks.index("│") < 10
    assert any("the model was made for 40,960" in line for line in told.lines(plan))


def test_a_remedy_says_what_there_is_to_set():
    assert told.remedy(too_large().plan).endswith("for memoria.toml:")
    assert told.remedy(hopeless().plan).startswith("No combination fits")
    only_bits = asked(Question("Qwen/Qwen3-8B", "16", 2_000, "lora"))
    assert [rung.step.change for rung in only_bits.plan.taken] == ["an adapter over a 4-bit base (QLoRA)"]
    assert only_bits.plan.settings == {} and "nothing to set" in told.remedy(only_bits.plan)


@pytest.mark.parametrize(
    ("settings", "lines"),
    [
        ({}, []),
        ({"training.in_parts": "always", "model": "a/b"}, ['model = "a/b"', "[training]", 'in_parts = "always"']),
        (
            {"training.rank": 8, "vocabulary.slice": True, "training.adapt": False},
            ["[training]", "rank = 8", "adapt = false", "[vocabulary]", "slice = true"],
        ),
    ],
)
def test_settings_are_lines_of_toml(settings, lines):
    assert list(told.settings_lines(settings)) == lines
