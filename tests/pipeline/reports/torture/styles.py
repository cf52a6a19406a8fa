"""Styles of the torture document: headings by every road, hidden ones, lists, captions, contents."""


def style(
    name: str, identity: str, based: str = "", paragraph: str = "", run: str = "", kind: str = "paragraph"
) -> str:
    """A style; `paragraph` and `run` are the insides of its properties."""
    return (
        f'<w:style w:type="{kind}" w:styleId="{identity}"><w:name w:val="{name}"/>'
        + (f'<w:basedOn w:val="{based}"/>' if based else "")
        + (f"<w:pPr>{paragraph}</w:pPr>" if paragraph else "")
        + (f"<w:rPr>{run}</w:rPr>" if run else "")
        + "</w:style>"
    )


def _outline(level: int) -> str:
    return f'<w:outlineLvl w:val="{level}"/>'


def _number(num_id: int, depth: int) -> str:
    return f'<w:numPr><w:ilvl w:val="{depth}"/><w:numId w:val="{num_id}"/></w:numPr>'


STYLES = "".join(
    (
        '<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style>',
        style("Title", "Title", "Normal", run='<w:sz w:val="40"/>'),
        style("Subtitle", "Subtitle", "Normal"),
        *(
            style(f"heading {level}", f"Heading{level}", "Normal", _outline(level - 1), "<w:b/>")
            for level in range(1, 6)
        ),
        style("Apartat propi", "Own", "Heading2"),
        style("Apartat del propi", "OwnDeeper", "Own", _outline(2)),
        style("Cos amb aspecte de títol", "Lookalike", "Heading1", _outline(9)),
        style("Títol 1", "Ttol1", "Normal"),
        style("Título 2", "Ttulo2", "Normal"),
        style("Titre 2", "Titre2", "Normal"),
        style("Überschrift 3", "berschrift3", "Normal"),
        style("Capítol numerat", "NumOne", "Heading1", _number(10, 0)),
        style("Apartat numerat", "NumTwo", "Heading2", _number(10, 1)),
        style("Punt numerat", "NumThree", "Heading3", _number(10, 2)),
        style("Apartat numerat propi", "NumOwn", "NumTwo"),
        style("TOC Heading", "TOCHeading", "Heading1", _outline(9)),
        style("toc 1", "TOC1", "Normal"),
        style("toc 2", "TOC2", "Normal"),
        style("table of figures", "TableofFigures", "Normal"),
        style("index 1", "Index1", "Normal"),
        style("caption", "Caption", "Normal"),
        style("List Paragraph", "ListParagraph", "Normal"),
        style("List Bullet", "ListBullet", "Normal", '<w:numPr><w:numId w:val="30"/></w:numPr>'),
        style("footnote text", "FootnoteText", "Normal"),
        style("header", "Header", "Normal"),
        style("Ocult", "Secret", "Normal", run="<w:vanish/>"),
        style("Fill d'ocult", "SecretChild", "Secret"),
        style("Paraules ocultes", "SecretWords", run="<w:vanish/>", kind="character"),
        style("Placeholder Text", "PlaceholderText", kind="character"),
        style("Llista de romans", "RomanList", paragraph='<w:numPr><w:numId w:val="19"/></w:numPr>', kind="numbering"),
        style("Table Grid", "TableGrid", kind="table"),
    )
)
