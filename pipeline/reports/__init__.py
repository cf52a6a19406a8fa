"""Reports in: the files of a grants office as sections in their order, nothing lost that can be seen.

    paths ── ingest ──> isolate: one process a file ──> read ──> artifact, catalogue: <workspace>/reports/
                                                         │                   └── duplicates: versions of one report
                   .docx .docm       word/ ─────┐        │
                   .doc .rtf   office ┘         │        │
                   .odt              odt/ ──────┤ blocks: headings, pieces and remarks, in reading order
                   .pdf              pdf/ ──────┤        │
                   .html .md .tex    html/ markup tex/ ──┼──> outline ──> language ──> Report(sections, characters)
                   .txt              plain_text ┘        └─ promotion, where no heading is marked

This room knows files and text. It knows nothing of tokens, windows or models.
"""

from pipeline.reports.artifact import Entry, load
from pipeline.reports.catalogue import (
    families,
    find_report,
    find_section,
    iterate_reports,
    list_reports,
    load_reports,
)
from pipeline.reports.duplicates import Duplicates, SignedReport, find_duplicates, sign
from pipeline.reports.ingest import Ingested, Refused, ingest
from pipeline.reports.read import READER, SUPPORTED, read_report

__all__ = [
    "READER",
    "SUPPORTED",
    "Duplicates",
    "Entry",
    "Ingested",
    "Refused",
    "SignedReport",
    "families",
    "find_duplicates",
    "find_report",
    "find_section",
    "ingest",
    "iterate_reports",
    "list_reports",
    "load",
    "load_reports",
    "read_report",
    "sign",
]
