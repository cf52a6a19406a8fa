"""Prose out of manual pages (groff), web pages (HTML) and help pages (Mallard), a paragraph a piece.

Made to measure tokens on, not to be read: a table is left out, and so is what a page's frame repeats.
"""

import gzip
import re
from collections.abc import Iterator
from typing import Any

_INLINE = {
    *("a", "abbr", "acronym", "b", "big", "cite", "code", "em", "font", "i", "kbd", "q", "s", "samp", "small"),  # HTML
    *("span", "strong", "sub", "sup", "tt", "u", "var"),
    *("app", "cmd", "file", "gui", "guiseq", "input", "key", "keyseq", "link", "output", "sys"),  # Mallard
}
_LEFT_OUT = {"aside", "footer", "head", "header", "info", "nav", "noscript", "script", "style"}
_VERBATIM = {"pre", "screen"}

_BREAKS = {"br", "EE", "EX", "fi", "HP", "IP", "LP", "nf", "P", "PP", "Pp", "RE", "RS", "sp", "TP", "TQ"}
_TITLES = {"SH", "SS", "Sh", "Ss"}
_SPACED, _JOINED = {"B", "I", "SB", "SM"}, {"BI", "BR", "IB", "IR", "RB", "RI"}
_SIGNS = {
    "aq": "'", "bu": "•", "co": "©", "cq": "’", "dq": '"', "em": "—", "en": "–", "ga": "`", "ha": "^", "lq": "“",
    "oq": "‘", "rq": "”", "rs": "\\", "ti": "~",
}  # fmt: skip
_ARGUMENT = re.compile(r'"((?:[^"]|"")*)"?|(\S+)')
_ESCAPE = re.compile(
    r"""\\(?:
        [fF*nmM](?:\[[^\]]*\]|\(..|.)       # a font, a string, a register, a colour
      | s[-+]?\d+                           # a size
      | [hvwloDLkXYZbx]'[^']*'              # a movement, a drawing
      | \[u(?P<code>[0-9A-F]{4,6})\]
      | (?:\[(?P<long>[^\]]*)\]|\((?P<short>..))
      | (?P<one>.)
    )""",
    re.VERBOSE,
)


def prose(name: str, raw: bytes) -> list[str]:
    """The paragraphs of a page, by the ending of its name: .html, .page, else groff, also compressed.

    Raises:
        ValueError: the page is not in UTF-8.
    """
    if name.endswith((".html", ".page")):
        return [piece for piece in _of_tree(_tree(name, raw)) if _has_words(piece)]
    text = (gzip.decompress(raw) if name.endswith(".gz") else raw).decode("utf-8")
    return [piece for piece in _of_groff(text) if _has_words(piece)]


def _has_words(piece: str) -> bool:
    return any(c.isalpha() for c in piece)


def _tree(name: str, raw: bytes) -> Any:
    from lxml import etree, html

    if name.endswith(".page"):
        return etree.fromstring(raw, etree.XMLParser(resolve_entities=False, no_network=True))
    return html.fromstring(raw.decode("utf-8").encode("utf-8"), parser=html.HTMLParser(encoding="utf-8"))


def _of_tree(root: Any) -> list[str]:
    found: list[str] = []
    line: list[str] = []

    def end() -> None:
        if text := "".join(line).strip(" \n"):
            found.append(text)
        line.clear()

    def walk(element: Any, verbatim: bool) -> None:
        if not isinstance(element.tag, str):  # a comment
            return
        tag = element.tag.rpartition("}")[2]
        if tag in _LEFT_OUT:
            return
        if tag not in _INLINE:
            end()
        verbatim = verbatim or tag in _VERBATIM
        line.append(_text(element.text, verbatim))
        for child in element:
            walk(child, verbatim)
            line.append(_text(child.tail, verbatim))
        if tag not in _INLINE:
            end()

    walk(root, verbatim=False)
    return found


def _text(text: str | None, verbatim: bool) -> str:
    return (text or "") if verbatim else re.sub(r"[ \t\r\n\f]+", " ", text or "")


def _of_groff(text: str) -> Iterator[str]:
    line: list[str] = []
    hidden = ""  # the macro whose end is waited for
    for raw in text.splitlines():
        if hidden:
            hidden = "" if raw.startswith(hidden) else hidden
        elif raw[:1] in (".", "'"):
            name, _, rest = raw[1:].strip().partition(" ")
            if name in _BREAKS | _TITLES:
                yield " ".join(line)
                line = _arguments(rest) if name in _TITLES | {"IP"} else []
                if name in _TITLES:
                    yield " ".join(line)
                    line = []
            elif name in _SPACED | _JOINED:
                line.append(("" if name in _JOINED else " ").join(_arguments(rest)))
            hidden = {"TS": ".TE", "de": "..", "ig": ".."}.get(name, "")
        elif raw.strip():
            line.append(_unescaped(raw))
        else:
            yield " ".join(line)
            line = []
    yield " ".join(line)


def _arguments(rest: str) -> list[str]:
    return [_unescaped(quoted.replace('""', '"') or plain) for quoted, plain in _ARGUMENT.findall(rest)]


def _unescaped(line: str) -> str:
    return _ESCAPE.sub(_meaning, re.sub(r'\\["#].*', "", line))


def _meaning(escape: re.Match[str]) -> str:
    if code := escape["code"]:
        return chr(int(code, 16))
    if sign := escape["long"] or escape["short"]:
        return _SIGNS.get(sign, "")
    return {"e": "\\", " ": " ", "~": "\xa0", "0": " ", None: ""}.get(escape["one"], _plain(escape["one"]))


def _plain(one: str | None) -> str:
    return one if one and one in "-.'`\\" else ""
