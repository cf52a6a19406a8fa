"""Tracked changes, hidden text and comments."""

from tests.pipeline.reports.report_files import Craft
from tests.pipeline.reports.torture.manifest import (
    BESIDE,
    CODE,
    DELETED,
    HIDDEN,
    MOVED,
    Left,
    Mark,
    Part,
    part,
    xml_part,
)

p, run = Craft.p, Craft.run
_BY = 'w:author="Auditora" w:date="2024-03-01T10:00:00Z"'


def _tracked(kind: str, inside: str) -> str:
    return f'<w:{kind} w:id="920" {_BY}>{inside}</w:{kind}>'


def _struck(word: str) -> str:
    return f'<w:r><w:delText xml:space="preserve">{word}</w:delText></w:r>'


def tracked_changes() -> list[Part]:
    """What was inserted and moved here is read; what was deleted and moved away is not."""
    both = _tracked("ins", _tracked("del", _struck("mkinsertedthendeleted")))
    code = _tracked("del", '<w:r><w:delInstrText xml:space="preserve"> REF mkdeletedcode </w:delInstrText></w:r>')
    mark = '<w:rPr><w:del w:id="921" w:author="a"/></w:rPr>'
    format_only = '<w:rPrChange w:id="922" w:author="a"><w:rPr><w:vanish/></w:rPr></w:rPrChange>'
    return [
        part(
            p(
                raw=run("Budget ")
                + _tracked("ins", run("mkinserted "))
                + _tracked("del", _struck("mkdeleted "))
                + run("k")
            ),
            Mark("mkinserted", "inserted words", block="paragraph"),
            Mark("mkdeleted", "deleted words", DELETED),
        ),
        part(
            p(raw=run("To ") + _tracked("moveTo", run("mkmovedhere")))
            + p(raw=run("From ") + _tracked("moveFrom", run("mkmovedaway"))),
            Mark("mkmovedhere", "moved words", block="paragraph"),
            Mark("mkmovedaway", "words moved away", MOVED),
        ),
        part(
            p(raw=run("Twice ") + both + code),
            Mark("mkinsertedthendeleted", "inserted, then deleted", DELETED),
            Mark("mkdeletedcode", "deleted field code", CODE),
            Left((DELETED, CODE), "REF mkdeletedcode"),
        ),
        part(
            p("mkmarkdeleted ", properties=mark) + p("mkmarkafter"),
            Mark("mkmarkdeleted", "paragraph whose end was deleted", block="paragraph"),
            Mark("mkmarkafter", "paragraph joined to the one before", block="paragraph"),
        ),
        part(
            p(raw=_tracked("del", _struck("mkparagraphdeleted")), properties=mark) + p("Next."),
            Mark("mkparagraphdeleted", "deleted paragraph", DELETED),
        ),
        part(p(raw=run("mkformatted", format_only)), Mark("mkformatted", "was hidden before", block="paragraph")),
        part(
            p(raw=_tracked("ins", f'<w:hyperlink w:anchor="x">{run("mkinsertedlink")}</w:hyperlink>')),
            Mark("mkinsertedlink", "inserted link", block="paragraph"),
        ),
    ]


def hidden_text() -> list[Part]:
    """Hidden by the run, by styles; and what only looks as if it were hidden."""
    return [
        part(
            p(raw=run("Seen ") + run("mkhidden", "<w:vanish/>") + run(" seen")), Mark("mkhidden", "hidden run", HIDDEN)
        ),
        part(p("mkhiddenstyle", "Secret"), Mark("mkhiddenstyle", "hidden by style", HIDDEN)),
        part(p("mkhiddenchild", "SecretChild"), Mark("mkhiddenchild", "hidden by what the style is based on", HIDDEN)),
        part(
            p(raw=run("Seen ") + run("mkhiddenwords", '<w:rStyle w:val="SecretWords"/>')),
            Mark("mkhiddenwords", "hidden by character style", HIDDEN),
        ),
        part(
            p("mkhiddenmark", properties="<w:rPr><w:vanish/></w:rPr>") + p("Next."),
            Mark("mkhiddenmark", "only the paragraph's end is hidden", block="paragraph"),
        ),
        part(
            p(style="Secret", raw=run("mkshown", '<w:vanish w:val="0"/>')),
            Mark("mkshown", "shown in a hidden style", block="paragraph"),
        ),
        part(
            p(style="Secret", raw=run("mktoggled", '<w:rStyle w:val="SecretWords"/>')),
            Mark("mktoggled", "hidden by two styles, which cancel out", block="paragraph"),
        ),
        part(
            p(raw=run("mkwebhidden", "<w:webHidden/>")),
            Mark("mkwebhidden", "hidden on the web only", block="paragraph"),
        ),
    ]


def comments() -> list[Part]:
    """Comments on words, a reply, and one on a table cell; the words stay in the text."""

    def about(identity: int, word: str) -> str:
        begin, end = (f'<w:commentRange{edge} w:id="{identity}"/>' for edge in ("Start", "End"))
        return f'{begin}{run(word)}{end}<w:r><w:commentReference w:id="{identity}"/></w:r>'

    return [
        part(
            p(raw=run("We say ") + about(0, "mkcommented") + about(1, "") + run(" here.")),
            Mark("mkcommented", "words with a comment", block="paragraph"),
            Mark("mkremark", "comment", BESIDE),
            Mark("mkreply", "reply to a comment", BESIDE),
        ),
        part(
            Craft.table(
                Craft.cell(p(raw=about(2, "mkcellcommented"))) + Craft.cell(p("x")),
                Craft.cell(p("y")) + Craft.cell(p("z")),
            ),
            Mark("mkcellcommented", "table cell with a comment", block="table"),
            Mark("mkcellremark", "comment on a table cell", BESIDE),
            Mark("mkcellremarksecond", "second paragraph of a comment", BESIDE),
        ),
    ]


def comment_parts() -> dict[str, str]:
    """The parts that hold the comments, and which of them answers which."""
    said = {0: p("mkremark"), 1: p("mkreply"), 2: p("mkcellremark") + p("mkcellremarksecond")}
    identified = {
        i: inside.replace("<w:p>", f'<w:p xmlns:w14="{_WORD}2010/wordml" w14:paraId="0000000{i + 1}">')
        for i, inside in said.items()
    }
    inside = "".join(
        f'<w:comment w:id="{i}" {_BY} w:initials="A">{content}</w:comment>' for i, content in identified.items()
    )
    threads = (
        f'<w15:commentsEx xmlns:w15="{_WORD}2012/wordml"><w15:commentEx w15:paraId="00000001" w15:done="0"/>'
        '<w15:commentEx w15:paraId="00000002" w15:paraIdParent="00000001" w15:done="0"/></w15:commentsEx>'
    )
    return {"word/comments.xml": xml_part("comments", inside), "word/commentsExtended.xml": threads}


_WORD = "http://schemas.microsoft.com/office/word/"
