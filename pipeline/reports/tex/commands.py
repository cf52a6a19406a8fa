"""What each command of LaTeX does to the text, as far as a reader of the page can tell."""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from pipeline.reports import markdown
from pipeline.reports.blocks import Heading, Piece, visible
from pipeline.reports.tex import names as n
from pipeline.reports.tex.source import Node, arguments_of, inside, is_starred, leaves

if TYPE_CHECKING:
    from pipeline.reports.tex.walker import Walker


def heading(walker: "Walker", node: Node) -> None:
    """A heading; its short form is for tables of contents."""
    walker.flush()
    short, title = (*arguments_of(node), None, None)[:2]
    walker.leave([short], "table of contents")
    text, characters = walker.unmarked(inside(title))
    number = None if is_starred(node) else walker.headings.next_number(node.macroname)
    if walker.depth:
        walker.emit(text)
        walker.count(characters)
    elif text:
        walker.events.append(Heading(n.SECTIONS[node.macroname] + 2, text, characters, number))
        walker.place_notes()


def print_title(walker: "Walker", _: Node) -> None:
    """What `\\maketitle` prints: the title becomes the report's, the others are paragraphs."""
    walker.flush()
    for name in ("title", *n.FRONT):
        if (node := walker.source.front.pop(name, None)) is None:
            continue
        if name == "title":
            take_title(walker, node)
            continue
        text, characters = walker.said(declared(walker, node))
        if text:
            walker.events.append(Piece("paragraph", text, characters))
    walker.place_notes()


def declared(walker: "Walker", node: Node) -> list[Node]:
    """The title, author or date that a command declares; its short form is for the heads of pages."""
    *short, said = arguments_of(node) or [None]
    if any(node is other for other in walker.in_preamble):
        walker.source.printed.append(said)
    else:
        walker.leave(short, "table of contents")
    return inside(said)


def take_title(walker: "Walker", node: Node) -> None:
    """Make a declared title the report's."""
    walker.reading.title, characters = walker.unmarked(declared(walker, node))
    walker.reading.title_characters += characters


def never_printed(walker: "Walker") -> None:
    """A title is one, even if it is only declared. Authors and dates in the preamble are left there."""
    if (node := walker.source.front.pop("title", None)) is not None:
        take_title(walker, node)
        walker.place_notes()
    for node in walker.source.front.values():
        if not any(node is other for other in walker.in_preamble):
            walker.leave([node])


def make_bold(walker: "Walker", _: Node) -> None:
    """From here to the end of the group, all is bold."""
    walker.bold = True


def paragraph_end(walker: "Walker", _: Node) -> None:
    """The end of a paragraph."""
    walker.flush()


def declare(walker: "Walker", node: Node) -> None:
    """A title inside the document is printed where `\\maketitle` stands."""
    if not walker.counts:  # inside a command of the author's own, whose arguments are known only here
        if node.macroname == "title":
            take_title(walker, node)
        else:
            walker.read_last(node)
        return
    before = walker.source.front.get(node.macroname)
    if before is not None and not any(before is other for other in walker.in_preamble):
        walker.leave([before])
    walker.source.front[node.macroname] = node


def note(walker: "Walker", node: Node) -> None:
    """A footnote, which follows the paragraph."""
    walker.marks += 1
    number, body = (None, *arguments_of(node))[-2:]
    walker.leave([number])
    mark, place = walker.marks, len(walker.notes)
    text, characters = walker.said(inside(body))
    walker.notes.insert(place, Piece("note", f"[^{mark}]: {text}", characters))  # before those that stand in it
    if node.macroname != "footnotetext":
        walker.emit(f"[^{mark}]")


def note_mark(walker: "Walker", node: Node) -> None:
    """A mark whose note stands elsewhere, as the next one."""
    walker.leave(arguments_of(node))
    walker.emit(f"[^{walker.marks + 1}]")


def caption(walker: "Walker", node: Node) -> None:
    """A caption; its short form is for lists of figures."""
    walker.flush()
    *others, body = arguments_of(node) or [None]
    walker.leave(others[-1:], "table of contents")
    walker.leave(others[:-1])
    text, characters = walker.said(inside(body))
    if text:
        walker.events.append(Piece("caption", text, characters))
    if not walker.depth:
        walker.place_notes()


