"""How much of the prompts for a whole report a server with a prefix cache has read before.

prompt before    ▒▒▒▒ ▒▒▒▒ ▒▒▒▒ ▒▒        blocks of 16 tokens, as in vLLM
prompt           ▒▒▒▒ ▒▒▒▒ ▒▒██ ████      served from the cache: the whole blocks that begin both
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.records import Window
from pipeline.windows import brief_of, render
from tests.benchmarks.windows.documents import Document

BLOCK_TOKENS = 16
_PARAGRAPH = re.compile(r"(?<=\n\n)(?=\S)")


@dataclass(frozen=True)
class Cached:
    """Tokens of all prompts, and those of them that are served from the cache."""

    prompts: int
    tokens: int
    cached: int

    @property
    def share(self) -> float:
        """Of the tokens, those that are served from the cache."""
        return self.cached / self.tokens if self.tokens else 0.0


def cached(prompts: Iterable[Sequence[int]]) -> Cached:
    """What the cache serves of each prompt if it holds the one before; at least its last token is read anew."""
    count = tokens = served = 0
    before: Sequence[int] = ()
    for prompt in prompts:
        same = min(_common(before, prompt), max(len(prompt) - 1, 0))
        count, tokens, served = count + 1, tokens + len(prompt), served + same // BLOCK_TOKENS * BLOCK_TOKENS
        before = prompt
    return Cached(count, tokens, served)


def prompts(document: Document, windows: Sequence[Window], tokenizer_json: Path) -> Iterator[Sequence[int]]:
    """The prompt of each section in order, as the tokens of ChatML that the server reads."""
    for place, window in enumerate(windows):
        turns = render(window, brief_of(document.plan, place))
        said = "".join(f"<|im_start|>{turn.role}\n{turn.content}<|im_end|>\n" for turn in turns)
        # No token of Qwen3's goes on from a line's end into the next line's text, so that paragraphs can be tokenised
        # by themselves, and those that prompts share once.
        paragraphs = _PARAGRAPH.split(f"{said}<|im_start|>assistant\n")
        yield np.concatenate([_ids(paragraph, tokenizer_json) for paragraph in paragraphs])


@lru_cache(maxsize=100_000)
def _ids(text: str, tokenizer_json: Path) -> NDArray[np.int32]:
    return np.asarray(_tokenizer(tokenizer_json).encode(text).ids, np.int32)


@cache
def _tokenizer(file: Path) -> Any:
    from tokenizers import Tokenizer

    return Tokenizer.from_file(str(file))


def _common(one: Sequence[int], other: Sequence[int]) -> int:
    """How many tokens begin both."""
    length = min(len(one), len(other))
    differs = np.asarray(one[:length]) != np.asarray(other[:length])
    return int(differs.argmax()) if differs.any() else length
