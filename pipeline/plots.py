"""Plots as images: a figure by matplotlib without a screen, and its PNG. Importing this imports no matplotlib."""

import io
from typing import TYPE_CHECKING

from pipeline.errors import UserError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DOTS_AN_INCH = 120


def new_figure(width_inches: float, height_inches: float) -> "Figure":
    """An empty figure.

    Raises:
        UserError: matplotlib is not installed.
    """
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError as error:
        raise UserError(
            "a .png picture needs matplotlib",
            fix="pip install 'memoria[train]', or choose a .html picture, which needs nothing",
        ) from error
    figure = Figure(figsize=(width_inches, height_inches), layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def png_bytes(figure: "Figure") -> bytes:
    """The figure as PNG."""
    file = io.BytesIO()
    figure.savefig(file, format="png", dpi=DOTS_AN_INCH)
    return file.getvalue()
