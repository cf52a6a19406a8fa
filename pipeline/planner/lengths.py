"""How long the user's own examples are, and what a limit does to them.

A limit below the typical example is the commonest mistake: most trainers cut what is longer, so that the model never
sees endings, and never learns to end. Training here refuses such examples instead, and a plan says so beforehand.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil

from pipeline.records import Example

COUNTED = 12
"""Examples of each language that are counted token by token; the others by their characters, at the same rate."""


@dataclass(frozen=True)
class Lengths:
    """Tokens of each example, prompt and target together, in ascending order.

    `estimated`: some were counted by their characters; then each may be some percent off.
    """

    tokens: tuple[int, ...]
    estimated: bool = False

    def __post_init__(self) -> None:
        if not self.tokens or list(self.tokens) != sorted(self.tokens):
            raise ValueError("lengths are at least one, in ascending order")

    @property
    def longest(self) -> int:
        """Of the longest example."""
        return self.tokens[-1]

    def quantile(self, share: float) -> int:
        """The least length that at least `share` of the examples do not exceed: 0.5 is the typical example."""
        return self.tokens[max(0, ceil(share * len(self.tokens)) - 1)]

    def above(self, limit_tokens: int) -> int:
        """How many examples are longer than a limit."""
        return len(self.tokens) - bisect_right(self.tokens, limit_tokens)

    def share_above(self, limit_tokens: int) -> float:
        """What share of the examples is longer than a limit."""
        return self.above(limit_tokens) / len(self.tokens)

    def histogram(self, bars: int = 12) -> list[tuple[int, int]]:
        """Equally wide bars up to the longest: the most tokens of each, and how many examples fall into it."""
        width = max(1, ceil(self.longest / bars))
        ends = list(range(width, self.longest + width, width))
        below = [0, *(bisect_right(self.tokens, end) for end in ends)]
        return [(end, after - before) for end, before, after in zip(ends, below, below[1:], strict=False)]


def measure(examples: Iterable[Example], count: Callable[[str], int], *, counted: int = COUNTED) -> Lengths:
    """Lengths of an example set, without the few tokens that a chat template adds.

    A language has its own rate of characters: what a base has seen little of, it cuts into more tokens.

    Args:
        examples: at least one.
        count: tokens of a text, by the base's own tokenizer.
        counted: of how many examples of a language, evenly spread by length, `count` is asked; of all if no more.
    """
    texts: dict[str | None, list[str]] = {}
    for example in examples:
        texts.setdefault(example.language, []).append(_text(example))
    lengths = [tokens for alike in texts.values() for tokens in _measure(sorted(alike, key=len), count, counted)]
    return Lengths(tuple(sorted(lengths)), estimated=any(len(alike) > counted for alike in texts.values()))


def _measure(texts: Sequence[str], count: Callable[[str], int], counted: int) -> list[int]:
    """Tokens of texts of one language, in ascending order of characters."""
    if len(texts) <= counted:
        return list(map(count, texts))
    asked = {round(place * (len(texts) - 1) / max(1, counted - 1)) for place in range(counted)}
    known = {place: count(texts[place]) for place in asked}
    rate = sum(known.values()) / sum(len(texts[place]) for place in asked)
    return [known.get(place, round(rate * len(text))) for place, text in enumerate(texts)]


def limit_warning(lengths: Lengths, limit_tokens: int) -> str | None:
    """What a limit does to the user's examples; None: all are within it."""
    longer = lengths.above(limit_tokens)
    if not longer:
        return None
    about, typical = "About " if lengths.estimated else "", lengths.quantile(0.5)
    who = "the typical one, too, is longer" if typical > limit_tokens else f"the typical one has {typical:,}"
    return (
        f"{about}{longer:,} of your {len(lengths.tokens):,} examples ({lengths.share_above(limit_tokens):.0%}) are "
        f"longer than {limit_tokens:,} tokens; {who}, nine in ten have at most {lengths.quantile(0.9):,}, the longest "
        f"{lengths.longest:,}. Training refuses them; a trainer that cuts them never shows the model their endings."
    )


def target_warning(left_out: Mapping[str, int], taught: int) -> str | None:
    """What of the user's sections teaches nothing as it is too long; None: nothing.

    Args:
        left_out: sections that became no example, by reason, as an example set notes it.
        taught: examples that there are.
    """
    too_long = {reason: sections for reason, sections in left_out.items() if reason.startswith("longer than")}
    sections = sum(too_long.values())
    if not sections:
        return None
    share = sections / (sections + taught)
    return (
        f"{sections:,} sections ({share:.0%}) are {', '.join(too_long)}, and teach nothing: "
        f"raise corpus.longest_target_tokens if the plan has room."
    )


def _text(example: Example) -> str:
    return "\n".join([*(message.content for message in example.messages), example.target])


def languages(examples: Iterable[Example]) -> dict[str, int]:
    """How many examples are in each language, the commonest first; "" where none was told."""
    counts: dict[str, int] = {}
    for example in examples:
        counts[example.language or ""] = counts.get(example.language or "", 0) + 1
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
