"""Style and numbering definitions of a sample report, as Word in each language would leave them.

How ``Design.headings`` names the heading styles (all define ``outlineLvl``, except where said):

    standard    id Heading1, name "heading 1"
    localised   id Ttulo1 or Ttol1 (Word drops accented letters from ids), name "heading 1"
    named       the same id, name "Título 1" or "Títol 1", as other word processors write it
    custom      the paragraphs use a style of the house, based on a heading style and without outlineLvl
"""

from typing import TYPE_CHECKING, Any, Final

from data.sample.document import Document

if TYPE_CHECKING:
    from docx.document import Document as WordDocument

LEVELS: Final = 3
HEADING_NUM_ID: Final = 901
_HEADING_ABSTRACT_ID: Final = 901
_STEPS_ABSTRACT_ID: Final = 902
_FIRST_STEPS_NUM_ID: Final = 910
_NAMES: Final = {"ca": ("Ttol", "Títol"), "es": ("Ttulo", "Título"), "en": ("Heading", "Heading")}
_CUSTOM: Final = {"ca": "Apartat memòria", "es": "Apartado memoria", "en": "Report heading"}
_SIZES: Final = (32, 26, 24)
_NAMESPACE: Final = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def heading_style_ids(document: Document) -> list[str]:
    """The style ids that the headings of level 1, 2 and 3 carry."""
    if document.design.headings == "custom":
        stem = "".join(letter for letter in _CUSTOM[document.language] if letter.isascii() and letter.isalpha())
        return [f"{stem}{level}" for level in range(1, LEVELS + 1)]
    return _base_ids(document)


def title_style_id(document: Document) -> str:
    """The id of the style that the title on the first page carries."""
    if document.design.headings in ("localised", "named"):
        return {"ca": "Ttol", "es": "Ttulo", "en": "Title"}[document.language]
    return "Title"


def define_styles(word: "WordDocument", document: Document) -> None:
    """Put the document's own heading and title styles in; add those of footnotes and contents."""
    from docx.oxml import parse_xml

    styles = word.styles.element
    names = [*(f"Heading{level}" for level in range(1, LEVELS + 1)), "Title"]
    # Their linked character styles and the one based on them go too: they would point at nothing.
    ids = {*names, *(f"{name}Char" for name in names), "TOCHeading"}
    for style in [style for style in styles.style_lst if style.styleId in ids]:
        styles.remove(style)
    for xml in _style_xml(document):
        styles.append(parse_xml(xml))
    normal = word.styles["Normal"]
    normal.font.name = document.design.font
    language = {"ca": "ca-ES", "es": "es-ES", "en": "en-GB"}[document.language]
    normal.element.get_or_add_rPr().append(parse_xml(f'<w:lang {_NAMESPACE} w:val="{language}"/>'))


def define_numbering(word: "WordDocument", document: Document) -> None:
    """Add the multi-level numbering of headings (if automatic) and that of numbered lists."""
    from docx.oxml import parse_xml

    numbering = word.part.numbering_part.element
    first_num = numbering.num_lst[0]
    levels = "".join(
        f'<w:lvl w:ilvl="{level}"><w:start w:val="1"/><w:numFmt w:val="decimal"/>'
        f'<w:pStyle w:val="{style}"/><w:lvlText w:val="{_level_text(level)}"/><w:lvlJc w:val="left"/></w:lvl>'
        for level, style in enumerate(heading_style_ids(document))
    )
    steps = (
        '<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/>'
        '<w:lvlJc w:val="left"/><w:pPr><w:ind w:left="720" w:hanging="360"/></w:pPr></w:lvl>'
    )
    for number, kind, body in (
        (_HEADING_ABSTRACT_ID, "multilevel", levels if document.design.numbering == "auto" else ""),
        (_STEPS_ABSTRACT_ID, "singleLevel", steps),
    ):
        if body:
            # The schema wants every abstractNum before the first num.
            first_num.addprevious(
                parse_xml(
                    f'<w:abstractNum {_NAMESPACE} w:abstractNumId="{number}">'
                    f'<w:multiLevelType w:val="{kind}"/>{body}</w:abstractNum>'
                )
            )
    if document.design.numbering == "auto":
        numbering.append(_num(HEADING_NUM_ID, _HEADING_ABSTRACT_ID, ""))


