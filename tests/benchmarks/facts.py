"""How many facts of a text are found. Prints Markdown tables; exits with 1 if a goal is missed.

python tests/benchmarks/facts.py            precision and recall by kind, language and source
python tests/benchmarks/facts.py --misses   and every fact that was missed, made up, or read wrongly
"""

import argparse
import math
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from pipeline.facts import Fact, Kind, facts_of  # noqa: E402
from pipeline.records import Language  # noqa: E402
from tests.pipeline.facts.labelled.passages import LANGUAGES, SOURCES, Passage, labelled  # noqa: E402

LEAST_PRECISION, LEAST_RECALL = 0.95, 0.90
NORMAL_QUANTILE = 1.959964  # of 97.5%: both tails of an interval of 95%

Extractor = Callable[[str, Language | None], list[Fact]]


@dataclass(frozen=True)
class Tally:
    """Facts labelled, facts found, those found with the right kind and the exact span, and of these the right keys."""

    labelled: int = 0
    found: int = 0
    right: int = 0
    keys: int = 0

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(
            self.labelled + other.labelled,
            self.found + other.found,
            self.right + other.right,
            self.keys + other.keys,
        )

    @property
    def precision(self) -> float:
        """Share of the found that are right; 1 if nothing was found."""
        return self.right / self.found if self.found else 1.0

    @property
    def recall(self) -> float:
        """Share of the labelled that were found; 1 if nothing was labelled."""
        return self.right / self.labelled if self.labelled else 1.0


@dataclass(frozen=True)
class Judged:
    """A passage, and what the extractor found in it."""

    passage: Passage
    found: tuple[Fact, ...]

    def tally(self, kind: Kind) -> Tally:
        """Of one kind."""
        labels = {fact[2:]: fact.key for fact in self.passage.facts if fact.kind == kind}
        found = [fact for fact in self.found if fact.kind == kind]
        right = [fact for fact in found if fact[2:] in labels]
        return Tally(len(labels), len(found), len(right), sum(labels[fact[2:]] == fact.key for fact in right))

    def misses(self) -> list[str]:
        """What is wrong, a line each: facts not found, facts that are none, and right spans with another key."""
        labels = {(fact.kind, *fact[2:]): fact.key for fact in self.passage.facts}
        found = {(fact.kind, *fact[2:]): fact.key for fact in self.found}
        wrong = [
            (start, f"not found: {kind} `{self._shown(start, end)}`")
            for kind, start, end in labels.keys() - found.keys()
        ]
        wrong += [
            (start, f"no fact: {kind} `{self._shown(start, end)}`") for kind, start, end in found.keys() - labels.keys()
        ]
        wrong += [
            (at[1], f"key: `{key}` should be `{labels[at]}`")
            for at, key in found.items()
            if at in labels and key != labels[at]
        ]
        return [line for _, line in sorted(wrong)]

    def _shown(self, start: int, end: int) -> str:
        return self.passage.text[start:end].replace("\n", "⏎").replace("|", "\\|")


def main() -> int:
    """Print tables and goals. Returns 1 if a goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--misses", action="store_true", help="list every one")
    arguments = parser.parse_args()
    judged = judge(labelled(), facts_of)
    total = over_all(judged)
    print(table("kind", by_kind(judged), total))
    print(table("language", {one: over_all(j for j in judged if j.passage.language == one) for one in LANGUAGES}))
    print(table("source", {one: over_all(j for j in judged if j.passage.source == one) for one in SOURCES}))
    if arguments.misses:
        print("| passage | miss |\n|---|---|")
        print("".join(f"| {one.passage.place} | {miss} |\n" for one in judged for miss in one.misses()))
    print("| goal | measured | |\n|---|---|---|")
    goals = [("precision", LEAST_PRECISION, total.precision), ("recall", LEAST_RECALL, total.recall)]
    for what, least, measured in goals:
        print(f"| {what} at least {least:.0%} | {measured:.1%} | {'met' if measured >= least else '**missed**'} |")
    return int(any(measured < least for _, least, measured in goals))


def judge(passages: Iterable[Passage], extractor: Extractor) -> list[Judged]:
    """Each passage beside what the extractor finds in it, when told its language."""
    return [Judged(passage, tuple(extractor(passage.text, passage.language))) for passage in passages]


def by_kind(judged: Iterable[Judged]) -> dict[str, Tally]:
    """The sum over passages, for each kind of fact."""
    tallies: dict[str, Tally] = defaultdict(Tally)
    for one in judged:
        for kind in get_args(Kind):
            tallies[kind] += one.tally(kind)
    return dict(tallies)


def over_all(judged: Iterable[Judged]) -> Tally:
    """The sum over passages and kinds."""
    return sum(by_kind(judged).values(), Tally())


def wilson(right: int, total: int) -> tuple[float, float]:
    """Interval of 95% for a share, by its score (Wilson 1927); (0, 1) if there is nothing to share."""
    if not total:
        return 0.0, 1.0
    share, spread = right / total, NORMAL_QUANTILE**2 / total
    middle = (share + spread / 2) / (1 + spread)
    half = math.sqrt(spread * (share * (1 - share) + spread / 4)) / (1 + spread)
    return middle - half, middle + half


def table(what: str, tallies: Mapping[str, Tally], total: Tally | None = None) -> str:
    """Markdown: a row for each tally, shares with their intervals."""
    lines = [f"| {what} | labelled | found | right | precision | recall | keys equal, of the right |", "|---" * 7 + "|"]
    for name, one in {**tallies, **({"all": total} if total else {})}.items():
        shares = ((one.right, one.found), (one.right, one.labelled), (one.keys, one.right))
        cells = " | ".join(_share(right, of) for right, of in shares)
        lines.append(f"| {name} | {one.labelled} | {one.found} | {one.right} | {cells} |")
    return "\n".join(lines) + "\n"


def _share(right: int, total: int) -> str:
    if not total:
        return ""
    low, high = wilson(right, total)
    return f"{right / total:.1%} ({100 * low:.0f}–{100 * high:.0f})"


if __name__ == "__main__":
    sys.exit(main())
