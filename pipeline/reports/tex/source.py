"""The source of a LaTeX file, parsed: the document, what the preamble says of it, and the account of both.

\\documentclass ... \\begin{document} ... \\end{document} ...
------ preamble ------              document             after
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from pylatexenc import latexwalker, macrospec

from pipeline.reports.blocks import visible
from pipeline.reports.tex import names as n

Node = Any  # the parser has no types
_BEGIN, _END = (re.compile(rf"\\{word}\s*\{{document\}}") for word in ("begin", "end"))
_COMMENT = re.compile(r"(?<!\\)(?:\\\\)*%")
_DEFINITION = re.compile(r"(?<!\\)\\(?:newcommand|renewcommand|providecommand)\b")
_SIMPLE_DEFINITION = re.compile(r"(?<!\\)\\def\s*\\([A-Za-z]+)\s*(?=\{)")
_PARAMETER = re.compile(r"#\d")
_CLASS = re.compile(r"^[^%\n]*\\documentclass\s*(?:\[[^\]]*\])?\s*\{([^}]*)\}", re.MULTILINE)
_COUNTER = re.compile(r"^[^%\n]*\\setcounter\s*\{(\w+)\}\s*\{(-?\d+)\}", re.MULTILINE)
_LANGUAGE = re.compile(
    r"^[^%\n]*\\(?:usepackage\s*\[([^\]]*)\]\s*\{babel\}|setdefaultlanguage\s*\{(\w+)\})", re.MULTILINE
)


class Definition(NamedTuple):
    """A command of the author's own: its default for the first argument, if that may be left out, and its body."""

    default: list[Node] | None
    body: list[Node]


@dataclass
class Source:
    """A parsed file. `front` holds title, authors and date by name, as last declared."""

    text: str
    document: list[Node]
    preamble: str
    after: str
    document_class: str = "article"
    language: str = "english"
    counters: dict[str, int] = field(default_factory=dict)
    definitions: dict[str, Definition] = field(default_factory=dict)
    front: dict[str, Node] = field(default_factory=dict)
    printed: list[Node] = field(default_factory=list)  # what the document prints of the preamble

    @property
    def preamble_characters(self) -> int:
        """Those of the preamble that are printed nowhere."""
        return visible(self.preamble) - sum(map(visible, leaves(self.printed)))

    @property
    def markup_characters(self) -> int:
        """Those of the document that are commands, braces and the like: all that are no leaves of its tree."""
        whole = visible(self.text) - visible(self.preamble) - visible(self.after)
        return whole - sum(map(visible, leaves(self.document)))


def parsed(text: str) -> Source:
    """Parse a whole file, or a piece of one that has no preamble."""
    begin = _first(_BEGIN, text, 0)
    start = begin.end() if begin else 0
    end = _first(_END, text, start)
    stop, rest = end.span() if end else (len(text), len(text))
    context = _context()
    definitions = _definitions(text, context)
    walker = latexwalker.LatexWalker(text[:stop], latex_context=context, tolerant_parsing=True)
    document = walker.get_latex_nodes(pos=start)[0]
    preamble = text[:start]
    named, babel = _CLASS.search(preamble), _LANGUAGE.search(preamble)
    languages = re.findall(r"\w+", (babel[1] or babel[2]).lower()) if babel else []
    return Source(
        text=text,
        document=document,
        preamble=preamble,
        after=text[rest:],
        document_class=named[1].strip() if named else "article",
        language=next((language for language in reversed(languages) if language in n.PRINTED), "english"),
        counters={counter: int(value) for counter, value in _COUNTER.findall(preamble)},
        definitions=definitions,
        front=_front(preamble, context),
    )


def _first(pattern: re.Pattern[str], text: str, start: int) -> re.Match[str] | None:
    """The first place of a pattern that no comment hides."""
    for match in pattern.finditer(text, start):
        if not _COMMENT.search(text, text.rfind("\n", 0, match.start()) + 1, match.start()):
            return match
    return None


def leaves(nodes: Iterable[Node]) -> Iterator[str]:
    """All text below some nodes, whoever reads it: words, formulas, verbatim text and comments."""
    for node in nodes:
        if node is None:
            continue
        if node.isNodeType(latexwalker.LatexCharsNode):
            yield node.chars
        elif node.isNodeType(latexwalker.LatexCommentNode):
            yield node.comment
        elif is_math(node):
            yield node.latex_verbatim()
        else:
            yield from leaves(arguments_of(node))
            yield from leaves(getattr(node, "nodelist", None) or ())


def is_math(node: Node) -> bool:
    """Is it a formula, by dollars or by an environment?"""
    return node.isNodeType(latexwalker.LatexMathNode) or (
        node.isNodeType(latexwalker.LatexEnvironmentNode) and node.environmentname in n.MATH
    )


def arguments_of(node: Node) -> list[Node | None]:
    """A command's arguments, None for those that were left out, without the star."""
    parsed_arguments = getattr(node, "nodeargd", None)
    if parsed_arguments is None or not parsed_arguments.argnlist:
        return []
    kinds = parsed_arguments.argspec or ""
    return [node for kind, node in zip(kinds, parsed_arguments.argnlist, strict=False) if kind != "*"]


def is_starred(node: Node) -> bool:
    """Does a star follow the command?"""
    parsed_arguments = getattr(node, "nodeargd", None)
    if parsed_arguments is None or not (parsed_arguments.argspec or "").startswith("*"):
        return False
    return parsed_arguments.argnlist[0] is not None


def inside(argument: Node | None) -> list[Node]:
    """The nodes of an argument, without its braces."""
    if argument is None:
        return []
    return list(argument.nodelist) if argument.isNodeType(latexwalker.LatexGroupNode) else [argument]


