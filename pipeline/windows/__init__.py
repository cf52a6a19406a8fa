"""What the writer of a section may look back at.

Report.sections ── measure ──> pieces with tokens ── build ──> Window ── render ──> chat messages
                   pieces.py                         build.py             render.py
                                    decay.py: the shares
"""

from pipeline.windows.build import build_window, build_windows
from pipeline.windows.pieces import Measured, measure
from pipeline.windows.render import Brief, render

__all__ = ["Brief", "Measured", "build_window", "build_windows", "measure", "render"]
