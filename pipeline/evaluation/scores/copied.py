"""What a written section has from the texts that the model learnt from, and from nowhere else.

    copied_words    the longest passage of a text to train on, word for word, of eight words at least
    foreign_facts   names, codes and figures that stand in one report to train on, and in no other

What stands in the section's prompt or in the true section is no fault, wherever else it stands. What several reports
say is the office's own knowledge; what one alone says, or its versions, belongs to that project, and is a fault in
another's report. Where reports to train on are few, one alone may name what everybody knows: compare contenders.
Dates, small or round figures and short codes coincide by chance, and do not count.
"""

import re
from functools import cached_property, lru_cache

from pipeline.evaluation.scores.passages import N, Passages
from pipeline.evaluation.scores.score import Context, Judged, Part, Score
from pipeline.evaluation.scores.words import NAME as TOKENIZER
from pipeline.evaluation.scores.words import words_of
from pipeline.facts import Fact, facts_of
from pipeline.records import Example

VERSION = 1
_FEWEST_DIGITS = {"number": 4, "amount": 4, "code": 3}
_FEWEST_LETTERS = 4
_SECTIONS_KEPT = 4096


def copied_words(context: Context) -> Score:
    """The mean over sections, in words."""
    taught = _Taught(context)
    return Score(
        name="copied_words",
        title="words in the longest passage copied from another report",
        better="lower",
        signature=f"copied_words|version:{VERSION}|tokenizer:{TOKENIZER}|at least {N} words, from targets to train on, "
        f"not in prompt or true section|{context.taught_by}|mean of sections",
        of=taught.longest_passage,
    )


def foreign_facts(context: Context) -> Score:
    """The mean number of such facts in a section; each is counted once."""
    taught = _Taught(context)
    return Score(
        name="foreign_facts",
        title="names, codes and figures that belong to another project, per section",
        better="lower",
        signature=f"foreign_facts|version:{VERSION}|names of two words, acronyms of {_FEWEST_LETTERS} letters, "
        "codes of 3 digits, figures of 4, addresses, in one report to train on, not in prompt or true section|"
        f"{context.taught_by}|mean of sections",
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


def known_text(example: Example) -> str:
    """All that a section may say because its writer was told, or because it is true: the prompt, and the target."""
    return "\n\n".join((*(message.content for message in example.messages), example.target))


class _Taught:
    """The texts to train on, indexed when they are first asked for."""

    def __init__(self, context: Context) -> None:
        self._examples = context.taught
        self._family_of = {report: str(min(family)) for family in context.families for report in family}

    @cached_property
    def _passages(self) -> Passages:
        return Passages(example.target for example in self._examples)

    @cached_property
    def _project_of(self) -> dict[str, str | None]:
        """The report that states a fact, or its family; None: there are several."""
        found: dict[str, str | None] = {}
        for example in self._examples:
            project = self._family_of.get(example.report, example.report)
            for fact in filter(is_telling, facts_of(example.target, example.language)):
                if found.setdefault(fact.key, project) != project:
                    found[fact.key] = None
        return found

    def longest_passage(self, judged: Judged) -> Part:
        return float(self._passages.longest(judged.words, but=[words_of(known_text(judged.example))])), 1.0

    def foreign_facts(self, judged: Judged) -> Part:
        written = {fact.key for fact in facts_of(judged.text, judged.example.language)}
        own = self._family_of.get(judged.example.report, judged.example.report)
        foreign = {key for key in written if self._project_of.get(key) not in (None, own)}
        if foreign:
            foreign -= _told(judged.example)
        return float(len(foreign)), 1.0


@lru_cache(maxsize=_SECTIONS_KEPT)
def _told(example: Example) -> frozenset[str]:
    """Keys of the facts that stand in a prompt or a true section; cached, as every contender is asked of the same."""
    return frozenset(fact.key for fact in facts_of(known_text(example), example.language))
