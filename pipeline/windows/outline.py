"""The headings of the whole report, before all text: what there is, and what will still come.

It is the same for every section of the report, so that a server's prefix cache reads it once.
"""

from functools import lru_cache

from pipeline.bases.tokens import Tokens
from pipeline.windows.controls import without_controls
from pipeline.windows.pieces import count_within
from pipeline.windows.plan import Plan


@lru_cache(maxsize=64)
def outline_within(plan: Plan, tokens: Tokens, budget: int) -> tuple[str, int]:
    """The headings, a line each, and their tokens; down to the deepest level with which all of them fit the budget.

    Nothing, if not even the headings of the highest level fit: some of them would be taken for all.
    """
    for deepest in sorted({heading.level for heading in plan.headings}, reverse=True):
        lines = [f"{'  ' * (h.level - 1)}- {h.title}" for h in plan.headings if h.level <= deepest]
        text = without_controls("\n".join(lines))
        count = count_within(f"\n\n{text}\n\n", tokens)
        if count <= budget:
            return text, count
    return "", 0
