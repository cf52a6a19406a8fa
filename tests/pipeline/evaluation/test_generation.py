from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.evaluation.contenders import Contenders
from pipeline.evaluation.generation import batches, write_sections
from pipeline.records import Base, Example

torch = pytest.importorskip("torch")


@pytest.fixture(scope="module")
def model(tiny_base: Base) -> Iterator[tuple[Any, Any]]:
    contenders = Contenders(tiny_base)
    with contenders.playing(None) as model:
        yield model, contenders.tokenizer


@given(st.lists(st.integers(1, 20_000), max_size=40))
def test_every_prompt_is_in_one_batch_and_batches_are_small(lengths: list[int]) -> None:
    found = list(batches(lengths))
    assert sorted(i for batch in found for i in batch) == list(range(len(lengths)))
    for batch in found:
        assert len(batch) <= 8
        assert len(batch) == 1 or len(batch) * max(lengths[i] for i in batch) <= 16_384


def test_a_batch_writes_what_each_would_alone(model: tuple[Any, Any], examples: list[Example]) -> None:
    """Prompts of different lengths, padded at the left, in the order given."""
    mixed = [
        example.model_copy(update={"messages": example.messages[i % 2 :]}) for i, example in enumerate(examples[:4])
    ]
    together = list(write_sections(*model, mixed, 12))
    alone = [next(write_sections(*model, [example], 12)) for example in mixed]
    assert {w.example: w for w in together} == {w.example: w for w in alone}
    assert len({w.text for w in alone}) > 1
    assert {w.example for w in together} == {example.id for example in mixed}


def test_the_likeliest_token_is_taken_each_time(model: tuple[Any, Any], examples: list[Example]) -> None:
    """Against the argmax of a whole forward pass for each token, whatever the base says of sampling."""
    network, tokenizer = model
    from pipeline.training.encode import encode_prompt

    ids = encode_prompt(tokenizer, examples[0].messages)
    start = len(ids)
    with torch.inference_mode():
        for _ in range(8):
            ids = [*ids, int(network(input_ids=torch.tensor([ids])).logits[0, -1].argmax())]
    written = next(write_sections(network, tokenizer, examples[:1], 8))
    assert written.text == tokenizer.decode(ids[start:], skip_special_tokens=True).strip()
    assert written.finish == "clipped"


def test_a_section_that_ends_is_whole(tiny_base: Base, examples: list[Example]) -> None:
    contenders = Contenders(tiny_base)
    with contenders.playing(None) as model:
        head: Any = model.lm_head
        head.weight.data.zero_()  # all tokens alike: the first is taken, and that is the end of turn
        written = list(write_sections(model, contenders.tokenizer, examples[:2], 8))
    assert [(w.text, w.finish) for w in written] == [("", "whole")] * 2
