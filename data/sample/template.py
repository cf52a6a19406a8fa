"""Sentences from templates: choices in [square|brackets], facts in {braces}.

A line of a bank is one sentence slot: alternatives stand between ``||``; inside one, ``[a|b]`` picks a
wording and ``{name}`` takes a fact. A line that starts with ``?`` is left out half of the time. ``Phrasing``
prefers the alternatives that it has used least and refuses a sentence that it has already written, as long
as it can.
"""

import random
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from data.sample.language import bare, capital, contract

_CHOICE: Final = re.compile(r"\[([^\[\]]*)\]")
_SLOT: Final = re.compile(r"\{([a-z0-9_.]+)\}")
_ATTEMPTS: Final = 12


class Stated(NamedTuple):
    """A fact that a text states: the words as they stand in it, and what they are a fact of ("": the project).

    Where both are equal, the same is told again; 14 pupils and 14 metres are two facts.
    """

    text: str
    of: str = ""


@dataclass(frozen=True)
class Fact:
    """What a slot takes: the words, whether they count as a fact that a later section may recall, and of what."""

    text: str
    counts: bool = True
    of: str = ""

    @property
    def stated(self) -> Stated:
        """The words that surely stand verbatim in the text (the article may be contracted away)."""
        return Stated(bare(self.text), self.of)


Facts = Mapping[str, Fact]


@dataclass(frozen=True)
class Sentence:
    """One finished sentence and the facts it states."""

    text: str
    facts: tuple[Stated, ...]


class Phrasing:
    """Turns template lines into sentences of one language, with a memory of what it has written."""

    def __init__(self, language: str, seed: str) -> None:
        self.language = language
        self.random = random.Random(seed)
        self._uses: Counter[str] = Counter()
        self._written: set[str] = set()

    def reseed(self, seed: str) -> None:
        """Start the choices of another report; what was written before stays remembered."""
        self.random = random.Random(seed)

    def sentence(self, line: str, facts: Facts) -> Sentence:
        """One sentence from one line. Raises KeyError where a slot names no fact."""
        alternatives = [part.strip().lstrip("? ") for part in line.split("||")]
        for _ in range(_ATTEMPTS):
            least = min(self._uses[part] for part in alternatives)
            chosen = self.random.choice([part for part in alternatives if self._uses[part] == least])
            self._uses[chosen] += 1
            sentence = self._fill(chosen, facts)
            if sentence.text not in self._written:
                break
        self._written.add(sentence.text)
        return sentence

    def paragraph(self, lines: list[str], facts: Facts) -> Sentence:
        """The sentences of all lines, joined by spaces."""
        sentences = [self.sentence(line, facts) for line in lines if self._kept(line)]
        return Sentence(" ".join(s.text for s in sentences), tuple(f for s in sentences for f in s.facts))

    def _kept(self, line: str) -> bool:
        return not line.startswith("?") or self.random.random() < 0.5

    def _fill(self, template: str, facts: Facts) -> Sentence:
        stated: list[Stated] = []

        def fact(match: re.Match[str]) -> str:
            value = facts[match[1]]
            if value.counts:
                stated.append(value.stated)
            return value.text

        def choice(match: re.Match[str]) -> str:
            return self.random.choice(match[1].split("|"))

        # A fact's own words may hold slots and choices, and choices may be nested: go on until none is left.
        text = template
        while (chosen := _CHOICE.sub(choice, text)) != text or _SLOT.search(text):
            text = _SLOT.sub(fact, chosen)
        return Sentence(capital(contract(text, self.language)), tuple(dict.fromkeys(stated)))


def alternatives_for(line: str, facts: Facts) -> str:
    """The alternatives of a line whose slots all have a fact. Raises ValueError if there are none."""
    fit = [part for part in line.split("||") if all(slot in facts for slot in _SLOT.findall(part))]
    if not fit:
        raise ValueError(f"no alternative for {sorted(facts)}: {line}")
    return "||".join(fit)


def punctuated(text: str) -> str:
    """Mend what filled slots leave: a space before a comma, a full stop inside a quotation that goes on."""
    text = re.sub(r" +([,;:.])", r"\1", text)
    text = re.sub(r'\.(" (?:says|said|wrote)\b)', r",\1", text)
    text = re.sub(r'\.(" (?:is|was)\b)', r"\1", text)
    return re.sub(r"(?<=[.?] )[a-z]", lambda letter: letter[0].upper(), text)


def unrepeated(text: str, *places: str) -> str:
    """Say "there" for "at PLACE" where the same sentence has named the place before."""
    sentences = re.split(r"(?<=[.?!]) ", text)
    for place in places:
        for number, sentence in enumerate(sentences):
            before, named, after = sentence.partition(place)
            sentences[number] = before + named + re.sub(rf" at {place}\b(?!')", " there", after)
    return " ".join(sentences)
