"""Headings by every road, and what looks like one and is none."""

from tests.pipeline.reports.report_files import Craft
from tests.pipeline.reports.torture.manifest import DELETED, Left, Mark, Part, chapter, heading, part

_CLAUSE = (
    "mkclause The beneficiary keeps for five years every document that proves what was spent, when, by whom and "
    "for which activity, and shows it to whoever the funder sends, on paper or as a file, in the language in which "
    "it was written and with a translation where the funder asks for one in good time before the visit"
)

p, run = Craft.p, Craft.run


def outlined(level: int) -> str:
    """Paragraph properties that make any paragraph a heading; `level` from 1."""
    return f'<w:outlineLvl w:val="{level - 1}"/>'


def title_page() -> list[Part]:
    """Title, subtitle and the first words, before any heading."""
    return [
        part(p("Informe final mktitle", "Title"), Mark("mktitle", "title", block="title")),
        part(p("mksubtitle de la convocatòria", "Subtitle"), Mark("mksubtitle", "subtitle", block="paragraph")),
        part(p("mkpreface stands before any heading."), Mark("mkpreface", "text before headings", block="paragraph")),
    ]


def headings() -> list[Part]:
    """By style, by what the style is based on, by paragraph, by name in other languages; jumps; odd insides."""
    tracked = '<w:ins w:id="901" w:author="a"/>'
    return [
        heading(p("mkstyled", "Heading1"), "mkstyled", "heading style", 1),
        heading(p("mkbasedon", "Own"), "mkbasedon", "style based on a heading", 2),
        heading(p("mkchained", "OwnDeeper"), "mkchained", "style with a level of its own", 3),
        heading(p("mkdirect", properties=outlined(4)), "mkdirect", "outline level of the paragraph", 4),
        heading(p("mkcatalan", "Ttol1"), "mkcatalan", "style name in Catalan", 1),
        heading(p("mkspanish", "Ttulo2"), "mkspanish", "style name in Spanish", 2),
        heading(p("mkfrench", "Titre2"), "mkfrench", "style name in French", 2),
        heading(p("mkgerman", "berschrift3"), "mkgerman", "style name in German", 3),
        heading(p("mkbeforejump", "Heading1"), "mkbeforejump", "before a level jump", 1),
        heading(p("mkjump", "Heading4"), "mkjump", "level jump", 2, raw=4),
        heading(p("mksibling", "Heading4"), "mksibling", "sibling of a level jump", 2, raw=4),
        heading(p("mkrepaired", "Heading2"), "mkrepaired", "after a level jump", 2),
        heading(p("3.2 mktyped", "Heading2"), "mktyped", "typed number", 2, "3.2"),
        heading(
            p("mkheadbreak", "Heading2", raw="<w:r><w:br/></w:r>" + run("continued")),
            "mkheadbreak",
            "heading with a line break",
            2,
        ),
        heading(
            p(style="Heading2", raw=run("mkhead") + '<w:bookmarkStart w:id="7" w:name="x"/>' + run("split", "<w:i/>")),
            "mkheadsplit",
            "heading of several runs",
            2,
        ),
        heading(
            f"<w:sdt><w:sdtPr/><w:sdtContent>{p('mkheadcontrol', 'Heading2')}</w:sdtContent></w:sdt>",
            "mkheadcontrol",
            "heading in a content control",
            2,
        ),
        heading(
            p(
                style="Heading2",
                properties=f"<w:rPr>{tracked}</w:rPr>",
                raw=f'<w:ins w:id="902" w:author="a">{run("mkheadinserted")}</w:ins>',
            ),
            "mkheadinserted",
            "inserted heading",
            2,
        ),
        heading(
            p("mkrunin", "Heading2", properties="<w:rPr><w:vanish/><w:specVanish/></w:rPr>"),
            "mkrunin",
            "run-in heading",
            2,
        ),
        part(p("mkruninbody goes on in the same line."), Mark("mkruninbody", "text after a run-in heading")),
    ]


