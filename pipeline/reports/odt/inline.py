"""The text of one paragraph of OpenDocument: spans, links, notes, fields, shapes, in their order.

What stands elsewhere (notes, text boxes, charts, remarks) is only collected here; the walker puts it after the
paragraph.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from pipeline.reports import markdown
from pipeline.reports.archive import Archive, Element
from pipeline.reports.blocks import Tally, tidy, visible
from pipeline.reports.mathml import linear
from pipeline.reports.odt import names as n
from pipeline.reports.odt.account import says_of_itself, texts
from pipeline.reports.odt.forms import control_text
from pipeline.reports.odt.names import q
from pipeline.reports.odt.objects import folder_of, is_formula, object_root
from pipeline.reports.odt.styles import Style, Styles

# Reasons to leave text out, and what `settings.keep` calls them.
KEPT_AS = {
    "deleted": "deletions",
    "hidden": "hidden",
    "table of contents": "contents",
    "header or footer": "headers",
    "comment": "comments",
}
_SPACE = re.compile(r"[ \t\r\n]+")


@dataclass
class Line:
    """What one paragraph says, and what hangs on it. `number` is one that the writer wrote out."""

    pieces: list[str] = field(default_factory=list)
    characters: int = 0
    bold_characters: int = 0
    number: str = ""
    notes: list[tuple[str, Element]] = field(default_factory=list)  # mark, body
    boxes: list[Element] = field(default_factory=list)
    objects: list[Element] = field(default_factory=list)  # bodies of charts, sheets and texts
    remarks: list[Element] = field(default_factory=list)

    @property
    def text(self) -> str:
        return tidy("".join(self.pieces))

    @property
    def is_bold(self) -> bool:
        return self.characters > 0 and self.bold_characters == self.characters


class Inline:
    """Reads paragraphs of one document."""

    def __init__(self, archive: Archive, styles: Styles, tally: Tally, keep: tuple[str, ...]) -> None:
        self.styles = styles
        self.objects_read: set[str] = set()
        self._deletions: dict[str, Element] = {}  # by the id of the change, until they find their place
        self.controls: dict[str, Element] = {}
        self._archive, self._tally, self._keep = archive, tally, keep
        self._marks: set[str] = set()
        self._reason: str | None = None
        self._bold = self._plain = False
        self._line = Line()

    def unless_kept(self, reason: str | None) -> str | None:
        """The reason, unless the settings say that such text is read all the same."""
        return None if reason and KEPT_AS.get(reason) in self._keep else reason

    def read(self, paragraph: Element, style: Style, *, plain: bool = False, reason: str | None = None) -> Line:
        """The paragraph's line. A `plain` one lacks link targets and note marks; a `reason` leaves all out."""
        hidden = any(n.is_true(mark, "text:is-hidden") for mark in paragraph.iterfind(q("text:hidden-paragraph")))
        self._reason = reason or self.unless_kept("hidden" if style.hidden or hidden else None)
        self._line, self._plain, self._bold = Line(), plain, style.bold
        self._children(paragraph)
        return self._line

    def read_one(self, element: Element, reason: str | None) -> Line:
        """What a single shape, remark or deletion says that stands between paragraphs."""
        self._line, self._plain, self._bold, self._reason = Line(), False, False, reason
        self._child(element)
        return self._line

    def find_deletions(self, changes: Element) -> None:
        """Deleted text stands before all other; it is read, or left out, where it was deleted from."""
        for region in changes:
            for deletion in region.iterfind(q("text:deletion")):
                self._deletions[region.get(q("text:id")) or region.get(q("xml:id"), "")] = deletion

    def finish(self) -> None:
        """Leave out what no place in the text refers to."""
        for deletion in self._deletions.values():
            self.drop(deletion, "deleted")
        for control in self.controls.values():
            self.drop(control, "hidden")

    def drop(self, element: Element, reason: str) -> None:
        """Leave out all text below an element."""
        for text in texts(element):
            self._tally.leave(reason, text)

    def _children(self, element: Element) -> None:
        self._text(element.text)
        for child in element:
            self._child(child)
            self._text(child.tail)

    def _child(self, child: Element) -> None:
        handler = _HANDLERS.get(child.tag)
        if handler is not None:
            handler(self, child)
        elif child.tag.startswith(n.DRAW):
            self._shape(child)
        elif child.tag in n.BLOCKS or says_of_itself(child) is False:  # as a mended file may have it
            self._line.boxes.append(child)
        else:
            self._children(child)

    def _text(self, text: str | None) -> None:
        if not text:
            return
        if self._reason:
            self._tally.leave(self._reason, text)
            return
        self._line.pieces.append(_SPACE.sub(" ", text))
        count = visible(text)
        self._line.characters += count
        self._line.bold_characters += count if self._bold else 0

    def _emit(self, text: str) -> None:
        if not self._reason:
            self._line.pieces.append(text)

    def _span(self, span: Element) -> None:
        outer = self._reason, self._bold
        hidden, bold = self.styles.text(span.get(q("text:style-name"), ""))
        self._bold = self._bold if bold is None else bold
        self._reason = self._reason or self.unless_kept("hidden" if hidden else None)
        self._children(span)
        self._reason, self._bold = outer

    def _within(self, element: Element, reason: str | None) -> None:
        outer, self._reason = self._reason, self._reason or reason
        self._children(element)
        self._reason = outer

    def _hidden_text(self, element: Element) -> None:
        self._within(element, self.unless_kept("hidden" if element.get(q("text:is-hidden")) != "false" else None))

    def _code(self, element: Element) -> None:
        self._within(element, "field code")

    def _number(self, element: Element) -> None:
        """The paragraph's label as some writers spell it out for others that cannot count."""
        if self._reason:
            self._children(element)
            return
        self._line.number = tidy("".join(element.itertext()))
        self._line.characters += visible(self._line.number)

    def _link(self, element: Element) -> None:
        start = len(self._line.pieces)
        self._children(element)
        target = element.get(q("xlink:href"), "")
        if not self._plain and not self._reason and target.startswith(("http://", "https://", "mailto:")):
            self._line.pieces[start:] = [markdown.link("".join(self._line.pieces[start:]), target)]

    def _note(self, note: Element) -> None:
        citation, body = note.find(q("text:note-citation")), note.find(q("text:note-body"))
        if self._reason or body is None:
            self.drop(note, self._reason or "note without a reference")
            return
        for other in note:  # as a mended file may have it
            if other is not citation and other is not body:
                self.drop(other, "note without a reference")
        said = tidy("".join(citation.itertext())) if citation is not None else ""
        mark = said if said.isalnum() and said not in self._marks else ""
        mark = mark or next(str(i) for i in range(1, len(self._marks) + 2) if str(i) not in self._marks)
        self._marks.add(mark)
        self._line.characters += visible(said)
        self._line.notes.append((mark, body))
        if not self._plain:
            self._emit(f"[^{mark}]")

    def _remark(self, remark: Element) -> None:
        if reason := self._reason or self.unless_kept("comment"):
            self.drop(remark, reason)
        else:
            self._line.remarks.append(remark)

    def _change(self, mark: Element) -> None:
        """A place from which text was deleted."""
        region = self._deletions.pop(mark.get(q("text:change-id"), ""), None)
        if region is None:
            return
        if reason := self._reason or self.unless_kept("deleted"):
            self.drop(region, reason)
            return
        for paragraph in region.iter(n.P, n.H):
            self._children(paragraph)
            self._emit("\n")

    def _ruby(self, ruby: Element) -> None:
        for part in ruby:
            start = len(self._line.pieces)
            self._children(part)
            spoken = "".join(self._line.pieces[start:])
            if part.tag == q("text:ruby-text") and spoken:
                self._line.pieces[start:] = [f" ({spoken})"]

    def _space(self, _: Element) -> None:
        self._emit(" ")

    def _tab(self, _: Element) -> None:
        self._emit("\t")

    def _break(self, _: Element) -> None:
        self._emit("\n")

    def _nothing(self, _: Element) -> None:
        pass

    def _shape(self, shape: Element) -> None:
        """A frame, a shape, a group of them, or the place of a form's control."""
        if self._reason:
            self.drop(shape, self._reason)
            return
        self._describe(shape)
        if shape.tag == q("draw:control"):
            self._control(shape)
        elif shape.tag in (q("draw:frame"), q("draw:g"), q("draw:a")):
            for child in shape:
                if child.tag in (q("draw:object"), q("draw:object-ole")):
                    self._object(child)
                elif child.tag.startswith(n.DRAW) and shape.tag != q("draw:frame"):
                    self._shape(child)
                elif child.tag not in n.ALT_TEXTS and next(filter(visible, texts(child)), None):
                    self._line.boxes.append(child)
        elif any(child.tag not in n.ALT_TEXTS and visible("".join(texts(child))) for child in shape):
            self._line.boxes.append(shape)

    def _describe(self, shape: Element) -> None:
        """The alternative text; its title only where that says something else."""
        said: list[str] = []
        for text in (tidy("".join(found.itertext())) for tag in n.ALT_TEXTS for found in shape.iterfind(tag)):
            if text in said:
                self._tally.leave("fallback copy", text)
            elif text:
                said.append(text)
                self._line.characters += visible(text)
        if said:
            self._emit(f"![{': '.join(said)}]")

    def _control(self, shape: Element) -> None:
        control = self.controls.pop(shape.get(q("draw:control"), ""), None)
        if control is not None:
            self._emit(control_text(control))
            self._line.characters += sum(map(visible, texts(control)))

    def _object(self, element: Element) -> None:
        inside = next(filter(is_formula, element), None)
        if inside is not None:
            self._formula(inside)
            return
        folder = folder_of(element.get(q("xlink:href")))
        root = object_root(self._archive, folder) if folder and folder not in self.objects_read else None
        if root is None:
            return
        self.objects_read.add(folder)
        if is_formula(root):
            self._formula(root)
        else:
            self._line.objects.append(root)

    def _formula(self, root: Element) -> None:
        left_out: list[str] = []
        self._emit(f" {linear(root, left_out.append)} ")
        for text in left_out:
            self._tally.leave("fallback copy", text)
        self._line.characters += sum(map(visible, texts(root))) - sum(map(visible, left_out))


_HANDLERS: dict[str, Callable[[Inline, Element], None]] = {
    q("text:span"): Inline._span,
    q("text:a"): Inline._link,
    q("text:s"): Inline._space,
    q("text:tab"): Inline._tab,
    q("text:line-break"): Inline._break,
    q("text:note"): Inline._note,
    q("text:change"): Inline._change,
    q("text:ruby"): Inline._ruby,
    q("text:number"): Inline._number,
    q("text:hidden-text"): Inline._hidden_text,
    q("text:script"): Inline._code,
    q("office:annotation"): Inline._remark,
    **dict.fromkeys(map(q, ("office:annotation-end", "office:event-listeners")), Inline._nothing),
}
