"""Counting and cutting in a base's own tokens, without torch or transformers.

Knows nothing of sections or windows; reads `tokenizer.json` and nothing else.
"""

import hashlib
from bisect import bisect_left
from functools import lru_cache
from pathlib import Path

from pipeline.errors import UserError


class Tokens:
    """The tokenizer of one base. `name` is the digest of its file: two bases with the same one count alike."""

    def __init__(self, base_folder: Path) -> None:
        from tokenizers import Tokenizer

        file = base_folder / "tokenizer.json"
        if not file.is_file():
            raise UserError("no tokenizer.json", where=base_folder, fix="choose a model folder that has one")
        self.name = hashlib.sha256(file.read_bytes()).hexdigest()
        self._tokenizer = Tokenizer.from_file(str(file))
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()

    def count(self, text: str) -> int:
        """How many tokens `text` has, special tokens apart."""
        return len(self._tokenizer.encode(text, add_special_tokens=False).ids)

    def count_between(self, text: str, cuts: list[int]) -> list[int]:
        """Tokens that begin in [cuts[i], cuts[i + 1]) for each i; the text is tokenised once, as a whole.

        Args:
            text: any text.
            cuts: ascending character offsets, the first 0 and the last len(text).
        """
        encoding = self._tokenizer.encode(text, add_special_tokens=False)
        starts = [start for start, _ in encoding.offsets]  # never decreasing
        marks = [bisect_left(starts, cut) for cut in cuts[:-1]] + [len(starts)]
        return [after - before for before, after in zip(marks, marks[1:], strict=False)]


@lru_cache(maxsize=4)
def tokens_of(base_folder: Path) -> Tokens:
    """The tokenizer of a folder, read once in a process."""
    return Tokens(base_folder)
