"""Formulas in MathML as one line of text: a/b becomes (a)/(b), indices a_i, powers a^2, roots √(a).

MathML 3, chapter 3 (presentation). Elements not named here are read in their order.
"""

from collections.abc import Callable

from lxml import etree

from pipeline.reports.archive import Element

# Other renderings of the same formula, in a language of its own.
COPIES = ("annotation", "annotation-xml")
# What holds the letters, digits and signs of a formula.
TOKENS = ("mi", "mn", "mo", "mtext", "ms", "ci", "cn", "csymbol")
_APPLIED = str.maketrans("", "", "\u2061\u2062\u2063\u2064")  # operators that nobody sees


def local_name(element: Element) -> str:
    """An element's name without its name space."""
    return etree.QName(element).localname if isinstance(element.tag, str) else ""


def linear(element: Element, leave: Callable[[str], None]) -> str:
    """The formula below `element` in one line; texts of its copies go to `leave`."""
    name = local_name(element)
    if name in COPIES:
        for text in element.itertext():
            leave(text)
        return ""
    if name in TOKENS:
        return _token("".join(element.itertext()), name)
    parts = [linear(child, leave) for child in element]
    written = _written(name, element, parts)
    return written if written is not None else (element.text or "").strip() + "".join(_row(element, parts))


def _written(name: str, element: Element, parts: list[str]) -> str | None:
    """Schemata that have their parts at fixed places; None for all others, or where a part is missing."""
    match name, parts:
        case "mfrac", [above, below]:
            return f"{_bracketed(above)}/{_bracketed(below)}"
        case (("msup" | "mover"), [base, high]):
            return f"{base}^{_bracketed(high)}"
        case (("msub" | "munder"), [base, low]):
            return f"{base}_{_bracketed(low)}"
        case (("msubsup" | "munderover"), [base, low, high]):
            return f"{base}_{_bracketed(low)}^{_bracketed(high)}"
        case "msqrt", _:
            return f"√{_bracketed(''.join(_row(element, parts)))}"
        case "mroot", [base, degree]:
            return f"{degree}√{_bracketed(base)}"
        case "mfenced", _:
            return f"{element.get('open', '(')}{', '.join(parts)}{element.get('close', ')')}"
        case "mtable", _:
            return f"[{'; '.join(parts)}]"
        case (("mtr" | "mlabeledtr"), _):
            return " & ".join(parts)
    return None


def _row(element: Element, parts: list[str]) -> list[str]:
    return [part + (child.tail or "").strip() for part, child in zip(parts, element, strict=True)]


def _token(text: str, name: str) -> str:
    text = " ".join(text.translate(_APPLIED).split())
    return f" {text} " if name == "mtext" and text else text


def _bracketed(text: str) -> str:
    return text if len(text) == 1 else f"({text})" if text else ""
