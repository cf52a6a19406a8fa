"""The probe after training: what is sound is let be, and garbage is named."""

import pytest
import torch
from peft import PeftModel
from peft.tuners.lora import LoraLayer
from transformers import AutoTokenizer

from pipeline.records import Base
from pipeline.settings import Training
from pipeline.training.encode import Encoded
from pipeline.training.model import add_lora, load_base, target_loss
from pipeline.training.probe import (
    _faults_of_reading,
    _faults_of_writing,
    by_position,
    continue_greedily,
    probe,
    token_nats,
)

IDS = [3 + (7 * i) % 400 for i in range(600)]


@pytest.fixture(scope="module")
def model(base: Base) -> PeftModel:
    return add_lora(load_base(base)[0], Training(rank=4)).eval()


def test_the_loss_of_each_token_is_the_models_own_across_blocks_of_logits(model: PeftModel) -> None:
    with torch.inference_mode():
        logits = model(torch.tensor([IDS])).logits[0, :-1]
        expected = torch.nn.functional.cross_entropy(logits, torch.tensor(IDS[1:]), reduction="none")
    nats = token_nats(model, IDS)
    torch.testing.assert_close(nats, expected, rtol=1e-4, atol=1e-5)
    assert nats[-100:].sum().item() == pytest.approx(target_loss(model, IDS, 500).item(), rel=1e-5)


def test_positions_are_equal_parts_of_each_sequence_and_tokens_weigh_the_same() -> None:
    long, short = torch.tensor([1.0, 1, 1, 1, 5, 5, 5, 5]), torch.tensor([3.0, 9])
    assert by_position([long, short], 2) == pytest.approx([(4 * 1 + 3) / 5, (4 * 5 + 9) / 5])
    assert by_position([long], 8) == long.tolist()


def test_greedy_tokens_are_each_the_likeliest_and_end_with_the_turn(base: Base, model: PeftModel) -> None:
    tokenizer = AutoTokenizer.from_pretrained(base.path)
    written = continue_greedily(model, tokenizer, IDS[:50], 6)
    with torch.inference_mode():
        logits = model(torch.tensor([IDS[:50] + written])).logits[0]
    assert written == logits[49:-1].argmax(-1).tolist() and len(written) == 6
    tokenizer.eos_token_id = written[2]
    end = written.index(written[2])
    assert continue_greedily(model, tokenizer, IDS[:50], 6) == written[: end + 1]


def test_faults_are_named_and_soundness_is_not() -> None:
    assert _faults_of_reading([3.1, 3.0, 2.8, 2.2]) == []
    assert _faults_of_reading([3.0, 3.0, 3.0, 4.9]) == []
    (fault,) = _faults_of_reading([3.0, 3.0, 3.0, 5.5])
    assert "5.5 nats a token, 3.0 in the middle" in fault
    assert "not finite" in _faults_of_reading([3.0, float("nan")])[0]
    assert _faults_of_writing(range(40)) == []
    assert "nothing is written" in _faults_of_writing([])[0]
    assert len(_faults_of_writing([5] * 40)) == 2


def test_a_model_that_has_lost_the_far_end_and_says_one_word_is_found_out(base: Base, model: PeftModel) -> None:
    tokenizer = AutoTokenizer.from_pretrained(base.path)
    sound = probe(model, tokenizer, [Encoded(IDS[:300], 250), Encoded(IDS, 590)])
    assert len(sound.nats_by_position) == 8 and sound.prompt_tokens == 590
    assert not any("read" in fault for fault in sound.faults)

    def lost(module: torch.nn.Module, said: object, hidden: torch.Tensor) -> torch.Tensor:
        return hidden * torch.where(torch.arange(hidden.shape[1]) > 500, 60.0, 1.0)[None, :, None]

    hook = model.get_base_model().model.norm.register_forward_hook(lost)
    told = probe(model, tokenizer, [Encoded(IDS, 590)])
    hook.remove()
    assert any("end of a long sequence is read badly" in fault for fault in told.faults)
    assert told.nats_by_position[-1] > told.nats_by_position[0] + 2  # type: ignore[operator]


@pytest.mark.parametrize(
    ("base_loops", "words"), [(True, "(as without the adapter)"), (False, "(not so without the adapter)")]
)
def test_a_fault_of_writing_says_whether_training_made_it(
    base_loops: bool, words: str, base: Base, model: PeftModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    tokenizer = AutoTokenizer.from_pretrained(base.path)
    on: list[bool] = []

    def scripted(model: PeftModel, tokenizer: object, prompt: list[int], most_tokens: int) -> list[int]:
        on.append(not any(m.disable_adapters for m in model.modules() if isinstance(m, LoraLayer)))
        return [5] * 40 if on[-1] or base_loops else list(range(3, 43))

    monkeypatch.setattr("pipeline.training.probe.continue_greedily", scripted)
    told = probe(model, tokenizer, [Encoded(IDS[:100], 90)])
    assert len(told.faults) == 2 and all(fault.endswith(words) for fault in told.faults)
    assert told.written_tokens == 40 and told.loops and on == [True, False]


def test_a_loss_that_is_not_finite_is_no_number(base: Base, model: PeftModel) -> None:
    tokenizer = AutoTokenizer.from_pretrained(base.path)
    hook = model.get_base_model().model.norm.register_forward_hook(lambda module, said, hidden: hidden * float("nan"))
    told = probe(model, tokenizer, [Encoded(IDS[:100], 90)])
    hook.remove()
    assert set(told.nats_by_position) == {None} and "not finite" in told.faults[0]
