"""Tables: merged both ways, nested, with a header row, wrapped, tracked."""

from tests.pipeline.reports.report_files import Craft
from tests.pipeline.reports.torture.manifest import DELETED, Left, Mark, Part, part

p, cell = Craft.p, Craft.cell
_GRID = "".join('<w:gridCol w:w="2000"/>' for _ in range(3))


def row(*cells: str, properties: str = "") -> str:
    """A row; `properties` are the insides of its own."""
    return f"<w:tr><w:trPr>{properties}</w:trPr>{''.join(cells)}</w:tr>"


def table(*rows: str) -> str:
    """A table of whole rows, three columns wide."""
    look = '<w:tblPr><w:tblStyle w:val="TableGrid"/></w:tblPr>'
    return f"<w:tbl>{look}<w:tblGrid>{_GRID}</w:tblGrid>{''.join(rows)}</w:tbl>"


def control(inside: str, properties: str = "") -> str:
    """A content control around anything."""
    return f"<w:sdt><w:sdtPr>{properties}</w:sdtPr><w:sdtContent>{inside}</w:sdtContent></w:sdt>"


def _held(word: str, kind: str, shown: str | None = None) -> Mark:
    return Mark(word, kind, block="table", shown=shown)


def tables() -> list[Part]:
    """Three tables; their marks row by row, and inside a cell what stands first there."""
    span, start, on = '<w:gridSpan w:val="2"/>', '<w:vMerge w:val="restart"/>', "<w:vMerge/>"
    inner = table(row(cell(p("mkinnera")), cell(p("mkinnerb")))) + p("mkafterinner")
    merged = table(
        row(cell(p("mkheadspan"), span), cell(p("mkheadlast")), properties="<w:tblHeader/>"),
        row(cell(p("mkmergedown"), start), cell(p("mkplaincell") + p("mksecondline")), cell(inner)),
        row(cell(p(), on), cell(p("mklowercell")), cell(p("mklowerlast"))),
        row(cell(p("mkblock"), span + start), cell(p("mkbeside"))),
        row(cell(p(), span + on), cell(p("mkbelowbeside"))),
    )
    wrapped = table(
        row(cell(p("mkfirstrow")), cell(p("x")), cell(p("y"))),
        control(row(cell(p("mkrowcontrol")), cell(p("x")), cell(p("y")))),
        row(cell(p("z")), control(cell(p("mkcellcontrol"))), cell(control(p("mkincell")))),
        row(cell(p("mkbefore")), cell(p("mklate")), properties='<w:gridBefore w:val="1"/>'),
        f'<w:customXml w:element="e">{row(cell(p("mkxmlrow")), cell(p("x")), cell(p("y")))}</w:customXml>',
    )
    taken = '<w:del w:id="910" w:author="a"/>'
    gone = '<w:del w:id="912" w:author="a"><w:r><w:delText>mkrowstruck</w:delText></w:r></w:del>'
    tracked = table(
        row(cell(p("mkstays")), cell(p("x")), cell(p("y"))),
        row(cell(p("mkrowadded")), cell(p("x")), cell(p("y")), properties='<w:ins w:id="911" w:author="a"/>'),
        row(cell(p("mkrowgone")), cell(p(raw=gone)), cell(p()), properties=taken),
    )
    return [
        part(
            merged,
            _held("mkheadspan", "cell merged across", "| mkheadspan |"),
            _held("mkheadlast", "header row", "mkheadlast |\n| --- | --- | --- |"),
            _held("mkmergedown", "cell merged down"),
            _held("mkplaincell", "table cell"),
            _held("mksecondline", "second paragraph of a cell"),
            _held("mkinnera", "nested table"),
            _held("mkinnerb", "nested table"),
            _held("mkafterinner", "after a nested table"),
            _held("mklowercell", "cell beside a merged one"),
            _held("mklowerlast", "table cell"),
            _held("mkblock", "cell merged across and down"),
            _held("mkbeside", "table cell"),
            _held("mkbelowbeside", "table cell"),
        ),
        part(p("Between two tables.")),
        part(
            wrapped,
            _held("mkfirstrow", "table cell"),
            _held("mkrowcontrol", "row in a content control"),
            _held("mkcellcontrol", "cell in a content control"),
            _held("mkincell", "content control in a cell"),
            _held("mkbefore", "row that begins late"),
            _held("mklate", "row that begins late"),
            _held("mkxmlrow", "row in custom XML"),
        ),
        part(p("Between two tables.")),
        part(
            tracked,
            _held("mkstays", "table cell"),
            _held("mkrowadded", "inserted row"),
            Mark("mkrowgone", "deleted row", DELETED),
            Mark("mkrowstruck", "deleted row with struck text", DELETED),
            Left((DELETED,), "mkrowgone mkrowstruck"),
        ),
    ]
