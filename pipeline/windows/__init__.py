"""What the writer of a section may look back at.

Report.sections ── measure ──> pieces with tokens and facts ── build ──> Window ── render ──> chat messages
                   pieces.py            │                      build.py             render.py
headings, guidance, facts ── plan ──────┴── policies: tail, decay, select
                             plan.py        keeping.py: what is kept, what it costs, how it reads
"""

from pipeline.windows.build import POLICIES, build_windows, window_of
from pipeline.windows.plan import Brief, Plan, Planned, brief_of, plan_of
from pipeline.windows.render import render, render_report

VERSION = "windows-3"  # raised when the same sections would give another window or other messages

__all__ = [
    "POLICIES",
    "VERSION",
    "Brief",
    "Plan",
    "Planned",
    "brief_of",
    "build_windows",
    "plan_of",
    "render",
    "render_report",
    "window_of",
]
