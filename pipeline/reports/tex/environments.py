"""What stands between the begin and the end of an environment: lists, tables, code, and blocks of all other kinds."""

import re
from typing import TYPE_CHECKING

from pipeline.reports import markdown
from pipeline.reports.blocks import Heading, Piece, visible
from pipeline.reports.tex import names as n
from pipeline.reports.tex.numbers import Items, items_of
from pipeline.reports.tex.source import Node, arguments_of, inside, leaves
from pipeline.reports.tex.tables import rows_of

if TYPE_CHECKING:
    from pipeline.reports.tex.walker import Walker

_OPTIONS = re.compile(r"\A[ \t]*(?:\[[^\]\n]*\]|\{[^}\n]*\})+[ \t]*\n")


def printed_heading(walker: "Walker", which: int) -> None:
    """A heading that LaTeX prints by itself: 0 of an abstract, 1 of the sources."""
    level = n.SECTIONS["chapter" if walker.headings.has_chapters and which else "section"] + 2
    walker.events.append(Heading(level, n.PRINTED[walker.source.language][which], 0))


def environment(walker: "Walker", node: Node) -> None:
    """Read an environment. Whatever it is, it parts paragraphs."""
    name = node.environmentname
    walker.flush()
    if name in n.UNREAD:
        walker.leave([node], n.UNREAD[name])
    elif name in n.VERBATIM:
        code(walker, node)
    elif name in n.TABLES:
        walker.leave(arguments_of(node))
        table(walker, node)
    elif name in n.LISTS or name == "thebibliography":
        list_of_items(walker, node)
    else:
        if name == "abstract" and not walker.depth:
            printed_heading(walker, 0)
        named(walker, node) if name in n.NAMED else walker.leave(arguments_of(node))
        walker.nodes(node.nodelist)
    walker.flush()


def named(walker: "Walker", node: Node) -> None:
    """The name of a theorem."""
    for argument in filter(None, arguments_of(node)):
        walker.emit("(")
        walker.nodes(inside(argument))
        walker.emit(") ")


def code(walker: "Walker", node: Node) -> None:
    """Verbatim text, as a block of code without its options."""
    code = "".join(leaves([node]))
    options = _OPTIONS.match(code)
    if options and node.environmentname != "verbatim":
        if walker.counts:
            walker.reading.tally.leave("markup", options[0])
        code = code[options.end() :]
    walker.events.append(Piece("paragraph", f"```\n{code.strip(chr(10))}\n```", visible(code) if walker.counts else 0))


def list_of_items(walker: "Walker", node: Node) -> None:
    """A list, or the list of sources at the end."""
    is_bibliography = node.environmentname == "thebibliography"
    if is_bibliography and not walker.depth:
        printed_heading(walker, 1)
    options = "".join(leaf.latex_verbatim() for a in arguments_of(node)[:1] for leaf in inside(a))
    walker.leave(arguments_of(node))
    depth = sum(items.pattern is not None for items in walker.lists)
    walker.lists.append(Items(None) if is_bibliography else items_of(node.environmentname, options, depth))
    walker.nodes(node.nodelist)
    walker.flush()
    walker.lists.pop()
    walker.label = None


def table(walker: "Walker", node: Node) -> None:
    """A table, its captions first."""
    table = rows_of(node.nodelist)
    walker.leave(table.rules)
    for row in table.repeated:
        walker.leave((part for cell in row for part in cell.nodes), "header or footer")
    for caption in table.captions:
        walker.node(caption, None)
    texts: list[list[str]] = []
    characters = 0
    for row in table.rows:
        said = [walker.said(cell.nodes) for cell in row]
        characters += sum(count for _, count in said)
        texts.append([t for (text, _), cell in zip(said, row, strict=True) for t in (text, *[""] * (cell.span - 1))])
    texts = [row for row in texts if any(row)]
    if len(texts) == 1 and len(texts[0]) == 1:  # a frame around text, not a table
        walker.events.append(Piece("paragraph", texts[0][0], characters))
    elif texts:
        as_markdown = markdown.nested_table if walker.depth else markdown.table
        walker.events.append(Piece("table", as_markdown(texts), characters))
    if not walker.depth:
        walker.place_notes()
