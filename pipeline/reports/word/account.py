"""The account of a Word file: every character of every part, counted without regard to how it was read."""

import posixpath

from pipeline.reports.blocks import Reading, visible
from pipeline.reports.word import names as n
from pipeline.reports.word.drawings import drawing_texts
from pipeline.reports.word.names import Element
from pipeline.reports.word.package import Package

_BY_NAME = (("header", "header or footer"), ("footer", "header or footer"), ("comments", "comment"))


def account_for_all_parts(package: Package, reading: Reading, read_drawings: set[str]) -> None:
    """Count what is visible in all parts, and give a reason for those that are never read."""
    read = {package.main_name, package.related("footnotes"), package.related("endnotes")}
    folder = posixpath.dirname(package.main_name) + "/"
    for name in package.names:
        if not name.startswith(folder) or not name.endswith(".xml") or "/_rels/" in name:
            continue
        part = package.part(name)
        count = _count(part, name.removeprefix(folder))
        reading.tally.visible += count
        if not count or name in read or name in read_drawings:
            continue
        if reason := _reason(name.removeprefix(folder)):
            reading.tally.left_out[reason] += count
        else:
            reading.warnings.append(f"{count} characters of an unknown part were not read: {name}")


def _count(part: Element, name: str) -> int:
    if name.startswith(("charts/", "diagrams/")):
        return sum(map(visible, drawing_texts(part)))
    return sum(visible(text.text) for text in part.iter(*n.TEXTS) if text.text)


def _reason(name: str) -> str | None:
    """Why a part other than the main text and its notes is not read; None if we do not know it."""
    if name.startswith("glossary/"):
        return "building block"
    if name.startswith("diagrams/drawing"):
        return "fallback copy"
    if name.startswith(("charts/", "diagrams/")):
        return "drawing without a reference"
    return next((reason for start, reason in _BY_NAME if name.startswith(start)), None)
