"""Equations as one line of text: a/b becomes (a)/(b), indices a_i, powers a^2, roots √(a), limits lim_(n→∞).

Office mathematics is a tree (ECMA-376 part 1, section 22.1); parts not named here are read in their order.
"""

from collections.abc import Callable

from pipeline.reports.archive import Element
from pipeline.reports.word.names import PHANTOM, VAL, is_on, m

Leaf = Callable[[Element], str]
_HAT, _BRACE = "\u0302", "⏟"  # what stands where an accent or a group names no character


def linear(element: Element, read: Leaf) -> str:
    """The equation below `element` in one line. `read` gives the text of a leaf, and keeps its account."""
    writer = _WRITERS.get(element.tag)
    if writer is not None:
        return writer(_Node(element, read))
    return "".join(_child(child, read) for child in element)


class _Node:
    """A construct and its named parts."""

    def __init__(self, element: Element, read: Leaf) -> None:
        self._element, self._read = element, read

    def part(self, name: str) -> str:
        return "".join(self.parts(name))

    def parts(self, name: str, inside: Element | None = None) -> list[str]:
        within = self._element if inside is None else inside
        return [linear(found, self._read) for found in within.iterfind(m(name))]

    def rows(self) -> list[list[str]]:
        return [self.parts("e", row) for row in self._element.iterfind(m("mr"))]

    def setting(self, properties: str, name: str, default: str) -> str:
        found = self._element.find(f"{m(properties)}/{m(name)}")
        return found.get(m("val"), found.get(VAL, "")) if found is not None else default

    def whole(self) -> str:
        return self._read(self._element)

    def hides(self) -> bool:
        show = self._element.find(f"{m('phantPr')}/{m('show')}")
        return show is not None and not is_on(show.get(m("val"), ""))

    def children(self) -> str:
        return "".join(_child(child, self._read) for child in self._element)


def _delimited(node: _Node) -> str:
    inner = node.setting("dPr", "sepChr", "|").join(node.parts("e"))
    return f"{node.setting('dPr', 'begChr', '(')}{inner}{node.setting('dPr', 'endChr', ')')}"


def _with_limits(node: _Node) -> str:
    limits = _below(node.part("sub")) + _above(node.part("sup"))
    return f"{node.setting('naryPr', 'chr', '∫')}{limits} {node.part('e')}"


def _bar(node: _Node) -> str:
    return ("¯" if node.setting("barPr", "pos", "bot") == "top" else "▁") + _bracketed(node.part("e"))


_WRITERS: dict[str, Callable[[_Node], str]] = {
    m("t"): _Node.whole,
    m("f"): lambda node: f"{_bracketed(node.part('num'))}/{_bracketed(node.part('den'))}",
    m("sSup"): lambda node: node.part("e") + _above(node.part("sup")),
    m("sSub"): lambda node: node.part("e") + _below(node.part("sub")),
    m("sSubSup"): lambda node: node.part("e") + _below(node.part("sub")) + _above(node.part("sup")),
    m("sPre"): lambda node: f"{_below(node.part('sub'))}{_above(node.part('sup'))} {node.part('e')}",
    m("rad"): lambda node: f"{node.part('deg')}√{_bracketed(node.part('e'))}",
    m("nary"): _with_limits,
    m("d"): _delimited,
    m("m"): lambda node: f"[{'; '.join(' & '.join(row) for row in node.rows())}]",
    m("eqArr"): lambda node: "; ".join(node.parts("e")),
    m("func"): lambda node: f"{node.part('fName')} {node.part('e')}",
    m("limLow"): lambda node: node.part("e") + _below(node.part("lim")),
    m("limUpp"): lambda node: node.part("e") + _above(node.part("lim")),
    m("acc"): lambda node: _bracketed(node.part("e")) + node.setting("accPr", "chr", _HAT),
    m("groupChr"): lambda node: node.setting("groupChrPr", "chr", _BRACE) + _bracketed(node.part("e")),
    m("bar"): _bar,
    PHANTOM: lambda node: node.whole() if node.hides() else node.children(),
}


def _child(child: Element, read: Leaf) -> str:
    if not isinstance(child.tag, str):
        return ""
    # Ordinary runs may stand inside an equation; the caller knows how to read those.
    return linear(child, read) if child.tag.startswith(m("")) else read(child)


def _below(text: str) -> str:
    return f"_{_bracketed(text)}" if text else ""


def _above(text: str) -> str:
    return f"^{_bracketed(text)}" if text else ""


def _bracketed(text: str) -> str:
    return text if len(text) == 1 else f"({text})"
