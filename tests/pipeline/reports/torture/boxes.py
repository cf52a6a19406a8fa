"""Text boxes: new, old, both at once, grouped, on a canvas, in a table, in a heading."""

from tests.pipeline.reports.report_files import Craft
from tests.pipeline.reports.torture.manifest import CODE, COPY, Left, Mark, Part, part
from tests.pipeline.reports.torture.tables import row, table

p, run, cell = Craft.p, Craft.run, Craft.cell
_MICROSOFT = "http://schemas.microsoft.com/office/word/2010/wordprocessing"
_GROUP, _CANVAS = f"{_MICROSOFT}Group", f"{_MICROSOFT}Canvas"
_SHAPE = f"{_MICROSOFT}Shape"
_SIZE = (
    '<wps:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="1800000" cy="600000"/></a:xfrm>'
    '<a:prstGeom prst="rect"/></wps:spPr>'
)


def _shape(content: str) -> str:
    inside = f"<wps:txbx><w:txbxContent>{content}</w:txbxContent></wps:txbx>"
    return f'<wps:wsp><wps:cNvSpPr txBox="1"/>{_SIZE}{inside}<wps:bodyPr/></wps:wsp>'


def drawing(graphic: str, uri: str, description: str = "") -> str:
    """A drawing in a line of text."""
    said = f' descr="{description}"' if description else ""
    return (
        f'<w:drawing><wp:inline><wp:extent cx="1800000" cy="600000"/><wp:docPr id="9" name="Shape"{said}/>'
        f'<a:graphic><a:graphicData uri="{uri}">{graphic}</a:graphicData></a:graphic></wp:inline></w:drawing>'
    )


def box(content: str) -> str:
    """A run with a new text box."""
    return f"<w:r>{drawing(_shape(content), _SHAPE)}</w:r>"


def _old(content: str) -> str:
    inside = f"<v:textbox><w:txbxContent>{content}</w:txbxContent></v:textbox>"
    return f'<w:pict><v:shape style="width:150pt;height:40pt">{inside}</v:shape></w:pict>'


def _both(graphic: str, uri: str, requires: str, namespace: str, fallback: str) -> str:
    return (
        f'<w:r><mc:AlternateContent xmlns:{requires}="{namespace}"><mc:Choice Requires="{requires}">'
        f"{drawing(graphic, uri)}</mc:Choice><mc:Fallback>{fallback}</mc:Fallback></mc:AlternateContent></w:r>"
    )


def boxes() -> list[Part]:
    """Each text box stands once, after the paragraph that it hangs on."""
    group = f"<wpg:wgp><wpg:cNvGrpSpPr/><wpg:grpSpPr/>{_shape(p('mkgroupone'))}{_shape(p('mkgrouptwo'))}</wpg:wgp>"
    canvas = f"<wpc:wpc><wpc:bg/><wpc:whole/>{_shape(p('mkcanvas'))}</wpc:wpc>"
    caption = p("Figura ", "Caption", raw=Craft.field(" SEQ Figura ", run("7")) + run(": mkboxcaption"))
    unknown = (
        '<w:r><mc:AlternateContent xmlns:x99="urn:from-the-future"><mc:Choice Requires="x99">'
        "<w:t>mkfuture</w:t></mc:Choice><mc:Fallback><w:t>mkpast</w:t></mc:Fallback></mc:AlternateContent></w:r>"
    )
    return [
        part(
            p(raw=run("mkboxholder") + _both(_shape(p("mkboxboth")), _SHAPE, "wps", _SHAPE, _old(p("mkboxboth")))),
            Mark("mkboxholder", "paragraph that holds a text box", block="paragraph"),
            Mark("mkboxboth", "text box written twice"),
            Left((COPY,), "mkboxboth"),
        ),
        part(p(raw=box(p("mkboxnew"))), Mark("mkboxnew", "text box without a fallback")),
        part(
            p(raw=f"<w:r>{_old(p('mkboxold') + p('mkboxoldsecond'))}</w:r>"),
            Mark("mkboxold", "old text box"),
            Mark("mkboxoldsecond", "second paragraph of a text box"),
        ),
        part(
            p(raw=_both(group, _GROUP, "wpg", _GROUP, f"<w:pict><v:group>{_old(p('mkgroupone'))}</v:group></w:pict>")),
            Mark("mkgroupone", "grouped shapes"),
            Mark("mkgrouptwo", "grouped shapes"),
            Left((COPY,), "mkgroupone"),
        ),
        part(p(raw=_both(canvas, _CANVAS, "wpc", _CANVAS, "<w:pict/>")), Mark("mkcanvas", "canvas")),
        part(
            p(raw=box(table(row(cell(p("mkboxtable")), cell(p("mkboxcell")))))),
            Mark("mkboxtable", "table in a box"),
            Mark("mkboxcell", "table in a box"),
        ),
        part(
            p(raw=box(p("mkboxheading", "Heading1"))),
            Mark("mkboxheading", "heading style in a text box", block="paragraph"),
        ),
        part(
            p(raw=box(caption)),
            Mark("mkboxcaption", "caption in a text box", block="caption", shown="Figura 7: mkboxcaption"),
            Left((CODE,), "SEQ Figura"),
        ),
        part(
            table(
                row(cell(p("mkcellwithbox", raw=box(p("mkboxincell")))), cell(p("x"))), row(cell(p("y")), cell(p("z")))
            ),
            Mark("mkcellwithbox", "table cell that holds a text box", block="table"),
            Mark("mkboxincell", "text box in a table cell"),
        ),
        part(
            p("mkheadwithbox", "Heading2", raw=box(p("mkboxinhead"))),
            Mark("mkheadwithbox", "heading that holds a text box", block="heading", level=2, raw_level=2),
            Mark("mkboxinhead", "text box in a heading"),
        ),
        part(
            p(raw=unknown),
            Mark("mkfuture", "choice that needs what no reader knows", COPY),
            Mark("mkpast", "fallback of a choice that nobody knows", block="paragraph"),
        ),
    ]
