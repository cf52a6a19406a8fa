"""What in a text can be right or wrong by itself, by rules: numbers, dates, money, codes, acronyms, names.

    text ── labels ── addresses ── codes ── dates ── amounts, percentages, numbers ── names, acronyms ──> [Fact]

Each finder takes what it knows and leaves the rest to the next; no character belongs to two facts. Catalan, Spanish
and English. Knows nothing of reports, windows or models.
"""

from pipeline.facts.extract import facts_of
from pipeline.facts.fact import Fact, Kind

__all__ = ["Fact", "Kind", "facts_of"]
