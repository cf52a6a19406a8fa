"""What a score is, what it is of, and what it may know beside the section."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal

from pipeline.evaluation.scores.words import words_of
from pipeline.faithfulness import Traced, sources_of_example, trace
from pipeline.records import Example, Language, digest, short

_LAST_WORD = re.compile(r"\S+\Z")

Part = tuple[float, float]
Better = Literal["higher", "lower", "nearer one"]


@dataclass(frozen=True)
class Judged:
    """A section as a model wrote it, and the example whose target it should have written."""

    text: str
    finish: Literal["whole", "clipped"]
    example: Example

    @cached_property
    def words(self) -> list[str]:
        """Words of what was written."""
        return words_of(self.text)

    @cached_property
    def true_words(self) -> list[str]:
        """Words of the true section."""
        return words_of(self.example.target)

    @cached_property
    def traced(self) -> Traced:
        """Where what was written comes from: the prompt, or nowhere. The word at which a text was clipped says nothing.

        Raises:
            UserError: the prompt was made by another version of the product.
        """
        told = self.text if self.finish == "whole" else _LAST_WORD.sub("", self.text)
        return trace(told, self.example.language, sources_of_example(self.example))


@dataclass(frozen=True)
class Score:
    """One way to judge a written section.

    `of` gives a part (a numerator and a weight): of many sections, the score is the sum of the numerators by the sum
    of the weights. A mean's weight is 1; a share of all claims has their number, which may be 0. None: the score does
    not apply to this section, whoever wrote it.

    `title` is for readers who know no metrics; `signature` says what is measured, by which version, and how.
    """

    name: str
    title: str
    better: Better
    signature: str
    of: Callable[[Judged], Part | None]


@dataclass(frozen=True)
class Context:
    """What spans sections.

    `languages` are those that are told apart (ISO 639-1); `taught` are the examples that the contenders learnt from;
    `families` are ids of reports that are versions of one another. `embedding` is the folder of a model of sentences.
    """

    languages: tuple[Language, ...]
    taught: Sequence[Example] = ()
    families: Sequence[Sequence[str]] = ()
    embedding: Path | None = None

    @cached_property
    def taught_by(self) -> str:
        """Names the texts to train on, for the signatures of scores that look at them."""
        sources = sorted({example.source_sha256 for example in self.taught})
        return f"{len(sources)} reports to train on, {short(digest(sources))}"
