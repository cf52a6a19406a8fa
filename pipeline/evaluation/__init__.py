"""Is the new adapter better? Proof on held-out reports, against the champion or else the bare base.

    held-out examples ── selection.py ─> sections ──┬── bits.py ──────────────────> bits per byte   ┐
    base, candidate, champion ── contenders.py ───┴── generation.py ── chrf.py ─> chrF++          ┤
                                                                                                  │
        Evaluation(comparisons, verdict) <── comparison.py <── statistics.py (paired bootstrap) <─┘
             └── report.py: Markdown for people, a table for the terminal

What a contender scored on each section is kept (measured.py): a champion is not measured anew for each
candidate.
"""

from pipeline.evaluation.comparison import Comparison
from pipeline.evaluation.evaluate import evaluate, last_evaluation
from pipeline.evaluation.found import EvaluateDocument, Evaluation
from pipeline.evaluation.report import table

__all__ = ["Comparison", "EvaluateDocument", "Evaluation", "evaluate", "last_evaluation", "table"]
