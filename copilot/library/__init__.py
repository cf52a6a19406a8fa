"""Projects and drafts, kept in a database so that no sentence is lost.

    Library ── open ──> Project ── outline ──> Entry     a heading, its guidance, how far its text is
                           │
                           ├── versions of each section's text: only ever added to
                           ├── facts: lines that the writer is told
                           └── sections() ──> records.Section, for pipeline.windows

Knows nothing of models, pages or Word.
"""

from copilot.library.library import Card, Library
from copilot.library.outline import Heading, format_outline, outline_of, parse_outline
from copilot.library.project import Entry, Project, State
from copilot.library.versions import Conflict, Origin, Version

__all__ = [
    "Card",
    "Conflict",
    "Entry",
    "Heading",
    "Library",
    "Origin",
    "Project",
    "State",
    "Version",
    "format_outline",
    "outline_of",
    "parse_outline",
]
