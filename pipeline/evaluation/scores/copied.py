"""What a written section has from the texts that the model learnt from, and from nowhere else.

    copied_words    the longest passage of a text to train on, word for word, of eight words at least
    foreign_facts   names, codes and figures that stand in one report to train on, and in no other

What stands in the section's prompt or in the true section is no fault, wherever else it stands. What several reports
say is the office's own knowledge; what one alone says belongs to that project, and is a fault in another's report.
Dates, small or round figures and short codes coincide by chance, and do not count.
"""

import re
from collections.abc import Sequence
from functools import cached_property

from pipeline.evaluation.scores.passages import N, Passages
from pipeline.evaluation.scores.score import Context, Judged, Part, Score
from pipeline.evaluation.scores.words import NAME as TOKENIZER
from pipeline.evaluation.scores.words import words_of
from pipeline.facts import Fact, facts_of
from pipeline.records import Example

VERSION = 1
_FEWEST_DIGITS = {"number": 4, "amount": 4, "code": 3}
_FEWEST_LETTERS = 4


def copied_words(context: Context) -> Score:
    """The mean over sections, in words."""
    taught = _Taught(context.taught)
    return Score(
        name="copied_words",
        title="words in the longest passage copied from another report",
        better="lower",
        signature=f"copied_words|version:{VERSION}|tokenizer:{TOKENIZER}|at least {N} words, from targets to train on, "
        "not in prompt or true section|mean of sections",
        of=taught.longest_passage,
    )


def foreign_facts(context: Context) -> Score:
    """The mean number of such facts in a section; each is counted once."""
    taught = _Taught(context.taught)
    return Score(
        name="foreign_facts",
        title="names, codes and figures that belong to another project, per section",
        better="lower",
        signature=f"foreign_facts|version:{VERSION}|names of two words, acronyms of {_FEWEST_LETTERS} letters, "
        "codes of 3 digits, figures of 4, addresses, in one report to train on, not in prompt or true section|"
        "mean of sections",
        of=taught.foreign_facts,
    )


def is_telling(fact: Fact) -> bool:
    """Does a fact say so much that two projects will hardly share it by chance?"""
    value = fact.key.partition(":")[2]
    match fact.kind:
        case "name":
            return " " in value
        case "acronym":
            return len(value) >= _FEWEST_LETTERS
        case "number" | "amount" | "code":
            digits = re.sub(r"\D", "", value)
            told = digits if fact.kind == "code" else digits.strip("0")
            return len(told) >= _FEWEST_DIGITS[fact.kind]
    return fact.kind == "address"


class _Taught:
    """The texts to train on, indexed when they are first asked for."""

    def __init__(self, examples: Sequence[Example]) -> None:
        self._examples = examples

    @cached_property
    def _passages(self) -> Passages:
        return Passages(example.target for example in self._examples)

    @cached_property
    def _report_of(self) -> dict[str, str | None]:
        """The report that states a fact; None: there are several."""
        found: dict[str, str | None] = {}
        for example in self._examples:
            for fact in filter(is_telling, facts_of(example.target, example.language)):
                if found.setdefault(fact.key, example.report) != example.report:
                    found[fact.key] = None
        return found

    def longest_passage(self, judged: Judged) -> Part:
        return float(self._passages.longest(judged.words, but=[words_of(judged.sources)])), 1.0

    def foreign_facts(self, judged: Judged) -> Part:
        language = judged.example.language
        written = {fact.key for fact in facts_of(judged.text, language) if is_telling(fact)}
        foreign = {key for key in written if self._report_of.get(key) not in (None, judged.example.report)}
        if foreign:
            foreign -= {fact.key for fact in facts_of(judged.sources, language)}
        return float(len(foreign)), 1.0
