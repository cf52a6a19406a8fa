"""Bits per byte: how much the true text of a section surprises a model that has read its window.

    bits per byte = sum over target tokens of -log2 p(token | window, tokens before) / UTF-8 bytes of the
    target

    text      We   spent   12   .   500   euros   in   May   2024 .
    facts                 [       12.500 euros ]      [ May 2024 ]      bits of tokens that touch one / bytes of facts

The lower, the better the model knows what such a section says. Counting by byte makes models with different
vocabularies comparable; a token's share of the text is its own affair. The token that ends the turn is not
counted: it is no text. Facts alone tell whether the model knows this project, or how reports sound.
"""

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from pipeline.errors import FatalError
from pipeline.facts import facts_of
from pipeline.records import Example, Language, Record
from pipeline.windows.controls import without_controls

if TYPE_CHECKING:
    import torch
    from transformers import PreTrainedTokenizerBase

NAME, FACTS = "bits_per_byte", "bits_per_byte_of_facts"
VERSION = 2
_ROWS = 256  # of logits that are turned to float32 at once

Span = tuple[int, int]


class SectionBits(Record):
    """What one section cost one model. `text_bytes` are those of the section's true text in UTF-8.

    `fact_bits` are those of the tokens that touch a fact, `fact_bytes` the facts' own; both 0 where there is none.
    """

    example: str
    report: str
    language: Language | None
    bits: float
    text_bytes: int
    fact_bits: float
    fact_bytes: int


class TokenBits(NamedTuple):
    """What one token cost, and the characters [start, end) of the text that it stands for."""

    bits: float
    start: int
    end: int


def section_bits(model: "torch.nn.Module", tokenizer: "PreTrainedTokenizerBase", example: Example) -> SectionBits:
    """Bits that `model` needs for the true text of a section, in one pass. Logits are made for the target alone.

    Raises:
        FatalError: the model's probabilities are not finite.
        UserError: the section with its window is long, and the model's attention would need too much memory.
    """
    from pipeline.training.encode import encode_prompt

    text = without_controls(example.target)
    tokens = token_bits(model, tokenizer, encode_prompt(tokenizer, example.messages), text)
    bits = sum(token.bits for token in tokens)
    if not math.isfinite(bits):
        raise FatalError(f"the model gives a section {bits} bits", where=f"example {example.id}")
    facts = [(fact.start, fact.end) for fact in facts_of(text, example.language)]
    return SectionBits(
        example=example.id,
        report=example.report,
        language=example.language,
        bits=bits,
        text_bytes=len(example.target.encode()),
        fact_bits=bits_within(tokens, facts, len(text)),
        fact_bytes=sum(len(text[start:end].encode()) for start, end in facts),
    )


def token_bits(
    model: "torch.nn.Module", tokenizer: "PreTrainedTokenizerBase", prompt: Sequence[int], text: str
) -> list[TokenBits]:
    """Bits of each token of a text that follows a prompt.

    Args:
        prompt: [tokens], at least one.

    Raises:
        UserError: the sequence is long, and the model's attention would need memory that grows with its square.
    """
    told = tokenizer(text, add_special_tokens=False, return_offsets_mapping=True)
    nats = _target_nats(model, [*prompt, *told["input_ids"]], len(prompt))
    return [
        TokenBits(value / math.log(2), start, end)
        for value, (start, end) in zip(nats, told["offset_mapping"], strict=True)
    ]


def bits_within(tokens: Iterable[TokenBits], spans: Iterable[Span], characters: int) -> float:
    """Bits of the tokens that touch one of some spans of a text of so many `characters`."""
    marked = bytearray(characters)
    for start, end in spans:
        marked[start:end] = b"\1" * (end - start)
    return sum(token.bits for token in tokens if any(marked[token.start : token.end]))


def _target_nats(model: "torch.nn.Module", input_ids: list[int], target_start: int) -> list[float]:
    """Cross-entropy of each token from `target_start` on, in nats."""
    import torch

    from pipeline.training.attention import refuse_quadratic

    ids = torch.tensor([input_ids], device=next(model.parameters()).device)
    targets = ids[0, target_start:]
    with torch.inference_mode(), refuse_quadratic(len(input_ids)):
        logits = model(input_ids=ids, logits_to_keep=len(targets) + 1, use_cache=False).logits[0, :-1]
        nats = [
            torch.nn.functional.cross_entropy(rows.float(), wanted, reduction="none")
            for rows, wanted in zip(logits.split(_ROWS), targets.split(_ROWS), strict=True)
        ]
    return torch.cat(nats).tolist()


def signature(compute: str, name: str = NAME) -> str:
    """What was measured, by which version, and how; `compute` is the type of the arithmetic."""
    text = "section given window, end of turn not counted"
    if name == FACTS:
        text += ", tokens that touch a fact by bytes of facts"
    return f"{name}|version:{VERSION}|text:{text}|weights:nf4|compute:{compute}"
