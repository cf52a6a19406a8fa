"""Foot- and endnotes: plain, of several paragraphs, with a table, and marked from odd places."""

from tests.pipeline.reports.report_files import OFFICE, PACKAGE, Craft
from tests.pipeline.reports.torture.boxes import box
from tests.pipeline.reports.torture.manifest import ORPHAN, Mark, Part, part, xml_part
from tests.pipeline.reports.torture.tables import row, table

p, run, cell = Craft.p, Craft.run, Craft.cell


def _mark(identity: int, kind: str = "footnote", own: str = "") -> str:
    custom = ' w:customMarkFollows="1"' if own else ""
    return f'<w:r><w:{kind}Reference w:id="{identity}"{custom}/>{f"<w:t>{own}</w:t>" if own else ""}</w:r>'


def _note(word: str, kind: str) -> Mark:
    return Mark(word, kind, block="note")


def notes() -> list[Part]:
    """A note comes right after the paragraph that holds its mark, or after the table."""
    return [
        part(
            p(raw=run("mknoteholder") + _mark(2) + run(" goes on") + _mark(2, "endnote")),
            Mark("mknoteholder", "paragraph that holds notes", block="paragraph"),
            _note("mkfootnote", "footnote"),
            _note("mkendnote", "endnote"),
        ),
        part(
            p(raw=run("Several paragraphs") + _mark(3)),
            _note("mknotefirst", "note of several paragraphs"),
            _note("mknotesecond", "note of several paragraphs"),
        ),
        part(
            p(raw=run("A table below") + _mark(4)),
            _note("mknotebefore", "note with a table"),
            _note("mknotecell", "table in a note"),
            _note("mknotecelltwo", "table in a note"),
        ),
        part(
            table(row(cell(p("mkcellnoted", raw=_mark(5))), cell(p("mkcellafter"))), row(cell(p("x")), cell(p("y")))),
            Mark("mkcellnoted", "table cell that holds a note mark", block="table"),
            Mark("mkcellafter", "table cell", block="table"),
            _note("mknoteincell", "note of a table cell"),
        ),
        part(
            p(raw=box(p("mkboxnoted", raw=_mark(6)))),
            Mark("mkboxnoted", "text box that holds a note mark"),
            _note("mknoteinbox", "note of a text box"),
        ),
        part(
            p("mkheadnoted", "Heading2", raw=_mark(7)),
            Mark("mkheadnoted", "heading that holds a note mark", block="heading", level=2, raw_level=2),
            _note("mknoteinhead", "note of a heading"),
        ),
        part(
            p(raw=run("Own mark") + _mark(8, own="(*)")),
            _note("mknotecustom", "note with a mark of its own"),
        ),
        part(
            p(raw=run("A link below") + _mark(9)),
            _note("mknotelink", "link in a note"),
            Mark("mknotetarget", "target of a link in a note", block="note"),
            any_order=True,
        ),
        part("", Mark("mknoteorphan", "note without a reference", ORPHAN)),
    ]


def _body(identity: int, content: str, kind: str = "footnote") -> str:
    return f'<w:{kind} w:id="{identity}">{content}</w:{kind}>'


def _separators(kind: str) -> str:
    return "".join(
        f'<w:{kind} w:type="{what}" w:id="{number}"><w:p><w:r><w:{what}/></w:r></w:p></w:{kind}>'
        for number, what in ((-1, "separator"), (0, "continuationSeparator"))
    )


def note_parts() -> dict[str, str]:
    """The parts that hold the notes."""
    own = "<w:r><w:footnoteRef/></w:r>"
    link = f'<w:hyperlink r:id="k">{run("mknotelink")}</w:hyperlink>'
    inner = table(row(cell(p("mknotecell")), cell(p("mknotecelltwo"))), row(cell(p("x")), cell(p("y"))))
    footnotes = (
        _separators("footnote")
        + _body(2, p(raw=own + run(" mkfootnote"), style="FootnoteText"))
        + _body(3, p(raw=own + run(" mknotefirst")) + p("mknotesecond"))
        + _body(4, p("mknotebefore") + inner + p())
        + "".join(
            _body(identity, p(f"mknote{word}"))
            for identity, word in ((5, "incell"), (6, "inbox"), (7, "inhead"), (8, "custom"))
        )
        + _body(9, p(raw=run("See ") + link))
        + _body(10, p("mknoteorphan"))
    )
    return {
        "word/footnotes.xml": xml_part("footnotes", footnotes),
        "word/endnotes.xml": xml_part("endnotes", _separators("endnote") + _body(2, p("mkendnote"), "endnote")),
        "word/_rels/footnotes.xml.rels": f'<Relationships xmlns="{PACKAGE}/relationships"><Relationship Id="k" '
        f'Type="{OFFICE}/hyperlink" Target="https://example.org/mknotetarget" TargetMode="External"/></Relationships>',
    }
