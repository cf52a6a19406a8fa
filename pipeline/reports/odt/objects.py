"""What stands in a document as an object of its own: formulas, charts, sheets. Each has its own content.xml."""

import posixpath
import re
from collections.abc import Iterator

from lxml import etree

from pipeline.reports.archive import Archive, Element, parser
from pipeline.reports.blocks import Tally, tidy, visible
from pipeline.reports.mathml import local_name
from pipeline.reports.odt.names import ALT_TEXTS, P, q

_PLAIN_DOCTYPE = re.compile(rb"<!DOCTYPE[^\[<>]*>")
_TITLES = (q("chart:title"), q("chart:subtitle"))


def folder_of(reference: str | None) -> str:
    """The folder inside the file that a frame's object refers to ("./Object 1"); "" if it leads elsewhere."""
    folder = posixpath.normpath(reference or "")
    return "" if ":" in folder or folder.startswith(("/", ".")) else folder


def object_root(archive: Archive, folder: str) -> Element | None:
    """A formula's root, or any other embedded object's body; None if there is no such object.

    Raises:
        UserError: it is damaged or harmful.
    """
    name = f"{folder}/content.xml"
    if name not in archive.names:
        return None
    # Older writers give formulas the DOCTYPE of MathML. Without a subset of its own it defines nothing.
    data = _PLAIN_DOCTYPE.sub(b"", archive.data(name), count=1)
    if b"<!DOCTYPE" in data:
        return archive.part(name)  # which refuses it
    try:
        root = etree.fromstring(data, parser())
    except etree.XMLSyntaxError as error:
        raise archive.damaged(name, error) from error
    return root if is_formula(root) else root.find(q("office:body"))


def is_formula(root: Element) -> bool:
    """Is this MathML, with a name space or, as old writers have it, without?"""
    return local_name(root) == "math"


def chart_text(chart: Element, tally: Tally) -> tuple[str, int]:
    """Titles, series and categories in one line, each once, and how many characters those hold."""
    said: list[str] = []
    for text, is_label in _chart_texts(chart):
        if not is_label:
            tally.leave("chart data", text)
        elif tidy(text) in said:
            tally.leave("repeated chart label", text)
        elif tidy(text):
            said.append(tidy(text))
    return "; ".join(said), sum(map(visible, said))


def _chart_texts(chart: Element) -> Iterator[tuple[str, bool]]:
    """Each text of a chart, and whether it is printed: the table of values that it is drawn from is not."""
    for element in chart.iter(P):
        cell = next(element.iterancestors(q("table:table-cell")), None)
        titled = next(element.iterancestors(*_TITLES), None) is not None
        in_group = next(element.iterancestors(q("draw:g")), None) is not None
        in_words = cell is not None and cell.get(q("office:value-type")) == "string" and not in_group
        yield "".join(element.itertext()), titled or in_words or cell is None
    for element in chart.iter(*ALT_TEXTS):
        yield "".join(element.itertext()), False
