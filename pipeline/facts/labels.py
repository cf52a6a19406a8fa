"""What looks like a number and states nothing: labels of list items, numbers of headings, marks of notes."""

import re

from pipeline.facts.fact import Claims

# The start of a line or cell, bullets and bold marks, then 1. 2) (3) 3.2. a) (b) iv) or, before a capital, 3.2
_LABEL = re.compile(
    r"(?:^|\|)[ \t]*(?:(?:[-*+•>]|#{1,6})[ \t]+)*[*_]{0,3}"
    r"(\(?(?:[0-9]{1,3}|[A-Za-z]|[ivxIVX]{1,5})\)(?!\w)|[0-9]{1,2}(?:\.[0-9]{1,2}){0,5}(?:\.|\.?[)-]|\.-)(?=[ \t*_])"
    r"|[a-zA-Z]\.(?=[ \t])(?![ \t][A-Z]\.)|[0-9]{1,2}(?:\.[0-9]{1,2}){1,5}(?=[ \t]+[*_]*[^\W\d_a-z]))",
    re.MULTILINE,
)
_HEADING = re.compile(r"^#{1,6}[ \t]+([0-9]+(?:\.[0-9]+)*\.?)(?=[ \t])", re.MULTILINE)
_NOTE_MARK = re.compile(r"\[(?:\^[^\]\n]{1,60}\]:?|[0-9]{1,3}(?:[ \t]?[,;–-][ \t]?[0-9]{1,3}){0,30}\](?!\())")


def pass_over_labels(text: str, claims: Claims) -> None:
    """Mark the labels of `text`, so that no finder looks at them."""
    for match in _LABEL.finditer(text):
        claims.pass_over(*match.span(1))
    for match in _HEADING.finditer(text):
        claims.pass_over(*match.span(1))
    for match in _NOTE_MARK.finditer(text):
        claims.pass_over(*match.span())
