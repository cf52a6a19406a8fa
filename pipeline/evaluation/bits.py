"""Bits per byte: how much the true text of a section surprises a model that has read its window.

    bits per byte = sum over target tokens of -log2 p(token | window, tokens before) / UTF-8 bytes of the
    target

The lower, the better the model knows what such a section says. Counting by byte makes models with different
vocabularies comparable; a token's share of the text is its own affair. The token that ends the turn is not
counted: it is no text.
"""

import math
from typing import TYPE_CHECKING

from pipeline.errors import FatalError
from pipeline.records import Example, Language, Record

if TYPE_CHECKING:
    import torch
    from transformers import PreTrainedTokenizerBase

NAME = "bits_per_byte"
VERSION = 1


class SectionBits(Record):
    """What one section cost one model. `text_bytes` are those of the section's true text in UTF-8."""

    example: str
    report: str
    language: Language | None
    bits: float
    text_bytes: int


def section_bits(model: "torch.nn.Module", tokenizer: "PreTrainedTokenizerBase", example: Example) -> SectionBits:
    """Bits that `model` needs for the true text of a section. Logits are made for the target alone.

    Raises:
        FatalError: the model's probabilities are not finite.
    """
    import torch

    from pipeline.training.encode import encode
    from pipeline.training.model import target_loss

    encoded = encode(tokenizer, example)
    with torch.inference_mode():
        nats = target_loss(model, encoded.input_ids[:-1], encoded.target_start).item()
    if not math.isfinite(nats):
        raise FatalError(f"the model gives a section {nats} nats", where=f"example {example.id}")
    return SectionBits(
        example=example.id,
        report=example.report,
        language=example.language,
        bits=nats / math.log(2),
        text_bytes=len(example.target.encode()),
    )


def signature(compute: str) -> str:
    """What was measured, by which version, and how; `compute` is the type of the arithmetic."""
    text = "section given window, end of turn not counted"
    return f"{NAME}|version:{VERSION}|text:{text}|weights:nf4|compute:{compute}"
