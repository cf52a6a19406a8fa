"""Fields, links, old forms, captions, tables of contents, index."""

from tests.pipeline.reports.report_files import Craft
from tests.pipeline.reports.torture.manifest import CODE, CONTENTS, UNSEEN, Left, Mark, Part, part
from tests.pipeline.reports.torture.tables import control

p, run, field = Craft.p, Craft.run, Craft.field


def _mark(kind: str, data: str = "") -> str:
    return f'<w:r><w:fldChar w:fldCharType="{kind}">{data}</w:fldChar></w:r>'


def _code(text: str) -> str:
    return f'<w:r><w:instrText xml:space="preserve"> {text} </w:instrText></w:r>'


def _entry(style: str, text: str) -> str:
    return p(style=style, raw=f'<w:hyperlink w:anchor="_Toc1">{run(text)}<w:r><w:tab/></w:r>{run("4")}</w:hyperlink>')


def contents() -> list[Part]:
    """A table of contents in its control, one of figures, an index."""
    either, code, figures, index = (CODE, CONTENTS), 'TOC \\o "1-3" \\h', 'TOC \\c "Figura"', 'INDEX \\e ", "'
    opened = _mark("begin") + _code(code) + _mark("separate")
    toc = (
        p("mktocheading", "TOCHeading")
        + p(style="TOC1", raw=opened + run("1 mktocentry") + "<w:r><w:tab/></w:r>" + run("3"))
        + _entry("TOC2", "1.1 mktocsecond")
        + p(raw=_mark("end"))
    )
    gallery = '<w:docPartObj><w:docPartGallery w:val="Table of Contents"/></w:docPartObj>'
    return [
        part(
            control(toc, gallery),
            Mark("mktocheading", "heading of the contents", CONTENTS),
            Mark("mktocentry", "entry of the contents", CONTENTS),
            Mark("mktocsecond", "entry of the contents", CONTENTS),
            Left((CONTENTS,), "mktocheading 1 mktocentry 3 1.1 mktocsecond 4"),
            Left(either, code),
        ),
        part(
            p(
                style="TableofFigures",
                raw=_mark("begin")
                + _code(figures)
                + _mark("separate")
                + run("Figura 1 mkfigureentry 5")
                + _mark("end"),
            ),
            Mark("mkfigureentry", "entry of a table of figures", CONTENTS),
            Left((CONTENTS,), "Figura 1 mkfigureentry 5"),
            Left(either, figures),
        ),
        part(
            p(
                style="Index1",
                raw=_mark("begin") + _code(index) + _mark("separate") + run("mkindexentry, 9") + _mark("end"),
            ),
            Mark("mkindexentry", "entry of an index", CONTENTS),
            Left((CONTENTS,), "mkindexentry, 9"),
            Left(either, index),
        ),
    ]


def _result(word: str, code: str, *more: Mark) -> Part:
    return part(
        p(raw=run("See ") + field(f" {code} ", run(word))),
        Mark(word, f"result of {code.split()[0]}", block="paragraph"),
        *more,
        Left((CODE,), code),
    )


