"""Runs of capitalised words with the particles between them, cut where one name ends and the next begins."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from pipeline.facts.fact import Claims
from pipeline.facts.name_words import DAYS_AND_MONTHS, FOLLOWERS, GENERIC, HEADS, NUMBERED, TITLES
from pipeline.facts.standing import Standing, standing
from pipeline.facts.words import listed

_UPPER = "A-ZÀ-ÖØ-Þ" + "".join(chr(code) for code in range(0x100, 0x250) if chr(code).isupper())
_BODY = r"(?:[^\W\d_]|[·'’\-](?=[^\W\d_])){0,60}"
_INITIAL_OR_WORD = rf"(?:\.(?=[ ]?[{_UPPER}])|{_BODY})"
_PARTICLES = (
    "(?:(?:de|for|per a|para) (?:la|les|los|las|els|el)|of the|for the|per als?|per a|del|dels|de|of|for|per|para|von"
    "|van der|van|la|el|els|les|los|las|i|y|e|and|&|dos|das|da|do|di|du) "
)
_MOST_WORDS = 16  # of a run: what is longer is no name, and would cost its square to judge
# What must stand in front is asked after the first letter, so that the search can leap from capital to capital.
_RUN = re.compile(
    rf"[{_UPPER}](?<![\w·][{_UPPER}])(?<!\w-[{_UPPER}]){_INITIAL_OR_WORD}"
    rf"(?:(?:(?<=\.)|(?:(?<=s)['’])?[ \u00a0])(?:{_PARTICLES})?(?:(?:(?:de|a) )?[dl]['’])?"
    rf"[{_UPPER}]{_INITIAL_OR_WORD}){{0,{_MOST_WORDS - 1}}}"
)
_WORD = re.compile(rf"[{_UPPER}](?<![\w·][{_UPPER}]){_INITIAL_OR_WORD}")
_ELIDED = re.compile(r"([LDSMTNldsmtn]['’])(.)")
_ACRONYM = re.compile(rf"[{_UPPER}]+(?:-[{_UPPER}]+)*(?:['’]?s)?")
_BEFORE_NAMES = TITLES | DAYS_AND_MONTHS
_PROJECT = listed("projecte proyecto project")  # what follows is its name
AND = frozenset(("i", "y", "e", "and"))
_LOOSE = listed("la el els les los las for per para l' l’")  # join only what an organisation's noun began


class Word(NamedTuple):
    """A capitalised word; `low` is its lower-case form."""

    start: int
    end: int
    text: str
    low: str

    @property
    def is_acronym(self) -> bool:
        """Two or more capitals and nothing else, but for a final s."""
        return len(self.low) > 1 and self.text[:2].isupper() and _ACRONYM.fullmatch(self.text) is not None


@dataclass
class Group:
    """Words that may be one name, how the first stands, and whether "and" joins them to the group before."""

    words: list[Word]
    standing: Standing
    joined: bool = False

    @property
    def has_head(self) -> bool:
        """Whether a noun as organisations bear it is among the words."""
        return any(word.low in HEADS for word in self.words)


def runs_of_groups(text: str, ordinary: frozenset[str], claims: Claims) -> Iterator[list[Group]]:
    """The runs of capitalised words in `text`, each cut into groups; `ordinary` words begin no name."""
    dull = ordinary | DAYS_AND_MONTHS | GENERIC | TITLES
    titles = TITLES - ordinary - GENERIC
    for match in _RUN.finditer(text):
        run = match[0]
        low = run.lower()
        if low in dull and not (len(low) > 2 and run.isupper() and low in titles):  # most sentences begin so; DRA not
            continue
        words = [
            Word(found.start(), found.end(), found[0], found[0].lower())
            for found in _WORD.finditer(text, match.start(), match.end())
        ]
        if not claims.free(match.start(), match.end()):
            words = [word for word in words if claims.free(word.start, word.end)]
        groups = [trimmed for group in _cut(text, words, ordinary, claims) if (trimmed := _trim(group, ordinary))]
        if groups:
            yield groups


def _cut(text: str, words: list[Word], ordinary: frozenset[str], claims: Claims) -> Iterator[Group]:
    group: Group | None = None
    for word in words:
        gap = None if group is None else " ".join(text[group.words[-1].end : word.start].split()).lstrip("'’ ")
        if group is not None and gap is not None and claims.free(group.words[-1].end, word.start):
            if gap.split(" ")[0] not in AND and not _ends(group, gap, word, ordinary):
                group.words.append(word)
                continue
            yield group
            group = Group([word], "mid", joined=gap in AND)
        else:
            if group is not None:
                yield group
            group = Group([word], standing(text, word.start, claims))
    if group is not None:
        yield group


def _ends(group: Group, gap: str, word: Word, ordinary: frozenset[str]) -> bool:
    """Whether a name ends before `word`: Anna Puig | de la Fundació Àncora."""
    last = group.words[-1]
    if not gap:
        return last.text.endswith(".") and word.low in ordinary
    if len(group.words) == 1 and last.is_acronym and gap != "&":
        return True
    if gap.split()[0] in _LOOSE:
        return not group.has_head
    if gap == "&":
        return False
    return not group.has_head and (word.low in HEADS or word.is_acronym)


def _trim(group: Group, ordinary: frozenset[str]) -> Group | None:
    """Without articles, titles and general nouns in front, and without what English puts behind a project's name."""
    words = list(group.words)
    how: Standing = group.standing
    while words:
        first = words[0]
        elided = _ELIDED.match(first.text)
        if elided and len(first.text) > 2:
            if elided[2].isupper():
                cut = first.text[2:]
                words[0] = Word(first.start + 2, first.end, cut, cut.lower())
            else:
                words.pop(0)
            how = "mid"
        elif first.low in ordinary or (len(words) > 1 and first.low in _BEFORE_NAMES):
            words.pop(0)
            how = "mid"
        elif len(words) > 1 and first.low in (NUMBERED if how == "mid" else GENERIC) and first.low not in HEADS:
            words.pop(0)
            how = "mid" if first.low in _PROJECT else "after"
        else:
            break
    while len(words) > 1 and words[-1].low in FOLLOWERS:
        words.pop()
    if words and words[-1].low.endswith(("'s", "’s")):
        last = words.pop()
        words.append(Word(last.start, last.end - 2, last.text[:-2], last.low[:-2]))
    while words and (len(words[-1].low) == 1 or words[-1].text.endswith(".")):  # initials of whom the line does not say
        words.pop()
    return Group(words, how, group.joined) if words and words[0].low else None
