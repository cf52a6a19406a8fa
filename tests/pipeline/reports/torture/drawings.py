"""Pictures with a description, SmartArt, charts, WordArt."""

from tests.pipeline.reports.report_files import NAMESPACES, Craft
from tests.pipeline.reports.torture.boxes import drawing
from tests.pipeline.reports.torture.manifest import COPY, Left, Mark, Part, part

p, run = Craft.p, Craft.run
_DRAWING = "http://schemas.openxmlformats.org/drawingml/2006"
_SMART = "http://schemas.microsoft.com/office/drawing/2008/diagram"
_PICTURE = f"{_DRAWING}/picture"


def drawings() -> list[Part]:
    """Descriptions stand where the picture does; words of diagrams and charts after their paragraph."""
    inside = (
        f'<pic:pic xmlns:pic="{_PICTURE}"><pic:nvPicPr><pic:cNvPr id="0" name="i" descr="mkalttext"/><pic:cNvPicPr/>'
        '</pic:nvPicPr><pic:blipFill><a:blip r:embed="image"/><a:stretch/></pic:blipFill><pic:spPr><a:prstGeom '
        'prst="rect"/></pic:spPr></pic:pic>'
    )
    old = '<w:pict><v:shape alt="mkoldalt" style="width:9pt;height:9pt"><v:imagedata r:id="image"/></v:shape></w:pict>'
    art = '<w:pict><v:shape><v:textpath string="mkwordart"/></v:shape></w:pict>'
    diagram = '<dgm:relIds r:dm="diagram" r:lo="none" r:qs="none" r:cs="none"/>'
    chart = '<c:chart r:id="chart"/>'
    return [
        part(
            p(raw=run("Before ") + f"<w:r>{drawing(inside, _PICTURE, 'mkalttext')}</w:r>" + run(" mkafterpicture")),
            Mark("mkalttext", "description of a picture", block="paragraph"),
            Mark("mkafterpicture", "text after a picture", block="paragraph"),
        ),
        part(p(raw=f"<w:r>{old}</w:r>"), Mark("mkoldalt", "description of an old picture")),
        part(p(raw=f"<w:r>{art}</w:r>"), Mark("mkwordart", "WordArt")),
        part(
            p(raw=f"<w:r>{drawing(diagram, _DRAWING + '/diagram')}</w:r>"),
            Mark("mksmartone", "SmartArt"),
            Mark("mksmarttwo", "SmartArt"),
            Left((COPY,), "mksmartone mksmarttwo"),
            any_order=True,
        ),
        part(
            p(raw=f"<w:r>{drawing(chart, _DRAWING + '/chart')}</w:r>"),
            *(
                Mark(word, f"chart: {kind}")
                for word, kind in (
                    ("mkcharttitle", "title"),
                    ("mkseries", "series"),
                    ("mkserieslater", "series"),
                    ("mkcategory", "category"),
                    ("mkcategorytwo", "category"),
                    ("mkaxis", "title of an axis"),
                    ("mkaxistwo", "title of an axis"),
                )
            ),
            Left(("repeated chart label",), "mkcategory mkcategorytwo"),
            Left(("chart data",), "3 3"),
            any_order=True,
        ),
    ]


def _words(word: str) -> str:
    return f"<a:p><a:r><a:t>{word}</a:t></a:r></a:p>"


def _title(word: str) -> str:
    return f"<c:title><c:tx><c:rich><a:bodyPr/>{_words(word)}</c:rich></c:tx></c:title>"


def _strings(*words: str) -> str:
    points = "".join(f'<c:pt idx="{i}"><c:v>{word}</c:v></c:pt>' for i, word in enumerate(words))
    return f"<c:strRef><c:f>S!A1</c:f><c:strCache>{points}</c:strCache></c:strRef>"


def _series(index: int, word: str) -> str:
    numbers = '<c:numRef><c:f>S!B1</c:f><c:numCache><c:pt idx="0"><c:v>3</c:v></c:pt></c:numCache></c:numRef>'
    return (
        f'<c:ser><c:idx val="{index}"/><c:order val="{index}"/><c:tx>{_strings(word)}</c:tx>'
        f"<c:cat>{_strings('mkcategory', 'mkcategorytwo')}</c:cat><c:val>{numbers}</c:val></c:ser>"
    )


def drawing_parts() -> dict[str, str]:
    """The parts that hold the chart and the diagram, and the copy that Word keeps of the latter."""
    axes = "".join(
        f'<c:{kind}><c:axId val="{i}"/><c:scaling/>{_title(word)}<c:crossAx val="{3 - i}"/></c:{kind}>'
        for i, (kind, word) in enumerate((("catAx", "mkaxis"), ("valAx", "mkaxistwo")), 1)
    )
    plot = (
        f"<c:plotArea><c:layout/><c:barChart><c:barDir val='col'/>{_series(0, 'mkseries')}{_series(1, 'mkserieslater')}"
        f'<c:axId val="1"/><c:axId val="2"/></c:barChart>{axes}</c:plotArea>'
    )
    points = "".join(
        f'<dgm:pt modelId="{i}"><dgm:t><a:bodyPr/>{_words(word)}</dgm:t></dgm:pt>'
        for i, word in enumerate(("mksmartone", "mksmarttwo"))
    )
    copies = "".join(f"<dsp:txBody>{_words(word)}</dsp:txBody>" for word in ("mksmartone", "mksmarttwo"))
    return {
        "word/charts/chart1.xml": f"<c:chartSpace {NAMESPACES}><c:chart>{_title('mkcharttitle')}{plot}</c:chart>"
        "</c:chartSpace>",
        "word/diagrams/data1.xml": f"<dgm:dataModel {NAMESPACES}><dgm:ptLst>{points}</dgm:ptLst></dgm:dataModel>",
        "word/diagrams/drawing1.xml": f'<dsp:drawing xmlns:dsp="{_SMART}" {NAMESPACES}>'
        f"<dsp:spTree>{copies}</dsp:spTree></dsp:drawing>",
    }
