"""One walk over the tree of a LaTeX document, and what becomes of each kind of node in it."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from pylatexenc import latex2text, latexwalker

from pipeline.reports.blocks import Reading, visible
from pipeline.reports.tex import names as n
from pipeline.reports.tex.commands import COMMANDS, never_printed
from pipeline.reports.tex.environments import environment
from pipeline.reports.tex.numbers import Headings
from pipeline.reports.tex.source import Node, Source, arguments_of, inside, is_math, leaves
from pipeline.reports.tex.writer import Writer

MOST_EXPANSIONS = 20_000
_DEEPEST_EXPANSION = 10
_EMPTY_LINE = re.compile(r"\n[ \t]*(?:\r?\n[ \t]*)+")
_PLACE = re.compile(r"#([1-9])")


@dataclass
class _Frame:
    """The arguments of an author's own command while its body is read; each is counted where it first stands.

    `counts` says whether the text around the command does.
    """

    arguments: list[list[Node]]
    counts: bool
    read: set[int]


class Walker(Writer):
    """Walks the document of a source."""

    def __init__(self, source: Source, reading: Reading) -> None:
        super().__init__(reading)
        self.source = source
        self.in_preamble = list(source.front.values())
        self.headings = Headings(source.document_class, dict(source.counters))
        self._symbols = latex2text.LatexNodes2Text()
        self._frames: list[_Frame] = []
        self._expansions = 0

    def walk(self) -> None:
        """Read the document."""
        self.nodes(self.source.document)
        self.flush()
        never_printed(self)

    def nodes(self, nodes: Iterable[Node]) -> None:
        """Read some nodes into the block. Bold ends with them; what `iffalse` switches off is a comment."""
        rest = list(nodes)
        outer_bold = self.bold
        switched_off = False
        for node, following in zip(rest, [*rest[1:], None], strict=False):
            name = node.macroname if node.isNodeType(latexwalker.LatexMacroNode) else None
            if switched_off:
                self.leave([node], "source comment")
                switched_off = name not in ("fi", "else")
            elif name == "iffalse":
                switched_off = True
            else:
                self.node(node, following)
        self.bold = outer_bold

    def node(self, node: Node, following: Node | None) -> None:
        """Read a node; `following` is the one beside it."""
        if is_math(node):
            self._formula(node)
        elif node.isNodeType(latexwalker.LatexCharsNode):
            self._chars(node.chars)
        elif node.isNodeType(latexwalker.LatexMacroNode):
            self._macro(node, following)
        elif node.isNodeType(latexwalker.LatexEnvironmentNode):
            environment(self, node)
        elif node.isNodeType(latexwalker.LatexGroupNode):
            self.nodes(node.nodelist)
        elif node.isNodeType(latexwalker.LatexSpecialsNode):
            self.emit(n.SPECIALS.get(node.specials_chars, node.specials_chars))
        elif node.isNodeType(latexwalker.LatexCommentNode):
            self.leave([node], "source comment")
            if node.comment_post_space.count("\n") > 1:
                self.flush()

    def _chars(self, chars: str) -> None:
        """Words of the text, which an empty line parts into paragraphs."""
        for index, paragraph in enumerate(_EMPTY_LINE.split(chars)):
            if index:
                self.flush()
            if not self._frames:
                self.words(paragraph)
                continue
            place = 0
            for argument in _PLACE.finditer(paragraph):
                self.words(paragraph[place : argument.start()])
                self._argument(int(argument[1]) - 1)
                place = argument.end()
            self.words(paragraph[place:])

    def _formula(self, node: Node) -> None:
        """A formula stays as it is, between dollars; own commands inside it stay too."""
        whole = node.latex_verbatim()
        self.count(visible(whole))
        if node.isNodeType(latexwalker.LatexEnvironmentNode):
            named = node.environmentname.rstrip("*")
            inner = (
                whole.split("}", 1)[1].rsplit("\\end", 1)[0] if named in ("equation", "displaymath", "math") else whole
            )
            opening = "$" if named == "math" else "$$"
        else:
            opening = "$$" if node.displaytype == "display" else "$"
            inner = whole.removeprefix(node.delimiters[0]).removesuffix(node.delimiters[1])
        if self._frames:
            inner = _PLACE.sub(self._written_argument, inner)
        formula = f"{opening}{' '.join(inner.split())}{opening}"
        self.emit(formula if opening == "$" else f"\n{formula}\n")

    def _written_argument(self, place: re.Match[str]) -> str:
        """The same inside a formula, where it stays as it is written."""
        frame, index = self._frames[-1], int(place[1]) - 1
        if index >= len(frame.arguments):
            return place[0]
        if frame.counts and index not in frame.read:
            self.block.characters += sum(map(visible, leaves(frame.arguments[index])))
        frame.read.add(index)
        return "".join(node.latex_verbatim() for node in frame.arguments[index])

    def _macro(self, node: Node, following: Node | None) -> None:
        name = node.macroname
        if (handler := COMMANDS.get(name)) is not None:
            handler(self, node)
        elif name in self.source.definitions:
            self._expand(node)
        elif name in n.SYMBOLS:
            self.leave(arguments_of(node))
            self.emit(n.SYMBOLS[name])
        elif name in n.TRANSPARENT or name in n.LAST_READ:
            self.read_last(node, bold=name == "textbf")
        elif name in n.ACCENTS or self._is_symbol(name):
            self._accented(node)
        elif name in n.LAYOUT:
            self.leave(arguments_of(node))
            self.bold = self.bold and name not in ("mdseries", "normalfont", "rm")
        elif arguments := arguments_of(node):
            for argument in arguments:
                self.nodes(inside(argument))
        elif following is None or not following.isNodeType(latexwalker.LatexGroupNode):
            self.emit(f"\\{name} ")  # nobody knows what it prints; what follows in braces is read as it is

    def _accented(self, node: Node) -> None:
        """A symbol, or an accent over a letter or two; over anything else, that only."""
        said = "".join(leaves(arguments_of(node)))
        others = [part for argument in arguments_of(node) for part in inside(argument) if hasattr(part, "macroname")]
        if len(said) > 2 or "#" in said or any(part.macroname not in ("i", "j") for part in others):
            self.read_last(node)
            return
        self.emit(self._symbols.macro_node_to_text(node))
        self.count(visible(said))

    def _is_symbol(self, name: str) -> bool:
        spec = self._symbols.latex_context.get_macro_spec(name)
        text = getattr(spec, "simplify_repl", None)
        return isinstance(text, str) and bool(text.strip()) and (text == "%" or "%" not in text) and name != "today"

    def read_last(self, node: Node, *, bold: bool = False) -> None:
        """Read the last argument of a command, and leave the others out."""
        *others, last = arguments_of(node) or [None]
        self.leave(others)
        outer, self.bold = self.bold, self.bold or bold
        self.nodes(inside(last))
        self.bold = outer

    def _expand(self, node: Node) -> None:
        """An author's own command: its body, with the arguments in their places."""
        definition, arguments = self.source.definitions[node.macroname], arguments_of(node)
        self._expansions += 1
        if len(self._frames) >= _DEEPEST_EXPANSION or self._expansions > MOST_EXPANSIONS:
            self.emit(f"\\{node.macroname} ")
            self.leave(arguments)
            return
        given = [inside(argument) for argument in arguments]
        if definition.default is not None and arguments and arguments[0] is None:
            given[0] = definition.default
        frame = _Frame(given, self.counts, {i for i, argument in enumerate(arguments) if argument is None})
        self._frames.append(frame)
        outer, self.counts = self.counts, False
        self.nodes(definition.body)
        self.counts = outer
        self._frames.pop()
        for index, nodes in enumerate(given):
            if index not in frame.read:
                self.leave(nodes)

    def _argument(self, index: int) -> None:
        """An argument of the command that is being expanded. It belongs to the text around that."""
        frame = self._frames[-1]
        if index >= len(frame.arguments):
            return
        self._frames.pop()
        outer, self.counts = self.counts, frame.counts and index not in frame.read
        frame.read.add(index)
        self.nodes(frame.arguments[index])
        self.counts = outer
        self._frames.append(frame)
