"""Does the trained adapter still read and write at full length? Two looks at held-out examples after training.

    read     loss of every token of the longest examples, prompts included, by its place: 8 equal parts of the sequence
    write    some tokens after the longest prompt, always the likeliest: no loop, not the same few words

A low loss on targets proves neither: a model that has lost its way in long sequences, or that says one word for ever,
may still have learnt the tone. What is found here is told; it fails no run, for evaluation is the judge.
"""

import math
import statistics
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import torch
from peft import PeftModel
from torch import Tensor

from pipeline.repetition import distinct_share, loops
from pipeline.training.attention import refuse_quadratic
from pipeline.training.encode import Encoded
from pipeline.training.told import Probe

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

_EXAMPLES = 3
_PARTS = 8
_BLOWN_NATS = 2.0  # above the middle part. In sound texts the end was 0.2 above it; mere guessing is at 10
_LOGIT_ROWS = 256  # logits of a whole sequence would be tens of GiB
_WRITTEN_TOKENS = 64
_LEAST_DISTINCT = 0.5  # share of 4-grams; running text has nearly 1, tables somewhat less


def probe(model: PeftModel, tokenizer: "PreTrainedTokenizerBase", examples: Sequence[Encoded]) -> Probe:
    """Look at a trained model, in evaluation mode, through the longest of some held-out examples."""
    longest = sorted(examples, key=lambda example: len(example.input_ids), reverse=True)[:_EXAMPLES]
    nats = by_position([token_nats(model, example.input_ids) for example in longest], _PARTS)
    prompt = max((example.prompt_ids for example in examples), key=len)
    text = _text_after(prompt, model, tokenizer)
    faults = _faults_of_writing(text)
    if faults:  # small models go round in loops by nature, when only the likeliest token is taken
        with model.disable_adapter():
            also = _faults_of_writing(_text_after(prompt, model, tokenizer))
        faults = [f"{fault} ({'as' if also else 'not so'} without the adapter)" for fault in faults]
    return Probe(
        nats_by_position=tuple(part if math.isfinite(part) else None for part in nats),
        prompt_tokens=len(prompt),
        written_tokens=len(text),
        distinct_4_grams=distinct_share(text),
        loops=loops(text),
        faults=(*_faults_of_reading(nats), *faults),
    )


def token_nats(model: PeftModel, input_ids: Sequence[int]) -> Tensor:
    """Cross-entropy of every token but the first, in nats.

    Args:
        input_ids: [tokens].

    Returns:
        [tokens - 1], float32, on the host.
    """
    causal: Any = model.get_base_model()
    ids = torch.tensor([input_ids], device=causal.device)
    with torch.inference_mode(), refuse_quadratic(len(input_ids)):
        hidden = causal.get_decoder()(input_ids=ids, use_cache=False).last_hidden_state[0, :-1]
        head = causal.get_output_embeddings()
        nats = [
            torch.nn.functional.cross_entropy(head(rows).float(), targets, reduction="none")
            for rows, targets in zip(hidden.split(_LOGIT_ROWS), ids[0, 1:].split(_LOGIT_ROWS), strict=True)
        ]
    return torch.cat(nats).cpu()


def by_position(sequences: Sequence[Tensor], parts: int) -> list[float]:
    """Mean of all tokens in each of `parts` equal parts of their sequences; `parts` at most the shortest's length."""
    pieces = [sequence.tensor_split(parts) for sequence in sequences]
    return [torch.cat(same).mean().item() for same in zip(*pieces, strict=True)]


def continue_greedily(
    model: PeftModel, tokenizer: "PreTrainedTokenizerBase", prompt: list[int], most_tokens: int
) -> list[int]:
    """The likeliest tokens after a prompt, one by one, up to and with the end of turn if it comes."""
    from transformers import GenerationConfig

    end = tokenizer.eos_token_id
    ids = torch.tensor([prompt], device=model.device)
    config = GenerationConfig(
        do_sample=False, max_new_tokens=most_tokens, eos_token_id=end, pad_token_id=end, use_cache=True
    )
    with torch.inference_mode(), refuse_quadratic(len(prompt) + most_tokens):
        out = model.generate(input_ids=ids, attention_mask=torch.ones_like(ids), generation_config=config)
    return out[0, len(prompt) :].tolist()


def _text_after(prompt: list[int], model: PeftModel, tokenizer: "PreTrainedTokenizerBase") -> list[int]:
    written = continue_greedily(model, tokenizer, prompt, _WRITTEN_TOKENS)
    return [token for token in written if token != tokenizer.eos_token_id]


def _faults_of_reading(nats: Sequence[float]) -> list[str]:
    if not all(map(math.isfinite, nats)):
        return ["the loss is not finite somewhere in a long sequence"]
    middle = statistics.median(nats)
    if nats[-1] > middle + _BLOWN_NATS:
        return [f"the end of a long sequence is read badly: {nats[-1]:.1f} nats a token, {middle:.1f} in the middle"]
    return []


def _faults_of_writing(text: Sequence[int]) -> list[str]:
    if not text:
        return ["after a long prompt nothing is written"]
    faults = []
    if loops(text):
        faults.append("after a long prompt the text goes round in a loop")
    share = distinct_share(text)
    if share < _LEAST_DISTINCT:
        faults.append(f"after a long prompt the same words are written again and again: {share:.0%} of 4-grams differ")
    return faults
