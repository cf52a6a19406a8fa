"""E-mail addresses, URLs and DOIs."""

import re

from pipeline.facts.fact import Claims

_DELIMITERS = frozenset(' \t\n\r\f\v\u00a0\u2009\u202f|<>()[]{}"“”«»`')
_TOP_LEVEL = "cat|org|com|net|eu|es|edu|gov|info|int|io|uk|fr|de|it|pt|app|dev|coop|barcelona"
_SEED = re.compile(rf"@|://|www\.|10\.[0-9]{{4,9}}/|\.(?:{_TOP_LEVEL})(?![\w-])")
_REST = re.compile(r"[^\s|<>()\[\]{}\"“”«»`]*")
_ADDRESS = re.compile(
    r"(?<![\w.+%-])(?:[\w.+%-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+"
    r"|(?:https?|ftp)://[^\s,;*]+(?:[,;][^\s,;*]+)*|www\.[\w-]+\.[^\s,;*]+"
    r"|(?:doi:)?10\.[0-9]{4,9}/[^\s,;*]+"
    rf"|[\w-]{{1,63}}(?:\.[\w-]{{1,63}}){{0,4}}\.(?:{_TOP_LEVEL})(?![\w-])(?:/[^\s,;*]*)?)",
    re.IGNORECASE,
)
_TARGET = re.compile(r"\]\(([^()\s]{1,2000})(?:[ \t][^()\n]{0,500})?\)")
_CLOSING = ".,;:!?*_'’…~"


def find_addresses(text: str, claims: Claims) -> None:
    """Add the addresses of `text`; a link's target that is none (an anchor, a picture) is passed over."""
    place = 0
    while seed := _SEED.search(text, place):
        start = seed.start()
        while start > place and text[start - 1] not in _DELIMITERS:
            start -= 1
        place = max(_REST.match(text, seed.end()).end(), seed.end())  # type: ignore[union-attr]
        for match in _ADDRESS.finditer(text, start, place):
            _add(text, match.start(), match.end(), claims)
    for target in _TARGET.finditer(text):
        if claims.free(*target.span(1)):
            claims.pass_over(*target.span(1))


def _add(text: str, start: int, end: int, claims: Claims) -> None:
    while end > start and text[end - 1] in _CLOSING:
        end -= 1
    if end > start and claims.free(start, end):
        claims.add("address", text[start:end].lower(), start, end)