def fields() -> list[Part]:
    """Results are read, codes are not, nor a field's result inside another's code."""
    inner = field(" REF mkinnercode ", run("mkinnerresult"))
    nested = _mark("begin") + _code("IF") + inner + _code('= "x" "mkiftrue" "mkiffalse"') + _mark("separate")
    codes = 'IF REF mkinnercode mkinnerresult = "x" "mkiftrue" "mkiffalse"'
    simple = '<w:fldSimple w:instr=" AUTHOR mksimplecode ">'
    long = _mark("begin") + _code("INCLUDETEXT x") + _mark("separate")
    target = 'HYPERLINK "https://example.org/mkfieldtarget"'
    return [
        _result("mkreference", "REF mkcode \\h", Mark("mkcode", "code of a field", CODE)),
        _result("mkpagenumber", "PAGE"),
        _result("mkdate", 'DATE \\@ "d MMMM yyyy"'),
        _result("mkformula", "= SUM(ABOVE)"),
        part(
            p(raw=run("If ") + nested + run("mkifresult") + _mark("end") + run(" mkafterif")),
            Mark("mkifresult", "result of nested fields", block="paragraph"),
            Mark("mkafterif", "after nested fields", block="paragraph"),
            *(Mark(word, "code of nested fields", CODE) for word in codes.split() if word.startswith("mk")),
            *(Mark(word, "branch of nested fields", CODE) for word in ("mkiftrue", "mkiffalse")),
            Left((CODE,), codes),
        ),
        part(
            p(raw=f"{simple}{run('mksimple')}</w:fldSimple>"),
            Mark("mksimple", "simple field", block="paragraph"),
            Mark("mksimplecode", "code of a simple field", UNSEEN),
        ),
        part(
            p(raw=long + run("mkspanone")) + p("mkspantwo") + p(raw=run("mkspanthree") + _mark("end")),
            Mark("mkspanone", "field over paragraphs", block="paragraph"),
            Mark("mkspantwo", "field over paragraphs", block="paragraph"),
            Mark("mkspanthree", "field over paragraphs", block="paragraph"),
            Left((CODE,), "INCLUDETEXT x"),
        ),
        part(
            p(raw=run("mkindexed") + _mark("begin") + _code('XE "mkindexcode"') + _mark("end")),
            Mark("mkindexed", "word in the index", block="paragraph"),
            Mark("mkindexcode", "entry for the index", CODE),
            Left((CODE,), 'XE "mkindexcode"'),
        ),
        part(
            p(raw=f'<w:hyperlink r:id="link">{run("mklinktext")}</w:hyperlink>'),
            Mark("mklinktext", "link", block="paragraph", shown="[mklinktext](https://example.org/mklinktarget)"),
            Mark("mklinktarget", "target of a link", block="paragraph"),
            any_order=True,
        ),
        part(
            p(raw=field(f" {target} ", run("mkfieldlink"))),
            Mark("mkfieldlink", "link by field", block="paragraph", shown="[mkfieldlink](https://example.org/mkfieldtarget)"),
            Mark("mkfieldtarget", "target of a link by field", block="paragraph"),
            Left((CODE,), target),
            any_order=True,
        ),
        part(
            p(raw=f'<w:hyperlink w:anchor="mkanchor">{run("mkinternal")}</w:hyperlink>'),
            Mark("mkinternal", "link inside the document", block="paragraph"),
            Mark("mkanchor", "name of a bookmark", UNSEEN),
        ),
    ]  # fmt: skip


def forms() -> list[Part]:
    """Fields of old forms: what was typed, ticked and chosen."""
    tick = '<w:ffData><w:checkBox><w:sizeAuto/><w:default w:val="0"/><w:checked/></w:checkBox></w:ffData>'
    chosen = (
        '<w:ffData><w:ddList><w:result w:val="1"/><w:listEntry w:val="mkformother"/>'
        '<w:listEntry w:val="mkformchoice"/></w:ddList></w:ffData>'
    )
    typed = '<w:ffData><w:name w:val="mkformname"/><w:textInput/></w:ffData>'
    return [
        part(
            p(raw=_mark("begin", typed) + _code("FORMTEXT") + _mark("separate") + run("mkformtext") + _mark("end")),
            Mark("mkformtext", "text field of a form", block="paragraph"),
            Mark("mkformname", "name of a form's field", UNSEEN),
            Left((CODE,), "FORMTEXT"),
        ),
        part(
            p(raw=_mark("begin", tick) + _code("FORMCHECKBOX") + _mark("end") + run(" mkformbox")),
            Mark("mkformbox", "check box of a form", block="paragraph", shown="☒ mkformbox"),
            Left((CODE,), "FORMCHECKBOX"),
        ),
        part(
            p(raw=_mark("begin", chosen) + _code("FORMDROPDOWN") + _mark("end")),
            Mark("mkformchoice", "choice of a form", block="paragraph"),
            Mark("mkformother", "not chosen in a form", UNSEEN),
            Left((CODE,), "FORMDROPDOWN"),
        ),
    ]


def captions() -> list[Part]:
    """Captions whose number is a field."""
    simple = f'<w:fldSimple w:instr=" SEQ Taula ">{run("2")}</w:fldSimple>'
    return [
        part(
            p("Figura ", "Caption", raw=field(" SEQ Figura \\* ARABIC ", run("1")) + run(". mkcaption")),
            Mark("mkcaption", "caption", block="caption", shown="Figura 1. mkcaption"),
            Left((CODE,), "SEQ Figura \\* ARABIC"),
        ),
        part(
            p("Taula ", "Caption", raw=simple + run(". mkcaptionsimple")),
            Mark("mkcaptionsimple", "caption with a simple field", block="caption", shown="Taula 2. mkcaptionsimple"),
        ),
    ]
