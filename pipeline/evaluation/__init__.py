"""Is the new adapter better? Proof on held-out reports, against the champion and the bare base.

held-out examples ── selection.py ─> sections ──┬── bits.py ────────────────> bits per byte, over all and over facts
base, champion, candidate ── contenders.py ───┴── generation.py ── scores ─> what the written sections are worth
                                 │                                                      │ scored.py
               measured.py: a section is measured once                                  v
                                                        comparison.py <── statistics.py (paired bootstrap by report)
                                                              │
                                 Evaluation <── gate.py: better, not better, or too few to judge
                                     └── report: HTML and Markdown for people, a table for the terminal
"""

from pipeline.evaluation.comparison import Comparison
from pipeline.evaluation.evaluate import Surroundings, evaluate, last_evaluation
from pipeline.evaluation.found import EvaluateDocument, Evaluation
from pipeline.evaluation.generation import Written
from pipeline.evaluation.report import table
from pipeline.evaluation.scores import Context

__all__ = [
    "Comparison",
    "Context",
    "EvaluateDocument",
    "Evaluation",
    "Surroundings",
    "Written",
    "evaluate",
    "last_evaluation",
    "table",
]
