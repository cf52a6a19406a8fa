"""Proper names and acronyms: which runs of capitalised words name something.

A capital at the start of a sentence, in a heading or behind a colon says nothing by itself. Such a word is taken for
a name only where the rest of the text, or the words that follow, show that it is one: to miss a name costs less than
to invent one.
"""

import re
from collections.abc import Iterable
from functools import cached_property

from pipeline.facts.capitals import Group, Word, runs_of_groups
from pipeline.facts.fact import Claims
from pipeline.facts.name_words import (
    DAYS_AND_MONTHS,
    GENERIC,
    HEADS,
    ORDINARY,
    ORDINARY_ANYWHERE,
    PEOPLES,
    TITLES,
    TOPICS,
)
from pipeline.facts.places import PLACES
from pipeline.facts.standing import Fields
from pipeline.facts.words import listed

_NO_NAME = GENERIC | TOPICS | PEOPLES | TITLES | DAYS_AND_MONTHS
_NO_NAME_IN_ORGANISATION = (GENERIC - HEADS) | DAYS_AND_MONTHS
_ALONE = frozenset(("generalitat", "xunta"))  # heads that are names by themselves
_ROMAN = re.compile(r"[IVXL]+")
_NO_ACRONYM = listed("ok am pm sl sa slu mw gw kw gb mb tb kb hz kwh mwh")
_AS_ACRONYMS = listed("it us who un")  # ordinary in lower case, well known in capitals
_COMMON_ENDINGS = tuple(
    listed("ció cions ción ciones ment ments mente miento tat tats dad dades ing tion tions ly aron ieron aven aban ó")
)
_NUMBER_BEHIND = re.compile(r"[ \u00a0][0-9]{1,3}[a-z]?(?![\w.,]*[0-9])")
# In running text: what stands in an address says nothing of how a word is written.
_LOWER_WORD = re.compile(r"(?<![\w·./@-])[a-zà-öø-ÿ](?:[^\W\d_]|·(?=\w))+(?![\w/@-]|\.\w)")


def find_names(text: str, language: str | None, claims: Claims) -> None:
    """Add the names and acronyms of `text`; all else must have been found before."""
    _Judge(text, language, claims).add_all()


