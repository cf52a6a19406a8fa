"""One thing written several times, for newer and older programs (`mc:AlternateContent`): which one is read."""

from pipeline.reports.archive import Element
from pipeline.reports.word import names as n


def alternative(element: Element) -> Element | None:
    """The one of several renderings that is read: the first that we know, unless only the fallback holds text."""
    choice = next((choice for choice in element.iterfind(n.CHOICE) if _is_known(choice)), None)
    fallback = element.find(n.FALLBACK)
    if choice is None or (fallback is not None and not _has_text(choice) and _has_text(fallback)):
        return fallback
    return choice


def _is_known(choice: Element) -> bool:
    """Does it need nothing but names of Office? What others invent, Word does not show either."""
    spaces = (choice.nsmap.get(prefix, n.OFFICE_SPACES[0]) for prefix in choice.get("Requires", "").split())
    return all(space.startswith(n.OFFICE_SPACES) for space in spaces)


def _has_text(element: Element) -> bool:
    if next(element.iter(n.CHART, n.CHART_EX, n.DIAGRAM), None) is not None:
        return True  # in a part of its own
    return any((text.text or "").strip() for text in element.iter(n.T, n.M_T, n.A_T))
