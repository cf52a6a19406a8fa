"""Paragraphs: split runs, tabs, breaks, hyphens, frames, scripts, symbols, lists."""

from tests.pipeline.reports.report_files import Craft
from tests.pipeline.reports.torture.manifest import Mark, Part, part

p, run = Craft.p, Craft.run
_RUBY = (
    "<w:r><w:ruby><w:rubyPr/><w:rt><w:r><w:t>mkrubyabove</w:t></w:r></w:rt>"
    "<w:rubyBase><w:r><w:t>mkrubybase</w:t></w:r></w:rubyBase></w:ruby></w:r>"
)
_SECTION = '<w:sectPr><w:type w:val="nextPage"/><w:cols w:num="{}"/></w:sectPr>'


def _whole(xml: str, word: str, kind: str, shown: str | None = None) -> Part:
    return part(xml, Mark(word, kind, block="paragraph", shown=shown))


def _symbol(font: str, code: str, word: str, seen: str) -> Part:
    sign = f'<w:r><w:sym w:font="{font}" w:char="{code}"/></w:r>'
    return _whole(p(raw=sign + run(f" {word}")), word, f"symbol of {font}", f"{seen} {word}")


def paragraphs() -> list[Part]:
    """Words cut by what Word puts between runs, and what stands between words."""
    proof, page = '<w:proofErr w:type="spellStart"/>', "<w:r><w:lastRenderedPageBreak/></w:r>"
    between = f'<w:bookmarkStart w:id="8" w:name="y"/>{proof}<w:bookmarkEnd w:id="8"/>{page}'
    inside = "<w:r><w:t>mktabbed</w:t><w:tab/><w:t>after</w:t></w:r>"
    private = '<w:rFonts w:ascii="Wingdings" w:hAnsi="Wingdings"/>'
    return [
        _whole(p("mkplain is plain."), "mkplain", "paragraph"),
        _whole(p(raw=run("mks", "<w:b/>") + between + run("pl") + run("itted")), "mksplitted", "split runs"),
        _whole(p(raw=inside), "mktabbed", "tab", "mktabbed\tafter"),
        _whole(p(raw="<w:r><w:t>before</w:t><w:br/><w:t>mkbroken</w:t></w:r>"), "mkbroken", "line break", "before\nmk"),
        _whole(p(raw="<w:r><w:t>before</w:t><w:cr/><w:t>mkreturned</w:t></w:r>"), "mkreturned", "carriage return"),
        _whole(p(raw=f'<w:r><w:br w:type="page"/></w:r>{run("mkpaged")}'), "mkpaged", "page break"),
        _whole(p(raw=f'{run("mkcolumn")}<w:r><w:br w:type="column"/></w:r>'), "mkcolumn", "column break"),
        _whole(p(raw="<w:r><w:t>mksoft</w:t><w:softHyphen/><w:t>hyphen</w:t></w:r>"), "mksofthyphen", "soft hyphen"),
        _whole(p("mkshy\u00adhyphen"), "mkshyhyphen", "soft hyphen as a character"),
        _whole(
            p(raw="<w:r><w:t>mkhard</w:t><w:noBreakHyphen/><w:t>hyphen</w:t></w:r>"),
            "mkhard-hyphen",
            "no-break hyphen",
        ),
        _whole(p("mkhard\u00a0space"), "mkhard space", "no-break space"),
        _whole(p(raw=run("mkcapitals", "<w:caps/>")), "mkcapitals", "capitals by format"),
        _whole(
            p("M", properties='<w:framePr w:dropCap="drop" w:lines="3"/>') + p("kdropped capital begins."),
            "Mkdropped",
            "drop cap",
        ),
        _whole(p("mkframed", properties='<w:framePr w:w="2000" w:hAnchor="page"/>'), "mkframed", "frame"),
        _whole(p(f"mksection {'ends here.'}", properties=_SECTION.format(1)), "mksection", "section break with text"),
        _whole(p("mkcolumns in two columns.", properties=_SECTION.format(2)), "mkcolumns", "columns"),
        _symbol("Wingdings", "F0FC", "mkwingdings", "✓"),
        _symbol("Symbol", "F061", "mkgreek", "α"),
        _symbol("Symbol", "F0B3", "mkatleast", "≥"),
        _whole(
            p(raw=run("\uf0e0", private) + run(" mkprivate")), "mkprivate", "picture font's character", "→ mkprivate"
        ),
    ]


def scripts() -> list[Part]:
    """Text beyond ASCII, right to left, annotated, or wrapped in older elements."""
    right = "<w:bidi/><w:rPr><w:rtl/></w:rPr>"
    return [
        _whole(p("mkàccentçñü·la"), "mkàccentçñü·la", "accents"),
        _whole(p("mkcombine\u0301d"), "mkcombine\u0301d", "combining character"),
        _whole(p("𝔪𝔨𝔟𝔢𝔶𝔬𝔫𝔡 👩\u200d🔬"), "𝔪𝔨𝔟𝔢𝔶𝔬𝔫𝔡", "beyond the basic plane"),
        _whole(p(raw=run("סימןמיוחד", "<w:rtl/>"), properties=right), "סימןמיוחד", "right to left"),
        _whole(p(raw=run("علامةفريدة", "<w:rtl/>"), properties=right), "علامةفريدة", "joined letters"),
        _whole(p("標記獨特"), "標記獨特", "Chinese"),
        _whole(p(raw=f'<w:bdo w:val="ltr">{run("mkoverride")}</w:bdo>'), "mkoverride", "bidirectional override"),
        _whole(p(raw=f'<w:dir w:val="rtl">{run("mkembedding")}</w:dir>'), "mkembedding", "bidirectional embedding"),
        _whole(p(raw=f'<w:smartTag w:element="place">{run("mksmart")}</w:smartTag>'), "mksmart", "smart tag"),
        _whole(
            p(raw=f'<w:customXml w:element="e">{run("mkxmlrun")}</w:customXml>'), "mkxmlrun", "custom XML in a line"
        ),
        _whole(f'<w:customXml w:element="e">{p("mkxmlblock")}</w:customXml>', "mkxmlblock", "custom XML block"),
        part(
            p(raw=_RUBY),
            Mark("mkrubybase", "ruby base", block="paragraph"),
            Mark("mkrubyabove", "ruby text", block="paragraph"),
            any_order=True,
        ),
    ]


def lists() -> list[Part]:
    """Lists with the labels that Word prints, and their depth as two spaces a level."""

    def item(word: str, num_id: int, depth: int, kind: str, shown: str) -> Part:
        text = p(word, "ListParagraph", properties=Craft.number(num_id, depth))
        return part(text, Mark(word, kind, block="list_item", shown=f"{'  ' * depth}{shown} {word}"))

    return [
        item("mkbullet", 30, 0, "bullet", "-"),
        item("mkbulletbelow", 30, 1, "bullet of the second level", "-"),
        part(
            p("mkbulletstyle", "ListBullet"),
            Mark("mkbulletstyle", "bullet by style", "read", "list_item", shown="- mk"),
        ),
        part(p("mkcontinued without a label.", "ListParagraph"), Mark("mkcontinued", "goes on a list item")),
        item("mkitemone", 31, 0, "list number", "1."),
        item("mkitema", 31, 1, "list letter", "a)"),
        item("mkitemb", 31, 1, "list letter counts on", "b)"),
        item("mkitemroman", 31, 2, "list roman", "(i)"),
        item("mkitemtwo", 31, 0, "list number after deeper ones", "2."),
        item("mkitemagain", 32, 0, "list begins anew", "1."),
    ]