class _Judge:
    """One text, and what its certain names say about the doubtful ones."""

    def __init__(self, text: str, language: str | None, claims: Claims) -> None:
        self._text, self._language, self._claims = text, language, claims
        self._ordinary = ORDINARY.get(language or "", ORDINARY_ANYWHERE)
        fields = Fields(text)
        self._runs = [(run, fields.at(run[0].words[0].start)) for run in runs_of_groups(text, self._ordinary, claims)]
        self._names: set[str] = set()  # that stand by themselves inside a sentence
        self._words: set[str] = set()  # of names, but for those that a sentence begins with
        for run, field in self._runs:
            if not (field.is_shouted or field.is_header or field.is_title):
                self._learn(run)

    def _learn(self, run: list[Group]) -> None:
        for group in run:
            words = group.words if group.standing == "mid" else group.words[1:]
            if group.has_head and len(group.words) > 1:  # of an organisation's words the place alone, if it has one
                words = words[-1:] if self._gap(*group.words[-2:]) else []
            self._words.update(word.low for word in words)
            if group.standing == "mid" and len(run) == 1 and not self._is_label(words):
                self._names.add(self._key(group.words))

    def _is_known(self, word: Word) -> bool:
        """Whether other places show that the capital of the word is its own."""
        return word.low in self._words and word.low not in self._lower_words

    @cached_property
    def _lower_words(self) -> frozenset[str]:
        return frozenset(_LOWER_WORD.findall(self._text))

    def add_all(self) -> None:
        """Add every name and acronym that stands the test."""
        for run, field in self._runs:
            if field.is_shouted:
                self._add_lone_acronym(run)
                continue
            groups = [self._without_ordinary_start(part) for group in run for part in self._parted(group)]
            for group in self._joined(groups):
                words = group.words
                key = self._key(words)
                if all(word.is_acronym for word in words):
                    self._add_acronyms(words)
                elif self._is_name(words, group, key) and self._fits(field.is_header, field.is_title, words, key):
                    self._claims.add("name", key, words[0].start, words[-1].end)
                else:
                    self._add_acronyms([word for word in words if word.is_acronym])

    def _parted(self, group: Group) -> list[Group]:
        """A person and where they are from, known as two: Victor Gollop | of Marsham Lock, of the Alder Trust."""
        words = group.words
        for cut in range(2, len(words)):
            if self._gap(words[cut - 1], words[cut]) and not any(word.low in HEADS for word in words[:cut]):
                left, right = Group(words[:cut], group.standing, group.joined), Group(words[cut:], "mid")
                if right.has_head or (self._key(left.words) in self._names and self._key(right.words) in self._names):
                    return [left, right]
        return [group]

    def _joined(self, run: list[Group]) -> Iterable[Group]:
        """Groups with "and" between them that are one name: Anna Puig i Soler, Department of Health and Care."""
        waiting: Group | None = None
        for group in run:
            if waiting is not None and group.joined and self._are_one(waiting, group):
                waiting = Group([*waiting.words, *group.words], waiting.standing, waiting.joined)
                continue
            if waiting is not None:
                yield waiting
            waiting = group
        if waiting is not None:
            yield waiting

    def _are_one(self, left: Group, right: Group) -> bool:
        if self._key(left.words) in self._names or self._key(right.words) in self._names or right.has_head:
            return False
        if any(word.is_acronym for word in (*left.words, *right.words)) or len(left.words) == 1:
            return False
        parted = any(self._gap(*pair) for pair in zip(left.words, left.words[1:], strict=False))
        if left.has_head and self._language == "en":
            return parted and len(right.words) <= 2
        if left.has_head:
            return len(right.words) == 1
        return self._language != "en" and len(left.words) == 2 and not parted and len(right.words) == 1

    def _key(self, words: list[Word]) -> str:
        """The name as it is compared: without case, with single spaces and straight apostrophes."""
        return " ".join(self._text[words[0].start : words[-1].end].casefold().replace("’", "'").split())

    def _gap(self, left: Word, right: Word) -> str:
        return self._text[left.end : right.start].strip(" \u00a0'’.")

    def _without_ordinary_start(self, group: Group) -> Group:
        """Without a word that has its capital from the start of the sentence alone: Participaron | Anna Puig."""
        words = group.words
        if group.standing == "mid" or len(words) == 1 or words[0].low in HEADS or self._key(words) in self._names:
            return group
        first = words[0].low
        is_ordinary = first in self._lower_words or (len(words) > 2 and self._key(words[1:]) in self._names)
        if not is_ordinary and first.endswith(_COMMON_ENDINGS):
            is_ordinary = first not in self._words and words[-1].low not in HEADS
        return Group(words[1:], "mid", group.joined) if is_ordinary and not words[0].is_acronym else group

    def _is_name(self, words: list[Word], group: Group, key: str) -> bool:
        has_head = len(words) > 1 and any(word.low in HEADS for word in words)
        empty = _NO_NAME_IN_ORGANISATION if has_head else _NO_NAME
        telling = [
            word
            for word in words
            if word.is_acronym or (word.low not in empty and len(word.low) > 1 and not _is_roman(word))
        ]
        if not telling or all(word.low in HEADS for word in telling):
            return key in _ALONE
        if len(words) > 1:
            return True
        if group.standing == "mid":
            stands_alone = key in self._names or key in PLACES
            return key not in self._lower_words and (stands_alone or not self._is_label(words))
        known = self._is_known(words[0]) or key in PLACES
        if group.standing == "after" and self._text[words[0].start - 1 : words[0].start] == "(":
            return known or self._text[words[0].end : words[0].end + 1] in (")", ",", ";")
        return known

    def _is_label(self, words: list[Word]) -> bool:
        """One word with a number behind it, as in Cell 2 and Eix 3; but "Horizon 2020" is none."""
        return len(words) == 1 and _NUMBER_BEHIND.match(self._text, words[0].end) is not None

    def _fits(self, is_header: bool, is_title: bool, words: list[Word], key: str) -> bool:
        """In headings and above tables capitals say nothing: only what is known by other places counts."""
        if is_header or is_title:
            has_head = any(word.low in HEADS for word in words)
            return key in self._names or key in PLACES or (is_title and has_head and len(words) > 1)
        return True

    def _add_lone_acronym(self, run: list[Group]) -> None:
        words = [word for group in run for word in group.words]
        if all(word.is_acronym and _acronym(word).casefold() in self._names for word in words):
            self._add_acronyms(words)

    def _add_acronyms(self, words: list[Word]) -> None:
        if len(words) > 2 and all(word.low in self._lower_words or len(word.low) > 5 for word in words):
            return  # a phrase in capitals
        for word in words:
            low = word.low
            stressed = low in self._ordinary or low in GENERIC or low in DAYS_AND_MONTHS
            stressed = (stressed and low not in _AS_ACRONYMS) or (len(low) > 4 and low in self._lower_words)
            if not stressed and not _is_roman(word) and low not in _NO_ACRONYM:
                self._claims.add("acronym", _acronym(word), word.start, word.end)


def _is_roman(word: Word) -> bool:
    return _ROMAN.fullmatch(word.text) is not None


def _acronym(word: Word) -> str:
    return word.text.removesuffix("s").rstrip("'’")
