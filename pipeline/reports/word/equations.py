"""Equations as one line of text: a/b becomes (a)/(b), indices a_i, powers a^2, roots √(a).

Office mathematics is a tree (ECMA-376 part 1, section 22.1); parts not named here are read in their order.
"""

from collections.abc import Callable

from pipeline.reports.word.names import VAL, Element, m


def linear(element: Element, read: Callable[[Element], str]) -> str:
    """The equation below `element` in one line. `read` gives the text of a leaf, and keeps its account."""

    def part(name: str) -> str:
        found = element.find(m(name))
        return linear(found, read) if found is not None else ""

    def setting(properties: str, name: str, default: str) -> str:
        found = element.find(f"{m(properties)}/{m(name)}")
        return found.get(m("val"), found.get(VAL, "")) if found is not None else default

    match element.tag:
        case tag if tag == m("t"):
            return read(element)
        case tag if tag == m("f"):
            return f"{_bracketed(part('num'))}/{_bracketed(part('den'))}"
        case tag if tag == m("sSup"):
            return f"{part('e')}^{_bracketed(part('sup'))}"
        case tag if tag == m("sSub"):
            return f"{part('e')}_{_bracketed(part('sub'))}"
        case tag if tag == m("sSubSup"):
            return f"{part('e')}_{_bracketed(part('sub'))}^{_bracketed(part('sup'))}"
        case tag if tag == m("rad"):
            return f"{part('deg')}√{_bracketed(part('e'))}"
        case tag if tag == m("nary"):
            below, above = part("sub"), part("sup")
            limits = (f"_{_bracketed(below)}" if below else "") + (f"^{_bracketed(above)}" if above else "")
            return f"{setting('naryPr', 'chr', '∫')}{limits} {part('e')}"
        case tag if tag == m("d"):
            inner = setting("dPr", "sepChr", "|").join(linear(e, read) for e in element.iterfind(m("e")))
            return f"{setting('dPr', 'begChr', '(')}{inner}{setting('dPr', 'endChr', ')')}"
        case tag if tag == m("m"):
            rows = (" & ".join(linear(e, read) for e in row.iterfind(m("e"))) for row in element.iterfind(m("mr")))
            return f"[{'; '.join(rows)}]"
        case tag if tag == m("func"):
            return f"{part('fName')} {part('e')}"
        case _:
            return "".join(_child(child, read) for child in element)


def _child(child: Element, read: Callable[[Element], str]) -> str:
    if not isinstance(child.tag, str):
        return ""
    # Ordinary runs may stand inside an equation; the caller knows how to read those.
    return linear(child, read) if child.tag.startswith(m("")) else read(child)


def _bracketed(text: str) -> str:
    return text if len(text) == 1 else f"({text})"
