"""The text of one paragraph: runs, links, fields, tracked changes, equations, symbols, in their order.

Text that stands elsewhere (notes, text boxes, charts, comments) is only collected; the walker puts it after.
"""

from collections.abc import Callable, Iterable, Iterator, Set
from contextlib import contextmanager

from pipeline.reports import markdown
from pipeline.reports.archive import Element
from pipeline.reports.blocks import Tally, tidy, visible
from pipeline.reports.word import names as n
from pipeline.reports.word.alternatives import alternative
from pipeline.reports.word.equations import linear
from pipeline.reports.word.fields import Field, form_value, is_contents_code
from pipeline.reports.word.line import Line
from pipeline.reports.word.look import Look
from pipeline.reports.word.marks import NoteMarks, Ranges
from pipeline.reports.word.names import w
from pipeline.reports.word.styles import Style, Styles
from pipeline.reports.word.symbols import readable, symbol

MOST_ABOUT_PIECES = 300  # of text that a comment is about: more than enough to find it by
Relations = dict[str, tuple[str, str, bool]]


class Inline:
    """Reads paragraphs of one document. Fields may span paragraphs, so the open ones are kept in between.

    `keep` names what is read although it is left out by default: "deletions", "hidden", "contents".
    """

    def __init__(self, styles: Styles, tally: Tally, keep: frozenset[str]) -> None:
        self.relations: Relations = {}
        self.unknown_symbols: set[str] = set()
        self.ranges = Ranges()
        self._styles, self._tally, self._keep = styles, tally, keep
        self._fields: list[Field] = []
        self._closed: Set[Element] = frozenset()
        self._marks = NoteMarks()
        self._reason: str | None = None
        self._plain = False
        self._look = Look()
        self._described = ""
        self._line = Line()

    @contextmanager
    def story(self, relations: Relations, fields: Set[Element] = frozenset()) -> Iterator[None]:
        """Read another part, or a text box: it has its own fields, and a part its own relationships."""
        saved = self.relations, self._fields, self._closed, self._line
        self.relations, self._fields, self._closed = relations, [], fields
        with self.ranges.suspended():
            yield
        self.relations, self._fields, self._closed, self._line = saved

    def expect(self, fields: Set[Element]) -> None:
        """Note the beginnings of fields that end in what is read next: no others are fields."""
        self._closed = fields

    def read(self, parts: Iterable[Element], style: Style, *, plain: bool = False, reason: str | None = None) -> Line:
        """The line of a paragraph. A `plain` one lacks link targets and note marks; a `reason` leaves all out."""
        self._line, self._plain, self._reason = Line(), plain, reason
        self._look = Look(style.hidden, style.bold)
        for open_field in self._fields:
            open_field.start = 0
        self._children(parts)
        return self._line

    def drop(self, element: Element, reason: str) -> list[str]:
        """Leave out all text below an element, text boxes and all; returns the comments that hang on it."""
        for text in element.iter(*n.TEXTS):
            self._tally.leave(reason, text.text or "")
        return [mark.get(n.ID, "") for mark in element.iter(n.COMMENT_REFERENCE)]

    def contents_end(self) -> None:
        """Note that we are in no table of contents, whatever the fields say that are open."""
        for open_field in self._fields:
            open_field.has_chapters = True

    def _silence(self) -> str | None:
        """Why text is left out at this point, or None."""
        if self._reason:
            return self._reason
        if self._look.hidden and "hidden" not in self._keep:
            return "hidden"
        if not self._fields:
            return None
        if "contents" not in self._keep and any(f.is_contents for f in self._fields):
            return "table of contents"
        return "field code" if any(not f.in_result for f in self._fields) else None

    def _children(self, element: Iterable[Element]) -> None:
        for child in element:
            handler = _HANDLERS.get(child.tag)
            if handler is not None:
                handler(self, child)
            elif isinstance(child.tag, str):
                self._children(child)

    def _emit(self, text: str) -> None:
        if text and self._silence() is None:
            self._say(text)

    def _say(self, text: str) -> None:
        self._line.pieces.append(text)
        self.ranges.say(text)

    def _text(self, element: Element) -> None:
        text = (element.text or "").replace("\n", " ")
        if reason := self._silence():
            self._tally.leave(reason, text)
            return
        self._say(text if text.isascii() else readable(text, self._look.font))
        count = visible(text)
        self._line.characters += count
        self._line.bold_characters += count if self._look.bold else 0

    def _code(self, element: Element) -> None:
        if self._fields and not self._fields[-1].in_result:
            self._fields[-1].codes.append(element.text or "")
        self._tally.leave(self._reason or "field code", element.text or "")

    def _deleted_text(self, element: Element) -> None:
        if "deletions" in self._keep and element.tag == w("delText"):
            self._text(element)
        else:
            self._tally.leave("deleted", element.text or "")

    def _run(self, run: Element) -> None:
        outer, properties = self._look, run.find(n.RPR)
        if properties is not None and len(properties):
            self._look = outer.of_run(properties, self._styles)
        self._children(run)
        self._look = outer

    def _deleted(self, element: Element) -> None:
        if "deletions" not in self._keep:
            self._line.comments += self.drop(element, "deleted" if element.tag == w("del") else "moved away")
            return
        start = len(self._line.pieces)
        self._children(element)
        inner = "".join(self._line.pieces[start:])
        self._line.pieces[start:] = [f"~~{inner}~~"] if inner.strip() else [inner]

    def _field_mark(self, element: Element) -> None:
        kind = element.get(w("fldCharType"))
        if kind == "begin" and element in self._closed:
            self._emit(form_value(element))
            self._fields.append(Field(start=len(self._line.pieces)))
        elif kind == "separate" and self._fields:
            self._fields[-1].in_result, self._fields[-1].start = True, len(self._line.pieces)
        elif kind == "end" and self._fields:
            ended = self._fields.pop()
            if not ended.in_result:
                self._emit(ended.shown)
            elif ended.target and self._silence() is None:
                self._link_from(ended.start, ended.target)

    def _simple_field(self, element: Element) -> None:
        if is_contents_code(element.get(w("instr"), "")) and "contents" not in self._keep:
            self.drop(element, self._silence() or "table of contents")
        else:
            self._children(element)

    def _hyperlink(self, element: Element) -> None:
        start = len(self._line.pieces)
        self._children(element)
        _, target, outside = self.relations.get(element.get(n.R_ID, ""), ("", "", False))
        if outside and self._silence() is None:
            anchor = element.get(w("anchor"))
            self._link_from(start, f"{target}#{anchor}" if anchor and "#" not in target else target)

    def _link_from(self, start: int, target: str) -> None:
        if self._plain:
            return
        inner = "".join(self._line.pieces[start:])
        self._line.pieces[start:] = [markdown.link(inner, target)]

    def _note(self, element: Element) -> None:
        kind = "footnote" if element.tag == n.FOOTNOTE_REFERENCE else "endnote"
        note = element.get(n.ID, "")
        if self._silence() is not None:
            return
        is_new, mark = self._marks.of(kind, note, n.is_on(element.get(w("customMarkFollows"))))
        if is_new:
            self._line.notes.append((kind, note, mark))
        self._emit("" if self._plain or mark == "*" else f"[^{mark}]")

    def _alternate(self, element: Element) -> None:
        chosen = alternative(element)
        for other in element:
            if other is not chosen:
                self.drop(other, "fallback copy")
        if chosen is not None:
            self._children(chosen)

    def _box(self, element: Element) -> None:
        if reason := self._silence():
            self.drop(element, reason)
        else:
            self._line.boxes.append(element)

    def _picture(self, element: Element) -> None:
        """Alternative text. A drawing often says it twice, for itself and for the one picture in it."""
        description = tidy(element.get("descr") or "")
        is_whole = element.tag == n.DOC_PROPERTIES
        if description and not self._plain and (is_whole or description != self._described):
            self._emit(f"![{description}]")
        self._described = description if is_whole else self._described

    def _shape(self, element: Element) -> None:
        if (description := tidy(element.get("alt") or "")) and not self._plain:
            self._emit(f"![{description}]")
        self._children(element)

    def _drawing(self, element: Element) -> None:
        if self._silence() is None:
            self._line.drawings.append(element.get(n.DIAGRAM_DATA) or element.get(n.R_ID, ""))

    def _word_art(self, element: Element) -> None:
        self._emit(element.get("string", ""))

    def _symbol(self, element: Element) -> None:
        found = symbol(element.get(w("font"), ""), element.get(w("char"), ""))
        if found is None:
            self.unknown_symbols.add(element.get(w("font"), "?"))
        self._emit(found or "□")

    def _ruby(self, element: Element) -> None:
        """The annotated text first, the small text above it in brackets."""
        for name, before, after in (("rubyBase", "", ""), ("rt", "(", ")")):
            self._emit(before)
            for part in element.iterfind(w(name)):
                self._children(part)
            self._emit(after)

    def _equations(self, element: Element) -> None:
        """Displayed equations, each on a line of its own."""
        for equation in element:
            self._emit("\n")
            self._children([equation])

    def _equation(self, element: Element) -> None:
        self._emit(linear(element, self._leaf))

    def _leaf(self, element: Element) -> str:
        """The text of an equation's leaf, with the same account as any other text."""
        start, handler = len(self._line.pieces), _HANDLERS.get(element.tag)
        with self.ranges.suspended():  # the whole equation will be said to them in one line
            if element.tag == n.PHANTOM:
                self.drop(element, "hidden")
            elif handler is not None:
                handler(self, element)
            else:
                self._children(element)
        text = "".join(self._line.pieces[start:])
        del self._line.pieces[start:]
        return text

    def _fixed(self, element: Element) -> None:
        self._emit(_FIXED[element.tag])


