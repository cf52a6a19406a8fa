"""The model in training: a frozen 4-bit base, LoRA on every linear projection, a loss on the target alone."""

from pathlib import Path
from typing import Any

import bitsandbytes as bnb
import pytest
import torch
from peft import PeftModel
from peft.tuners.lora import LoraLayer
from transformers import AutoModelForCausalLM, AutoTokenizer

from pipeline.records import Base, Example, Message
from pipeline.settings import Training
from pipeline.training.computation import Computation
from pipeline.training.encode import Encoded, encode, encode_prompt
from pipeline.training.held_out import mean_loss
from pipeline.training.model import add_lora, load_base, target_loss

PROJECTIONS = {"q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"}
EXAMPLE = Example(
    report="r",
    source_sha256="0",
    section="s",
    window="w",
    language="ca",
    messages=(Message(role="system", content="Redactes."), Message(role="user", content="Escriu: 3 Fi")),
    target="L'acció va durar 24 mesos. 😀",
)


@pytest.fixture
def model(base: Base) -> PeftModel:
    return add_lora(load_base(base)[0], Training(rank=4, alpha=8))


def test_an_example_is_the_template_the_target_and_the_end_of_turn(base: Base) -> None:
    tokenizer = AutoTokenizer.from_pretrained(base.path)
    encoded = encode(tokenizer, EXAMPLE)
    prompt = (
        "<|im_start|>system\nRedactes.<|im_end|>\n<|im_start|>user\nEscriu: 3 Fi<|im_end|>\n<|im_start|>assistant\n"
    )
    assert tokenizer.decode(encoded.prompt_ids) == prompt
    assert tokenizer.decode(encoded.input_ids[encoded.target_start :]) == f"{EXAMPLE.target}<|im_end|>"
    assert encoded.prompt_ids == encode_prompt(tokenizer, EXAMPLE.messages)
    assert encoded.input_ids[-1] == tokenizer.eos_token_id


@pytest.mark.parametrize("target_start", [1, 20, 49])
def test_the_loss_is_transformers_own_with_the_prompt_unlabelled(base: Base, target_start: int) -> None:
    plain = AutoModelForCausalLM.from_pretrained(base.path, dtype=torch.float32)
    ids = list(range(100, 150))
    labels = torch.tensor([[-100] * target_start + ids[target_start:]])
    mean = plain(input_ids=torch.tensor([ids]), labels=labels).loss
    assert target_loss(plain, ids, target_start).item() == pytest.approx(mean.item() * (50 - target_start), rel=1e-5)


def test_the_loss_looks_at_targets_only(base: Base) -> None:
    plain = AutoModelForCausalLM.from_pretrained(base.path, dtype=torch.float32)
    ids, start = list(range(100, 120)), 12
    logits = plain(input_ids=torch.tensor([ids])).logits[0]
    by_hand = -logits.log_softmax(-1)[range(start - 1, 19), ids[start:]]
    assert target_loss(plain, ids, start).item() == pytest.approx(by_hand.sum().item(), rel=1e-5)
    assert mean_loss(Computation(plain, None, 0), [Encoded(ids, start), Encoded(ids, 19)]) == pytest.approx(
        ((by_hand.sum() + by_hand[-1]) / 9).item(), rel=1e-5
    )


def test_the_base_is_really_four_bits_with_double_quantisation_and_frozen(base: Base) -> None:
    model, _ = load_base(base)
    linears = {name: m for name, m in model.named_modules() if isinstance(m, torch.nn.Linear)}
    assert {name.rsplit(".")[-1] for name in linears} == PROJECTIONS | {"lm_head"}
    for name, linear in linears.items():
        if name == "lm_head":
            assert not isinstance(linear, bnb.nn.Linear4bit)
            continue
        assert isinstance(linear, bnb.nn.Linear4bit) and linear.weight.dtype == torch.uint8
        state: Any = linear.quant_state
        assert state.quant_type == "nf4" and state.nested and state.state2 is not None
        assert linear.weight.numel() * 2 == linear.in_features * linear.out_features
    assert not any(p.requires_grad for p in model.parameters()) and not model.training


def test_every_projection_has_an_adapter_and_nothing_else_is_trained(model: PeftModel) -> None:
    with_adapter = {name.rsplit(".")[-1] for name, m in model.named_modules() if isinstance(m, LoraLayer)}
    assert with_adapter == PROJECTIONS
    trained = {name for name, p in model.named_parameters() if p.requires_grad}
    assert len(trained) == 2 * 7 * 2 and all("lora_A" in name or "lora_B" in name for name in trained)
    assert not any("embed" in name or "lm_head" in name for name in trained)


def test_the_scale_is_alpha_over_the_root_of_the_rank(model: PeftModel) -> None:
    scales = {m.scaling["default"] for m in model.modules() if isinstance(m, LoraLayer)}
    assert scales == {8 / 4**0.5}


def test_training_begins_at_the_base_itself_with_a_start_fixed_by_the_seed(base: Base) -> None:
    ids = list(range(100, 130))
    bare, _ = load_base(base)
    before = target_loss(bare, ids, 9).item()

    def begun(seed: int) -> tuple[float, torch.Tensor]:
        fresh = add_lora(load_base(base)[0], Training(rank=4, seed=seed))
        torch.rand(3)  # whatever was drawn in between
        weights = [p.flatten() for name, p in fresh.named_parameters() if "lora_A" in name]
        return target_loss(fresh, ids, 9).item(), torch.cat(weights)

    (loss, one), (_, again), (_, other) = begun(0), begun(0), begun(1)
    assert loss == pytest.approx(before, rel=1e-6)
    assert torch.equal(one, again) and not torch.equal(one, other)


def test_a_base_of_another_folder_keeps_its_own_end_of_turn(base: Base, tmp_path: Path) -> None:
    tokenizer = AutoTokenizer.from_pretrained(base.path)
    tokenizer.eos_token = "<|im_start|>"
    tokenizer.save_pretrained(tmp_path)
    assert encode(AutoTokenizer.from_pretrained(tmp_path), EXAMPLE).input_ids[-1] == 1
