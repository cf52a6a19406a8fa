"""Where a capitalised word stands: at the start of a sentence, behind a mark that asks for a capital, in a heading."""

import re
from typing import Literal

from pipeline.facts.fact import Claims
from pipeline.facts.name_words import ABBREVIATIONS

Standing = Literal["start", "after", "mid"]  # of a sentence; behind a colon, a code, an opening quote; elsewhere

_SKIPPED = frozenset(" \t\u00a0\u2009\u202f*_\"'“”«‘’([¿¡`~")
_OPENING = frozenset('"“«‘([*_')
_ENDS = frozenset(".!?…")
_WORD_BEFORE = re.compile(r"(\w+)\Z")
_SMALL_WORD = re.compile(r"[^\W\d_]+[·'’-]?[^\W\d_]*")
_RULE = re.compile(r"\n[ \t]*\|?[ \t]*:?-{3}")
_LIST_ITEM = re.compile(r"[ \t]*(?:[-*+•>]|[0-9]+[.)]|[a-z]\))[ \t]")


def standing(text: str, start: int, claims: Claims) -> Standing:
    """How the word at `start` stands in its sentence. Looks back over white space, marks and opening brackets only."""
    place, opened = start - 1, False
    while place >= 0 and text[place] in _SKIPPED and not claims.at(place):
        opened = opened or text[place] in _OPENING
        place -= 1
    if place < 0 or text[place] in "\n|\r\v\f\x1c\x1d\x1e\x85\u2028\u2029" or claims.at(place) == Claims.LABEL:
        return "start"
    before = text[place]
    if before == "." and not claims.at(place):
        word = _WORD_BEFORE.search(text, max(0, place - 12), place)
        return (
            "mid" if word and (word[1].lower() in ABBREVIATIONS or len(word[1]) == 1 and word[1].isupper()) else "start"
        )
    if before in _ENDS:
        return "start"
    if before == ">" and text.endswith("<br>", max(0, place - 3), place + 1):
        return "start"
    if before in "-–—•>#+":
        return "start" if not text[max(0, place - 8) : place].strip(" \t#-*>").strip("\n|") else "after"
    behind_code = claims.at(place) == Claims.CODE or (
        before in ",)" and place > 0 and claims.at(place - 1) == Claims.CODE
    )
    return "after" if before == ":" or opened or behind_code else "mid"


class Field:
    """A line of prose or a cell of a table: nothing spans its ends."""

    def __init__(self, text: str, start: int, end: int, line_start: int, line_end: int) -> None:
        self.end = end
        content = text[start:end]
        words = [word for word in _SMALL_WORD.findall(content) if len(word) > 1]
        self.is_shouted = content.isupper() and (len(words) > 1 or (len(words) == 1 and len(words[0]) > 8))
        in_table = text.startswith("|", line_start) or text[start - 1 : start] == "|" or text[end : end + 1] == "|"
        first = text[line_start : line_start + 3].lstrip()
        self.is_header = bool(first.startswith("#") or (in_table and _RULE.match(text, line_end)))
        self.is_title = not in_table and _is_title(content, words)


def _is_title(content: str, words: list[str]) -> bool:
    """A line by itself with a capital on every long word: written like a heading, so that capitals say nothing."""
    ends_sentence = content.rstrip(" \t*_")[-1:] in (".", "!", "?", ":", ";", ",")
    if ends_sentence or _LIST_ITEM.match(content) or not 1 <= len(words) <= 14:
        return False
    return all(word[0].isupper() for word in words if len(word) > 3)


class Fields:
    """The fields of a text, asked for from its start to its end."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._field: Field | None = None
        self._line = (0, -1)

    def at(self, place: int) -> Field:
        """The field that the character at `place` stands in; `place` must not go back before an earlier field."""
        if self._field is None or place >= self._field.end:
            text = self._text
            if place > self._line[1]:
                line_end = text.find("\n", place)
                self._line = (text.rfind("\n", 0, place) + 1, len(text) if line_end < 0 else line_end)
            line_start, line_end = self._line
            bar = text.find("|", place, line_end)
            start = max(line_start, text.rfind("|", line_start, place) + 1)
            self._field = Field(text, start, line_end if bar < 0 else bar, line_start, line_end)
        return self._field