def reference(walker: "Walker", node: Node) -> None:
    """What a reference refers to, by its key, in brackets."""
    *notes, key = arguments_of(node) or [None]
    before, after = (None, *(note for note in notes if note is not None))[-2:] if any(notes) else (None, None)
    said = [walker.line(inside(argument)) for argument in (before, key, after)]
    words = " ".join(text for text, _ in said[:2] if text)
    walker.emit("[" + ", ".join(filter(None, (words, said[2][0]))) + "]")
    walker.count(sum(characters for _, characters in said))


def address(walker: "Walker", node: Node) -> None:
    """A web address, in which nothing is a command."""
    address = next(iter(arguments_of(node)), None)
    said = "".join(leaves(inside(address)))
    walker.emit(said.replace("\\", ""))
    walker.count(visible(said))


def link(walker: "Walker", node: Node) -> None:
    """A link and where it leads."""
    address, body = (*arguments_of(node), None, None)[:2]
    target = "".join(leaves(inside(address)))
    start = len(walker.block.pieces)
    walker.nodes(inside(body))
    linked = markdown.link("".join(walker.block.pieces[start:]), target.replace("\\", ""))
    walker.block.pieces[start:] = [linked]
    if linked.endswith((")", ") ")) and "](" in linked:
        walker.count(visible(target))
    else:
        walker.leave([address])


def quoted(walker: "Walker", node: Node) -> None:
    """Words in quotation marks."""
    walker.emit("“")
    walker.read_last(node)
    walker.emit("”")


def verbatim(walker: "Walker", node: Node) -> None:
    """Words in which nothing is a command."""
    walker.words("".join(leaves(arguments_of(node))))


def other_file(walker: "Walker", node: Node) -> None:
    """Warn of a file whose text is not here."""
    walker.leave(arguments_of(node))
    name = " ".join("/".join("".join(leaves(inside(a))) for a in arguments_of(node) if a is not None).split())
    walker.reading.warnings.append(f"a file that the text draws in was not read: {name}")


def item(walker: "Walker", node: Node) -> None:
    """The beginning of an item, with a label of its own or the next of the list."""
    walker.flush()
    if not walker.lists:
        walker.read_last(node)
        return
    said = next(iter(arguments_of(node)), None)
    text, characters = walker.line(inside(said))
    if walker.lists[-1].pattern is not None and text:
        walker.label = text
    else:
        walker.label = walker.lists[-1].next_label() if said is None else "-"
        walker.emit(f"{text} " if text not in ("-", "–", "•", "*") else "")
    walker.count(characters)


def source_item(walker: "Walker", node: Node) -> None:
    """The beginning of an entry in the list of sources."""
    walker.flush()
    walker.label = "-"
    *shown, key = arguments_of(node) or [None]
    text, characters = walker.line(inside(next(filter(None, shown), key)))
    walker.leave([key] if any(shown) else [])
    walker.emit(f"[{text}] ")
    walker.count(characters)


def set_counter(walker: "Walker", node: Node) -> None:
    """Set the counter of a list or of the headings."""
    walker.leave(arguments_of(node))
    name, value = ("".join(leaves(inside(argument))).strip() for argument in (*arguments_of(node), None, None)[:2])
    if not re.fullmatch(r"-?\d{1,6}", value):
        return
    adds = node.macroname == "addtocounter"
    if name.startswith("enum") and walker.lists:
        walker.lists[-1].reached = int(value) + (walker.lists[-1].reached if adds else 0)
    else:
        walker.headings.counters[name] = int(value) + (walker.headings.counters.get(name, 0) if adds else 0)


def appendix(walker: "Walker", _: Node) -> None:
    """From here on, headings count in letters."""
    walker.headings.start_appendix()


COMMANDS: dict[str, Callable[["Walker", Node], None]] = {
    **dict.fromkeys(n.SECTIONS, heading),
    "maketitle": print_title,
    **dict.fromkeys(("title", *n.FRONT), declare),
    **dict.fromkeys(("bf", "bfseries"), make_bold),
    "par": paragraph_end,
    **dict.fromkeys(("footnote", "footnotetext", "endnote", "thanks"), note),
    "footnotemark": note_mark,
    **dict.fromkeys(("caption", "captionof"), caption),
    **dict.fromkeys(n.REFERENCES, reference),
    **dict.fromkeys(("url", "path", "nolinkurl"), address),
    "href": link,
    "enquote": quoted,
    "verb": verbatim,
    **dict.fromkeys(n.OTHER_FILES, other_file),
    "item": item,
    "bibitem": source_item,
    **dict.fromkeys(("setcounter", "addtocounter"), set_counter),
    "appendix": appendix,
}
