"""Held-out sections written by the model itself, always taking the likeliest token.

    prompts of one batch        pad pad [ shorter prompt ] ──> text ── end of turn
                                [     longer prompt      ] ──> text ── text ── end of turn

Prompts are padded at the left, so that all of a batch go on from the same column.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal

from pipeline.records import Example, Language, Record

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

_BATCH_SECTIONS = 8
_BATCH_TOKENS = 16_384  # of the padded prompts: a long window is read alone, and needs no mask then


class Written(Record):
    """A section as a model wrote it; "clipped" if it did not come to an end within its tokens."""

    example: str
    report: str
    language: Language | None
    text: str
    finish: Literal["whole", "clipped"]


def write_sections(
    model: Any, tokenizer: "PreTrainedTokenizerBase", examples: Sequence[Example], most_tokens: int
) -> Iterator[Written]:
    """Let the model write each section from its prompt; yields them as they are done, short prompts first.

    Args:
        model: a causal language model, or one with an adapter on.
        most_tokens: of one section.
    """
    import torch

    from pipeline.training.encode import encode_prompt

    prompts = [encode_prompt(tokenizer, example.messages) for example in examples]
    for batch in batches([len(prompt) for prompt in prompts]):
        with torch.inference_mode():
            tokens = _continue(model, tokenizer, [prompts[i] for i in batch], most_tokens)
        for i, row in zip(batch, tokens, strict=True):
            yield _written(examples[i], row, tokenizer)


def batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Indices of prompts that are read together: alike in length, so that little is padding."""
    batch: list[int] = []
    for i in sorted(range(len(lengths)), key=lambda i: lengths[i]):
        if batch and (len(batch) == _BATCH_SECTIONS or lengths[i] * (len(batch) + 1) > _BATCH_TOKENS):
            yield batch
            batch = []
        batch.append(i)
    if batch:
        yield batch


def _continue(model: Any, tokenizer: Any, prompts: list[list[int]], most_tokens: int) -> list[list[int]]:
    """What follows each prompt, up to and with the end of turn if it came."""
    import torch
    from transformers import GenerationConfig

    end = tokenizer.eos_token_id
    longest = max(map(len, prompts))
    missing = [longest - len(prompt) for prompt in prompts]
    ids = torch.tensor([[end] * gap + prompt for gap, prompt in zip(missing, prompts, strict=True)])
    mask = torch.tensor([[0] * gap + [1] * (longest - gap) for gap in missing])
    device = next(model.parameters()).device
    config = GenerationConfig(do_sample=False, max_new_tokens=most_tokens, eos_token_id=end, pad_token_id=end)
    out = model.generate(input_ids=ids.to(device), attention_mask=mask.to(device), generation_config=config)
    rows = out[:, longest:].tolist()
    return [row[: row.index(end) + 1] if end in row else row for row in rows]


def _written(example: Example, tokens: list[int], tokenizer: Any) -> Written:
    return Written(
        example=example.id,
        report=example.report,
        language=example.language,
        text=tokenizer.decode(tokens, skip_special_tokens=True).strip(),
        finish="whole" if tokens[-1:] == [tokenizer.eos_token_id] else "clipped",
    )
