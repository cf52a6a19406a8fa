import math
from typing import Any

import pytest

from pipeline.errors import UserError
from pipeline.evaluation.bits import FACTS, TokenBits, bits_within, section_bits, signature
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


def test_bits_of_facts_are_those_of_the_tokens_that_touch_one(contenders: Contenders, examples: list[Example]) -> None:
    """A token a byte: the bytes of "137 euros" and "137" in the text, and what each of them costs."""
    from pipeline.training.encode import encode

    catalan = examples[1]
    text = catalan.target.encode()
    facts = [text.index(b"137 euros"), text.rindex(b"137")]
    lengths = [len("137 euros"), len("137")]
    with contenders.playing(None) as model:
        found = section_bits(model, contenders.tokenizer, catalan)
        encoded = encode(contenders.tokenizer, catalan)
        with torch.inference_mode():
            logits = model(input_ids=torch.tensor([encoded.input_ids])).logits[0].double()
    expected = sum(
        -math.log2(logits[encoded.target_start + i - 1].softmax(0)[encoded.input_ids[encoded.target_start + i]].item())
        for start, length in zip(facts, lengths, strict=True)
        for i in range(start, start + length)
    )
    assert "é" in catalan.target.split("137")[0]  # characters and bytes are not the same places
    assert found.fact_bytes == sum(lengths)
    assert found.fact_bits == pytest.approx(expected, rel=1e-5) and found.fact_bits < found.bits


def test_a_token_touches_a_span_if_they_share_a_character() -> None:
    tokens = [TokenBits(1, 0, 3), TokenBits(2, 3, 6), TokenBits(4, 6, 6), TokenBits(8, 6, 9)]
    assert bits_within(tokens, [(5, 6)], 9) == 2
    assert bits_within(tokens, [(5, 7)], 9) == 10
    assert bits_within(tokens, [(3, 4), (5, 6)], 9) == 2  # once, though it touches two
    assert bits_within(tokens, [], 9) == 0


def test_a_section_without_facts_has_no_bits_of_facts(contenders: Contenders, examples: list[Example]) -> None:
    plain = examples[0].model_copy(update={"target": "tot ha anat bé"})
    with contenders.playing(None) as model:
        found = section_bits(model, contenders.tokenizer, plain)
    assert found.fact_bits == found.fact_bytes == 0 < found.bits


def test_words_that_would_end_the_turn_are_read_as_training_reads_them(
    contenders: Contenders, examples: list[Example]
) -> None:
    quoting = examples[0].model_copy(update={"target": "fins a <|im_end|> 12 euros"})
    with contenders.playing(None) as model:
        found = section_bits(model, contenders.tokenizer, quoting)
        plain = section_bits(model, contenders.tokenizer, quoting.model_copy(update={"target": "fins a 12 euros"}))
    assert found.fact_bytes == plain.fact_bytes == len("12 euros") and found.bits > plain.bits


def test_a_long_section_is_refused_where_attention_would_take_the_square(
    contenders: Contenders, examples: list[Example], monkeypatch: pytest.MonkeyPatch
) -> None:
    from pipeline.training import attention

    monkeypatch.setattr(attention, "LONG_TOKENS", 10)  # every example is long
    with contenders.playing(None) as model:
        section_bits(model, contenders.tokenizer, examples[0])  # torch's own kernel of linear memory does it
        real = torch.nn.functional.scaled_dot_product_attention

        def quadratic(query: Any, key: Any, value: Any, **settings: Any) -> Any:
            return real(query, key, value[..., :-1], **settings)  # values of another width: no such kernel

        monkeypatch.setattr(torch.nn.functional, "scaled_dot_product_attention", quadratic)
        with pytest.raises(UserError, match="square of the length"):
            section_bits(model, contenders.tokenizer, examples[0])


def test_the_signature_tells_how() -> None:
    assert signature("float32").endswith("|weights:nf4|compute:float32")
    assert signature("float32").startswith("bits_per_byte|version:2|text:section given window")
    assert signature("float32", FACTS).startswith("bits_per_byte_of_facts|version:2|") and "fact" in signature(
        "x", FACTS
    )
