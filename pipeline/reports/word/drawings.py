"""Words in charts and diagrams (SmartArt): they live in parts of their own."""

from pipeline.reports.archive import Element
from pipeline.reports.blocks import Tally, tidy, visible
from pipeline.reports.word import names as n


def drawing_texts(part: Element) -> list[str]:
    """All words of the part in their order: diagram texts, chart titles, series and categories."""
    found = []
    for element in part.iter(n.A_T, n.CHART_VALUE, n.CHART_EX_POINT):
        if element.tag == n.A_T or next(element.iterancestors(n.CHART_STRINGS, n.CHART_EX_STRINGS), None) is not None:
            found.append(element.text or "")
    return found


def drawing_text(part: Element, tally: Tally) -> tuple[str, int]:
    """The words in one line, and how many characters it holds; a chart's repeated categories come once."""
    texts: list[str] = []
    for text in drawing_texts(part):
        if tidy(text) in texts:
            tally.leave("repeated chart label", text)
        elif tidy(text):
            texts.append(tidy(text))
    return "; ".join(texts), sum(map(visible, texts))