class _Address(macrospec.MacroStandardArgsParser):
    """Arguments of which the first is an address, where % and # are letters like any other."""

    def parse_args(self, w: Any, pos: int, parsing_state: Any = None) -> tuple[Any, int, int]:
        start = pos
        while start < len(w.s) and w.s[start].isspace():
            start += 1
        end = _closing(w.s, start)
        if end is None:
            return super().parse_args(w, pos, parsing_state=parsing_state)
        state = parsing_state or w.make_parsing_state()
        address = w.make_node(
            latexwalker.LatexCharsNode,
            parsing_state=state,
            chars=w.s[start + 1 : end],
            pos=start + 1,
            len=end - start - 1,
        )
        rest = macrospec.MacroStandardArgsParser(self.argspec[1:])
        others, _, length = rest.parse_args(w, end + 1, parsing_state=state)
        whole = macrospec.ParsedMacroArgs(argspec=self.argspec, argnlist=[address, *others.argnlist])
        return whole, pos, end + 1 + length - pos


class _Verbatim(macrospec.MacroStandardArgsParser):
    """All up to an environment's end, in which nothing is a command."""

    def __init__(self, environment: str) -> None:
        super().__init__("{")
        self._environment = environment

    def parse_args(self, w: Any, pos: int, parsing_state: Any = None) -> tuple[Any, int, int]:
        end = w.s.find(f"\\end{{{self._environment}}}", pos)
        end = end if end >= 0 else len(w.s)
        state = parsing_state or w.make_parsing_state()
        inner = w.make_node(latexwalker.LatexCharsNode, parsing_state=state, chars=w.s[pos:end], pos=pos, len=end - pos)
        return macrospec.ParsedMacroArgs(argspec="{", argnlist=[inner]), pos, end - pos


def _closing(text: str, start: int) -> int | None:
    """Where the brace that opens at `start` closes."""
    depth = 0
    for place in range(start, min(len(text), start + 5000)) if text[start : start + 1] == "{" else ():
        depth += {"{": 1, "}": -1}.get(text[place], 0)
        if not depth:
            return place
    return None


def _context() -> Any:
    """What the parser must know of commands to find their arguments."""
    context = latexwalker.get_default_latex_context_db()
    known: dict[str, str] = {}
    for family in (n.TRANSPARENT, n.LAST_READ, n.LAYOUT, n.REFERENCES, n.OTHER_FILES, n.OTHERS):
        known |= family
    own = [macrospec.MacroSpec(name, macrospec.MacroStandardArgsParser(kinds)) for name, kinds in known.items()]
    own += [macrospec.MacroSpec(name, _Address("{")) for name in ("url", "path", "nolinkurl")]
    own += [macrospec.MacroSpec("href", _Address("{{"))]
    line_break = macrospec.MacroStandardArgsParser("*[", optional_arg_no_space=True)
    own += [macrospec.MacroSpec(name, line_break) for name in ("\\", "tabularnewline")]
    around = [macrospec.std_environment(name, kinds) for name, kinds in n.ENVIRONMENTS.items()]
    around += [macrospec.std_environment(name, "{" if "alignat" in name else "", is_math_mode=True) for name in n.MATH]
    around += [macrospec.EnvironmentSpec(name, _Verbatim(name)) for name in (*n.VERBATIM, "comment", "filecontents")]
    context.add_context_category("reports", macros=own, environments=around, prepend=True)
    return context


def _definitions(text: str, context: Any) -> dict[str, Definition]:
    """The author's own commands; the context learns of their arguments before their bodies are parsed."""
    specs = [
        macrospec.MacroSpec(name, macrospec.MacroStandardArgsParser(kinds))
        for name, kinds, _, _ in _defined(text, context)
    ]
    context.add_context_category("own", macros=specs, prepend=True)
    return {name: Definition(default, body) for name, _, default, body in _defined(text, context)}


def _defined(text: str, context: Any) -> Iterator[tuple[str, str, list[Node] | None, list[Node]]]:
    """Name, kinds of arguments, default of the first and body of each command that the text defines."""
    walker = latexwalker.LatexWalker(text, latex_context=context, tolerant_parsing=True)
    for match in _DEFINITION.finditer(text):
        node = next(iter(walker.get_latex_nodes(pos=match.start(), read_max_nodes=1)[0]), None)
        name, count, default, body = (*(arguments_of(node) if node is not None else ()), None, None, None, None)[:4]
        named = [part for part in inside(name) if part.isNodeType(latexwalker.LatexMacroNode)]
        counted = "".join(leaves(inside(count))) or "0"
        if len(named) != 1 or body is None or not re.fullmatch("[0-9]", counted):
            continue
        kinds = "{" * int(counted)
        kinds = "[" + kinds[1:] if default is not None and kinds else kinds
        yield named[0].macroname, kinds, inside(default) if default is not None else None, inside(body)
    for match in _SIMPLE_DEFINITION.finditer(text):
        yield match[1], "", None, inside(walker.get_latex_expression(match.end())[0])


def _front(preamble: str, context: Any) -> dict[str, Node]:
    """Title, authors and date as the preamble gives them."""
    walker = latexwalker.LatexWalker(preamble, latex_context=context, tolerant_parsing=True)
    found: dict[str, Node] = {}
    for name in ("title", *n.FRONT):
        for match in re.finditer(rf"^([^%\n]*?)\\{name}(?=\s*[\[{{])", preamble, re.MULTILINE):
            nodes = walker.get_latex_nodes(pos=match.end(1), read_max_nodes=1)[0]
            if nodes and not _PARAMETER.search(nodes[0].latex_verbatim()):  # not the body of a command
                found[name] = nodes[0]
    return found