def no_headings() -> list[Part]:
    """What has a heading's style or level and is none."""
    cell = Craft.cell
    body = '<w:pPrChange w:id="903" w:author="a"><w:pPr><w:pStyle w:val="Heading1"/></w:pPr></w:pPrChange>'
    return [
        part(
            Craft.table(
                cell(p("mkcellheading", "Heading1")) + cell(p("mkcelloutline", properties=outlined(1))),
                cell(p("mkcellother")) + cell(p("mkcelllast")),
            ),
            Mark("mkcellheading", "table cell in a heading style", block="table"),
            Mark("mkcelloutline", "table cell with an outline level", block="table"),
            Mark("mkcellother", "table cell", block="table"),
            Mark("mkcelllast", "table cell", block="table"),
        ),
        part(
            p(_CLAUSE, properties=outlined(2)),
            Mark("mkclause", "long clause with an outline level", block="paragraph"),
        ),
        part(
            p("mkbodylevel", "Heading1", properties='<w:outlineLvl w:val="9"/>'),
            Mark("mkbodylevel", "heading style set to body text", block="paragraph"),
        ),
        part(p("mklookalike", "Lookalike"), Mark("mklookalike", "style set to body text", block="paragraph")),
        part(p("mkonceheading", properties=body), Mark("mkonceheading", "was a heading before", block="paragraph")),
    ]


def numbered_headings() -> list[Part]:
    """Numbers that Word prints and does not write; see numbering.py for their definitions."""
    gone = (
        '<w:p><w:pPr><w:pStyle w:val="NumTwo"/><w:rPr><w:del w:id="904" w:author="a"/></w:rPr></w:pPr>'
        '<w:del w:id="905" w:author="a"><w:r><w:delText>mknumdeleted</w:delText></w:r></w:del></w:p>'
    )

    def by_style(word: str, style: str, kind: str, level: int, number: str) -> Part:
        return heading(p(word, style), word, kind, level, number)

    def by_list(word: str, num_id: int, depth: int, kind: str, level: int, number: str | None) -> Part:
        text = p(word, f"Heading{level}", properties=Craft.number(num_id, depth))
        return heading(text, word, kind, level, number)

    return [
        by_style("mknumone", "NumOne", "number by style", 1, "1."),
        by_style("mknumoneone", "NumTwo", "number of two levels", 2, "1.1"),
        by_style("mknumonetwo", "NumTwo", "number counts on", 2, "1.2"),
        by_style("mknumdeep", "NumThree", "number of three levels with a letter", 3, "1.2.a)"),
        part(p(style="NumOne")),
        by_style("mknumthree", "NumOne", "number after an empty heading", 1, "3."),
        by_style("mknumrestart", "NumTwo", "number restarts", 2, "3.1"),
        part(gone, Mark("mknumdeleted", "deleted heading", DELETED), Left((DELETED,), "mknumdeleted")),
        by_style("mknumafter", "NumTwo", "number after a deleted heading", 2, "3.2"),
        by_style("mknuminherit", "NumOwn", "number by what the style is based on", 2, "3.3"),
        heading(p("mknumoff", "NumOne", properties=Craft.number(0)), "mknumoff", "number taken off", 1),
        by_list("mknumoverride", 12, 0, "number by startOverride", 1, "7."),
        by_list("mknumletter", 13, 0, "letter with a word before it", 1, "Annex C"),
        by_list("mknumroman", 14, 0, "roman number", 1, "IV."),
        by_list("mknumlegal", 14, 1, "legal number below a roman one", 2, "4.1"),
        by_list("mknumfirst", 15, 0, "plain number", 1, "1"),
        by_list("mknumbelow", 15, 1, "number of its own level only", 2, "1)"),
        by_list("mknumsecond", 15, 0, "plain number counts on", 1, "2"),
        by_list("mknumnever", 15, 1, "number that never restarts", 2, "2)"),
        by_list("mknumcustom", 16, 0, "custom format in AlternateContent", 2, "001"),
        by_list("mknumzero", 17, 0, "number with a leading zero", 2, "01"),
        by_list("mknumspace", 20, 0, "number followed by a space", 2, "§ 1"),
        by_list("mknumnothing", 20, 1, "number followed by nothing", 3, "1-1"),
        by_list("mknumlink", 18, 0, "number by a list style", 2, "i)"),
        by_list("mknumformat", 22, 0, "level defined by an override", 2, "Bloc 1"),
        chapter("After the numbers"),
    ]
