"""Equations: every construct of Office mathematics, with a mark in each place."""

from tests.pipeline.reports.report_files import Craft
from tests.pipeline.reports.torture.manifest import Mark, Part, part

p, run = Craft.p, Craft.run


def _leaf(word: str, properties: str = "") -> str:
    return f"<m:r>{f'<m:rPr>{properties}</m:rPr>' if properties else ''}<m:t>{word}</m:t></m:r>"


def _build(name: str, properties: str = "", **parts: str) -> str:
    """An m: element with its children in order; a child's name may end in a digit to repeat it."""
    inside = "".join(
        f"<m:{child.rstrip('0123456789')}>{_leaf(word)}</m:{child.rstrip('0123456789')}>"
        for child, word in parts.items()
    )
    before = f"<m:{name}Pr>{properties}</m:{name}Pr>" if properties else ""
    return f"<m:{name}>{before}{inside}</m:{name}>"


def _value(name: str, value: str) -> str:
    return f'<m:{name} m:val="{value}"/>'


def _equation(kind: str, xml: str, *words: str) -> Part:
    inside = run("Where ") + f"<m:oMath>{xml}</m:oMath>" + run(" holds.")
    return part(p(raw=inside), *(Mark(word, f"equation: {kind}", block="paragraph") for word in words))


def equations() -> list[Part]:
    """In a line, displayed, and with ordinary and tracked text inside."""
    cells = "".join(
        f"<m:mr><m:e>{_leaf(a)}</m:e><m:e>{_leaf(b)}</m:e></m:mr>"
        for a, b in (("mkeqma", "mkeqmb"), ("mkeqmc", "mkeqmd"))
    )
    first = f"<m:oMath>{_leaf('mkeqdisplay')}<m:r><w:br/></m:r></m:oMath>"
    shown = f"<m:oMathPara>{first}<m:oMath>{_leaf('mkeqdisplaytwo')}</m:oMath></m:oMathPara>"
    power = _build("sSup", e="mkeqnestbase", sup="mkeqnestpower")
    nested = f"<m:f><m:num>{power}</m:num><m:den>{_leaf('mkeqnestden')}</m:den></m:f>"
    tracked = f'<w:ins w:id="930" w:author="a">{_leaf("mkeqinserted")}</w:ins>'
    return [
        _equation("fraction", _build("f", num="mkeqnum", den="mkeqden"), "mkeqnum", "mkeqden"),
        _equation("superscript", _build("sSup", e="mkeqbase", sup="mkeqsup"), "mkeqbase", "mkeqsup"),
        _equation("subscript", _build("sSub", e="mkeqlow", sub="mkeqsub"), "mkeqlow", "mkeqsub"),
        _equation(
            "both scripts",
            _build("sSubSup", e="mkeqmid", sub="mkeqbelow", sup="mkeqabove"),
            "mkeqmid",
            "mkeqbelow",
            "mkeqabove",
        ),
        _equation("radical", _build("rad", deg="mkeqdegree", e="mkeqradicand"), "mkeqdegree", "mkeqradicand"),
        _equation(
            "n-ary",
            _build("nary", _value("chr", "∑"), sub="mkeqfrom", sup="mkeqto", e="mkeqterm"),
            "mkeqfrom",
            "mkeqto",
            "mkeqterm",
        ),
        _equation("matrix", f"<m:m>{cells}</m:m>", "mkeqma", "mkeqmb", "mkeqmc", "mkeqmd"),
        _equation(
            "delimiter",
            _build(
                "d",
                _value("begChr", "[") + _value("sepChr", ";") + _value("endChr", "]"),
                e1="mkeqleft",
                e2="mkeqright",
            ),
            "mkeqleft",
            "mkeqright",
        ),
        _equation("accent", _build("acc", _value("chr", "\u0302"), e="mkeqaccent"), "mkeqaccent"),
        _equation("lower limit", _build("limLow", e="mkeqlimit", lim="mkeqtending"), "mkeqlimit", "mkeqtending"),
        _equation("upper limit", _build("limUpp", e="mkequpper", lim="mkeqover"), "mkequpper", "mkeqover"),
        _equation("function", _build("func", fName="mkeqfunction", e="mkeqargument"), "mkeqfunction", "mkeqargument"),
        _equation("group character", _build("groupChr", _value("chr", "⏟"), e="mkeqgroup"), "mkeqgroup"),
        _equation("bar", _build("bar", _value("pos", "top"), e="mkeqbar"), "mkeqbar"),
        _equation("box", _build("box", e="mkeqbox"), "mkeqbox"),
        _equation("border box", _build("borderBox", e="mkeqborder"), "mkeqborder"),
        _equation("equation array", _build("eqArr", e1="mkeqfirst", e2="mkeqsecond"), "mkeqfirst", "mkeqsecond"),
        _equation(
            "scripts before",
            _build("sPre", sub="mkeqpresub", sup="mkeqpresup", e="mkeqprebase"),
            "mkeqpresub",
            "mkeqpresup",
            "mkeqprebase",
        ),
        _equation("nested", nested, "mkeqnestbase", "mkeqnestpower", "mkeqnestden"),
        _equation("words inside", _leaf("mkeqwords", "<m:nor/>") + run(" mkeqrun"), "mkeqwords", "mkeqrun"),
        _equation("tracked", tracked, "mkeqinserted"),
        part(
            p(raw=shown), Mark("mkeqdisplay", "displayed equation"), Mark("mkeqdisplaytwo", "second displayed equation")
        ),
    ]
