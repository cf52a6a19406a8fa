"""Formulas on a page: MathML inside HTML."""

from collections.abc import Callable

from bs4.element import Tag
from lxml import html

from pipeline.reports.mathml import linear


def formula_text(tag: Tag, leave: Callable[[str], None]) -> str:
    """The formula in one line; its copies in other languages go to `leave`."""
    return linear(html.fragment_fromstring(str(tag)), leave).strip()