_FIXED = {w("tab"): "\t", w("ptab"): "\t", w("br"): "\n", w("cr"): "\n", w("noBreakHyphen"): "-"}
_HANDLERS: dict[str, Callable[[Inline, Element], None]] = {
    n.T: Inline._text,
    n.M_T: Inline._text,
    n.A_T: Inline._text,
    n.R: Inline._run,
    w("fldSimple"): Inline._simple_field,
    w("instrText"): Inline._code,
    w("delInstrText"): Inline._deleted_text,
    w("delText"): Inline._deleted_text,
    n.FLDCHAR: Inline._field_mark,
    w("hyperlink"): Inline._hyperlink,
    n.FOOTNOTE_REFERENCE: Inline._note,
    n.ENDNOTE_REFERENCE: Inline._note,
    n.COMMENT_START: lambda inline, mark: inline.ranges.mark(mark),
    n.COMMENT_END: lambda inline, mark: inline.ranges.mark(mark),
    n.COMMENT_REFERENCE: lambda inline, mark: inline._line.comments.append(mark.get(n.ID, "")),
    n.ALTERNATE: Inline._alternate,
    n.TEXTBOX: Inline._box,
    n.DOC_PROPERTIES: Inline._picture,
    n.PICTURE_PROPERTIES: Inline._picture,
    n.VML + "shape": Inline._shape,
    n.VML + "rect": Inline._shape,
    n.CHART: Inline._drawing,
    n.CHART_EX: Inline._drawing,
    n.DIAGRAM: Inline._drawing,
    n.VML + "textpath": Inline._word_art,
    w("sym"): Inline._symbol,
    w("ruby"): Inline._ruby,
    n.m("oMathPara"): Inline._equations,
    n.m("oMath"): Inline._equation,
    **dict.fromkeys(_FIXED, Inline._fixed),
    **dict.fromkeys(n.DELETED, Inline._deleted),
    **dict.fromkeys(n.PROPERTIES, lambda inline, properties: None),
}
