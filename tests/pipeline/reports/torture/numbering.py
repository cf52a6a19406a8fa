"""Numbering definitions of the torture document. Ids 10 to 22 number headings, 30 to 32 lists."""

_FUTURE = "http://schemas.microsoft.com/office/word/2010/wordml"


def _level(depth: int, kind: str, pattern: str, *, start: int = 1, before: str = "", after: str = "") -> str:
    """A level; `before` stands before its pattern, `after` behind it, as the schema orders them."""
    return (
        f'<w:lvl w:ilvl="{depth}"><w:start w:val="{start}"/><w:numFmt w:val="{kind}"/>{before}'
        f'<w:lvlText w:val="{pattern}"/>{after}</w:lvl>'
    )


def _style(identity: str) -> str:
    return f'<w:pStyle w:val="{identity}"/>'


_CUSTOM = (
    '<w:lvl w:ilvl="0"><w:start w:val="1"/>'
    f'<mc:AlternateContent xmlns:w14="{_FUTURE}"><mc:Choice Requires="w14">'
    '<w:numFmt w:val="custom" w:format="001, 002, 003, ..."/></mc:Choice>'
    '<mc:Fallback><w:numFmt w:val="decimal"/></mc:Fallback></mc:AlternateContent>'
    '<w:lvlText w:val="%1"/></w:lvl>'
)

_DEFINITIONS: dict[int, str] = {
    10: _level(0, "decimal", "%1.", before=_style("NumOne"))
    + _level(1, "decimal", "%1.%2", before=_style("NumTwo"))
    + _level(2, "lowerLetter", "%1.%2.%3)", before=_style("NumThree")),
    13: _level(0, "upperLetter", "Annex %1", start=3),
    14: _level(0, "upperRoman", "%1.", start=4) + _level(1, "decimal", "%1.%2", before="<w:isLgl/>"),
    15: _level(0, "decimal", "%1") + _level(1, "decimal", "%2)", before='<w:lvlRestart w:val="0"/>'),
    16: _CUSTOM,
    17: _level(0, "decimalZero", "%1"),
    18: '<w:numStyleLink w:val="RomanList"/>',
    19: '<w:styleLink w:val="RomanList"/>' + _level(0, "lowerRoman", "%1)"),
    20: _level(0, "decimal", "§ %1", before='<w:suff w:val="space"/>')
    + _level(1, "decimal", "%1-%2", before='<w:suff w:val="nothing"/>'),
    22: _level(0, "decimal", "%1."),
    30: _level(0, "bullet", "•") + _level(1, "bullet", "o"),
    31: _level(0, "decimal", "%1.") + _level(1, "lowerLetter", "%2)") + _level(2, "lowerRoman", "(%3)"),
}


def _instance(num_id: int, definition: int, override: str = "") -> str:
    inside = f'<w:lvlOverride w:ilvl="0">{override}</w:lvlOverride>' if override else ""
    return f'<w:num w:numId="{num_id}"><w:abstractNumId w:val="{definition}"/>{inside}</w:num>'


NUMBERING = "".join(
    (
        *(
            f'<w:abstractNum w:abstractNumId="{identity}"><w:multiLevelType w:val="multilevel"/>'
            f"{inside}</w:abstractNum>"
            for identity, inside in _DEFINITIONS.items()
        ),
        *(_instance(identity, identity) for identity in _DEFINITIONS if identity != 22),
        _instance(12, 10, '<w:startOverride w:val="7"/>'),
        _instance(22, 22, _level(0, "decimal", "Bloc %1")),
        _instance(32, 31, '<w:startOverride w:val="1"/>'),
    )
)
