"""Content controls of every sort around paragraphs, words and tables."""

from tests.pipeline.reports.report_files import Craft
from tests.pipeline.reports.torture.manifest import UNSEEN, Mark, Part, part
from tests.pipeline.reports.torture.tables import control, row, table

p, run, cell = Craft.p, Craft.run, Craft.cell
_FUTURE = 'xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"'
_BINDING = (
    '<w:dataBinding w:prefixMappings="xmlns:o=\'urn:own\'" w:xpath="/o:data/o:name" w:storeItemID="{11111111-2222}"/>'
)
BOUND_DATA = '<o:data xmlns:o="urn:own"><o:name>mkbound</o:name></o:data>'


def controls() -> list[Part]:
    """Around a block, a run, a table; checked, chosen, dated, bound, empty. tables.py has those in a table."""
    box = f'<w14:checkbox {_FUTURE}><w14:checked w14:val="1"/></w14:checkbox>'
    choice = (
        '<w:dropDownList><w:listItem w:displayText="mkchosen" w:value="1"/>'
        '<w:listItem w:displayText="mknotchosen" w:value="2"/></w:dropDownList>'
    )
    empty = '<w:showingPlcHdr/><w:alias w:val="mkalias"/><w:tag w:val="mktag"/>'
    plain = table(row(cell(p("mktablecontrol")), cell(p("x"))), row(cell(p("y")), cell(p("z"))))

    def line(word: str, kind: str, properties: str = "", before: str = "", shown: str | None = None) -> Part:
        inside = control(run(before + word), properties)
        return part(p(raw=run("Value: ") + inside + run(".")), Mark(word, kind, block="paragraph", shown=shown))

    return [
        part(control(p("mkblockcontrol")), Mark("mkblockcontrol", "content control around a block", block="paragraph")),
        line("mkruncontrol", "content control in a line"),
        part(control(plain), Mark("mktablecontrol", "content control around a table", block="table")),
        part(
            control(control(p("mknestedcontrol"))),
            Mark("mknestedcontrol", "nested content controls", block="paragraph"),
        ),
        line("mkbound", "content control bound to data", _BINDING),
        line("mkticked", "check box", box, "☒ ", "☒ mkticked"),
        part(
            p(raw=control(run("mkchosen"), choice)),
            Mark("mkchosen", "drop-down list", block="paragraph"),
            Mark("mknotchosen", "entry not chosen", UNSEEN),
        ),
        line("mkdated", "date", '<w:date w:fullDate="2024-05-01T00:00:00Z"/>'),
        part(
            p(raw=control(run("mkplaceholder", '<w:rStyle w:val="PlaceholderText"/>'), empty)),
            Mark("mkplaceholder", "placeholder", block="paragraph"),
            Mark("mkalias", "name of a content control", UNSEEN),
            Mark("mktag", "tag of a content control", UNSEEN),
        ),
        line("mkcitation", "citation", "<w:citation/>"),
        part(
            control(p("Bibliografia") + p("mkbibliography, 2019."), "<w:bibliography/>"),
            Mark("mkbibliography", "bibliography", block="paragraph"),
        ),
    ]