def start_steps(word: "WordDocument", list_number: int) -> int:
    """Begin a numbered list at 1 and return its ``numId``."""
    num_id = _FIRST_STEPS_NUM_ID + list_number
    restart = '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride>'
    word.part.numbering_part.element.append(_num(num_id, _STEPS_ABSTRACT_ID, restart))
    return num_id


def _num(num_id: int, abstract_id: int, override: str) -> Any:
    from docx.oxml import parse_xml

    return parse_xml(
        f'<w:num {_NAMESPACE} w:numId="{num_id}"><w:abstractNumId w:val="{abstract_id}"/>{override}</w:num>'
    )


def _level_text(level: int) -> str:
    return ".".join(f"%{place}" for place in range(1, level + 2)) + ("." if level == 0 else "")


def _base_ids(document: Document) -> list[str]:
    localised = document.design.headings in ("localised", "named")
    stem = _NAMES[document.language][0] if localised else "Heading"
    return [f"{stem}{level}" for level in range(1, LEVELS + 1)]


def _style_xml(document: Document) -> list[str]:
    design, language = document.design, document.language
    made = []
    for level, (style_id, size) in enumerate(zip(_base_ids(document), _SIZES, strict=True)):
        stem = _NAMES[language][1] if design.headings == "named" else "heading"
        numbered = design.numbering == "auto" and design.headings != "custom"
        made.append(
            _paragraph_style(
                style_id,
                f"{stem} {level + 1}",
                "Normal",
                f"<w:keepNext/>{_num_pr(level) if numbered else ''}"
                f'<w:spacing w:before="{360 - 80 * level}" w:after="120"/><w:outlineLvl w:val="{level}"/>',
                f'<w:b/><w:color w:val="1F3864"/><w:sz w:val="{size}"/>',
            )
        )
    if design.headings == "custom":
        bases = zip(heading_style_ids(document), _base_ids(document), strict=True)
        for level, (style_id, base) in enumerate(bases):
            numbers = _num_pr(level) if design.numbering == "auto" else ""
            name = f"{_CUSTOM[language]} {level + 1}"
            made.append(_paragraph_style(style_id, name, base, numbers, '<w:color w:val="7B341E"/>'))
    title = {"ca": "Títol", "es": "Título", "en": "Title"}[language] if design.headings == "named" else "Title"
    made.append(
        _paragraph_style(
            title_style_id(document),
            title,
            "Normal",
            '<w:spacing w:after="240"/>',
            '<w:b/><w:sz w:val="44"/>',
        )
    )
    for level in range(1, LEVELS + 1):
        tabs = '<w:tabs><w:tab w:val="right" w:leader="dot" w:pos="8640"/></w:tabs>'
        indent = f'<w:ind w:left="{220 * (level - 1)}"/>'
        made.append(_paragraph_style(f"TOC{level}", f"toc {level}", "Normal", tabs + indent, ""))
    made.append(_paragraph_style("FootnoteText", "footnote text", "Normal", "", '<w:sz w:val="18"/>'))
    made.append(
        f'<w:style {_NAMESPACE} w:type="character" w:styleId="FootnoteReference">'
        '<w:name w:val="footnote reference"/><w:rPr><w:vertAlign w:val="superscript"/></w:rPr></w:style>'
    )
    return made


def _num_pr(level: int) -> str:
    return f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{HEADING_NUM_ID}"/></w:numPr>'


def _paragraph_style(style_id: str, name: str, base: str, paragraph: str, run: str) -> str:
    return (
        f'<w:style {_NAMESPACE} w:type="paragraph" w:styleId="{style_id}"><w:name w:val="{name}"/>'
        f'<w:basedOn w:val="{base}"/><w:next w:val="Normal"/><w:qFormat/>'
        f"<w:pPr>{paragraph}</w:pPr><w:rPr>{run}</w:rPr></w:style>"
    )
