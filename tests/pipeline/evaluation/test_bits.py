import math
from typing import Any

import pytest

from pipeline.evaluation.bits import section_bits, signature
from pipeline.evaluation.contenders import Contenders
from pipeline.records import Adapter, Base, Example

torch = pytest.importorskip("torch")


@pytest.fixture(scope="module")
def contenders(tiny_base: Base) -> Contenders:
    return Contenders(tiny_base)


def test_a_model_that_knows_nothing_needs_the_same_bits_for_every_token(
    contenders: Contenders, tiny_base: Base, examples: list[Example]
) -> None:
    """With equal logits p = 1/V, and a byte-level tokenizer has a token a byte: log2 V bits for each byte."""
    catalan = examples[0]
    with contenders.playing(None) as model:
        head: Any = model.lm_head
        kept = head.weight.data.clone()
        head.weight.data.zero_()
        found = section_bits(model, contenders.tokenizer, catalan)
        head.weight.data.copy_(kept)
    assert "ó" in catalan.target
    assert found.text_bytes == len(catalan.target) + sum(c in "àéíóúçò" for c in catalan.target)
    assert found.bits / found.text_bytes == pytest.approx(math.log2(tiny_base.rows), rel=1e-5)


def test_bits_are_those_of_the_target_given_the_prompt(contenders: Contenders, examples: list[Example]) -> None:
    """Against probabilities taken from the whole of the logits, one token at a time."""
    from pipeline.training.encode import encode

    encoded = encode(contenders.tokenizer, examples[4])
    with contenders.playing(None) as model, torch.inference_mode():
        logits = model(input_ids=torch.tensor([encoded.input_ids])).logits[0].double()
        last = len(encoded.input_ids) - 1  # the end of turn is not counted
        expected = sum(
            -math.log2(logits[i - 1].softmax(0)[encoded.input_ids[i]].item()) for i in range(encoded.target_start, last)
        )
        assert section_bits(model, contenders.tokenizer, examples[4]).bits == pytest.approx(expected, rel=1e-5)


def test_no_logits_are_made_for_the_prompt(contenders: Contenders, examples: list[Example]) -> None:
    rows: list[int] = []
    with contenders.playing(None) as model:
        head: Any = model.lm_head
        hook = head.register_forward_hook(lambda _, inputs, __: rows.append(inputs[0].shape[1]))
        found = section_bits(model, contenders.tokenizer, examples[0])
        hook.remove()
    assert rows == [found.text_bytes + 1]  # a token a byte, and the place before the first


def test_adapters_are_put_on_and_taken_off(
    tiny_base: Base, examples: list[Example], trained: Adapter, spoilt: Adapter
) -> None:
    contenders = Contenders(tiny_base)

    def bits(adapter: Adapter | None) -> float:
        with contenders.playing(adapter) as model:
            return section_bits(model, contenders.tokenizer, examples[0]).bits

    bare, good, bad = bits(None), bits(trained), bits(spoilt)
    assert good < bare < bad
    assert [bits(None), bits(trained), bits(spoilt)] == [bare, good, bad]


@pytest.mark.skipif(torch.cuda.is_available(), reason="a card keeps NF4")
def test_the_dequantised_base_is_the_base_that_was_trained_on(
    contenders: Contenders, tiny_base: Base, examples: list[Example]
) -> None:
    """NF4 weights as training meets them (with gradients on, before any repacking) give the same loss."""
    from pipeline.training.encode import encode
    from pipeline.training.model import load_base, target_loss

    quantised, tokenizer = load_base(tiny_base)
    encoded = encode(tokenizer, examples[0])
    quantised.train()
    expected = target_loss(quantised, encoded.input_ids[:-1], encoded.target_start).item() / math.log(2)
    with contenders.playing(None) as model:
        found = section_bits(model, tokenizer, examples[0])
        names = {type(module).__name__ for module in model.modules()}
    assert "Linear4bit" in {type(module).__name__ for module in quantised.modules()}
    assert "Linear4bit" not in names
    assert found.bits == pytest.approx(expected, rel=1e-5)


def test_the_signature_tells_how() -> None:
    assert signature("float32").endswith("|weights:nf4|compute:float32")
