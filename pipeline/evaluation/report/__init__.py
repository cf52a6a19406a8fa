"""An evaluation told to people: a page for the browser, a Markdown page, and a table for the terminal.

Evaluation ── words.py: the verdict in plain words ──┬── page.py, plots.py ──> report.html, one file by itself
sections, written sections (pairs.py) ───────────────┼── markdown.py ────────> report.md
                                                     └── terminal.py ────────> a table of rich
"""

from pipeline.evaluation.report.markdown import markdown
from pipeline.evaluation.report.page import page_of
from pipeline.evaluation.report.pairs import SideBySide, side_by_side
from pipeline.evaluation.report.terminal import table

__all__ = ["SideBySide", "markdown", "page_of", "side_by_side", "table"]
