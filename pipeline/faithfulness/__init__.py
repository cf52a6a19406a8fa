"""Where what a text says comes from: every figure, date, name and code of it, held against what its writer was given.

    text ─────── facts ── claims.py ──────> claims ─┐
                                                    ├── lookup.py: said, rounded, or added up?
    sources.py ── index.py, block by block ─────────┘        │
      (derived.py: the sums that are tried)               own.py: the text's own totals
                                                             └──> Traced(claims with their support or none, unused)

Formats are no matter: 1.234,56 = 1,234.56; "març de 2024" = 03/2024. Knows nothing of models or of pages.
"""

from pipeline.faithfulness.records import OWN_TEXT, Claim, How, Owed, Source, Support, Traced
from pipeline.faithfulness.sources import sources_of_brief, sources_of_draft, sources_of_example, sources_of_messages
from pipeline.faithfulness.trace import trace

VERSION = "faithfulness-1"  # raised when the same text and sources would be traced otherwise

__all__ = [
    "OWN_TEXT",
    "VERSION",
    "Claim",
    "How",
    "Owed",
    "Source",
    "Support",
    "Traced",
    "sources_of_brief",
    "sources_of_draft",
    "sources_of_example",
    "sources_of_messages",
    "trace",
]
