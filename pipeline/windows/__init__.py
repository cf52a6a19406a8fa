"""What the writer of a section may look back at.

Report.sections ── measure ──> pieces with tokens ── build ──> Window ── render ──> chat messages
                   pieces.py                         build.py             render.py
                                    decay.py: the shares
"""

from pipeline.windows.build import build_window, build_windows, window_of
from pipeline.windows.pieces import Measured, measure
from pipeline.windows.render import Brief, render

VERSION = "windows-1"  # raised when the same sections would give another window or other messages

__all__ = ["VERSION", "Brief", "Measured", "build_window", "build_windows", "measure", "render", "window_of"]
