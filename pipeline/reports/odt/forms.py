"""Form controls: what has been ticked, chosen and filled in stands apart from the text that it is shown in."""

from pipeline.reports import markdown
from pipeline.reports.archive import Element
from pipeline.reports.blocks import tidy
from pipeline.reports.odt.names import q

_VALUES = ("form:current-value", "form:value")


def controls_of(forms: Element) -> dict[str, Element]:
    """The controls of a document's forms by the name that their places refer to."""
    found: dict[str, Element] = {}
    for control in forms.iter():
        if name := control.get(q("xml:id")) or control.get(q("form:id")):
            found.setdefault(name, control)
    return found


def control_text(control: Element) -> str:
    """What a control shows: its state or value, and its label."""
    label = control.get(q("form:label"), "")
    if control.tag in (q("form:checkbox"), q("form:radio")):
        state = control.get(q("form:current-state"), control.get(q("form:state"), ""))
        is_on = state == "checked" or control.get(q("form:current-selected"), "") == "true"
        return f"{markdown.box(is_on)} {label}".strip()
    chosen = [
        option.get(q("form:label"), "")
        for option in control.iter(q("form:option"))
        if "true" in (option.get(q("form:current-selected")), option.get(q("form:selected")))
    ]
    written = [tidy("".join(paragraph.itertext())) for paragraph in control.iter(q("text:p"))]
    value = next((v for name in _VALUES if (v := control.get(q(name)))), "")
    return " ".join(filter(None, [label, *(chosen or written or [value])]))
