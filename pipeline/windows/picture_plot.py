"""The picture of a window as an image: a track for each earlier section, oldest on top, filled where text is kept."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pipeline.plots import new_figure, png_bytes
from pipeline.windows.picture import OTHER, REASONS, Picture, Row

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_INCHES_A_ROW, _MOST_INCHES = 0.21, 400  # matplotlib draws no more than 65,536 dots
_LONGEST_TITLE = 52
_TRACK, _INK = "#e1e6eb", "#1d2733"


def png_of(picture: Picture) -> bytes:
    """The image, as PNG.

    Raises:
        UserError: matplotlib is not installed.
    """
    count = max(len(picture.rows), 1)
    row_inches = min(_INCHES_A_ROW, _MOST_INCHES / count)
    figure = new_figure(11, count * row_inches + 1.5)
    axes = figure.add_subplot(xlim=(0, picture.longest), ylim=(count - 0.5, -0.5))
    for place, row in enumerate(picture.rows):
        _draw_track(axes, place, row)
    _name_rows(axes, picture.rows, points=min(8.0, 72 * row_inches * 0.6))
    _name_colours(axes, picture)
    return png_bytes(figure)


def _draw_track(axes: "Axes", place: int, row: Row) -> None:
    """The section's text as a bar of its characters, and on it what is kept."""
    ranges = [(0.0, float(row.characters))]
    colours = [_TRACK]
    for start, end, reason in row.spans():
        ranges.append((start * row.characters, (end - start) * row.characters))
        colours.append(REASONS.get(reason, OTHER).light)
    axes.broken_barh(ranges, (place - 0.35, 0.7), facecolors=colours, linewidth=0)


def _name_rows(axes: "Axes", rows: Sequence[Row], points: float) -> None:
    """Titles and distances on the left, shares on the right."""
    places = range(len(rows))
    titles = [f"{_short(row.section.title)}  {row.distance:>3}" for row in rows]
    axes.set_yticks(places, titles, fontsize=points, parse_math=False)
    shares = axes.secondary_yaxis("right")
    told = [f"{row.share_kept:.0%}" if row.characters else "no text" for row in rows]
    shares.set_yticks(places, told, fontsize=points)
    for side in (axes, shares):
        side.tick_params(axis="y", length=0)
        for spine in side.spines.values():
            spine.set_visible(False)
    axes.set_xlabel("characters of the section, and the share of them that is kept", fontsize=8)
    axes.set_ylabel("earlier sections, and how many sections back they stand", fontsize=8)
    axes.xaxis.set_major_formatter("{x:,.0f}")
    axes.tick_params(axis="x", labelsize=8)


def _name_colours(axes: "Axes", picture: Picture) -> None:
    """The window's tokens in all, and by reason as a legend."""
    from matplotlib.patches import Patch

    window = picture.window
    title = (
        f"What the model sees before {_short(picture.target.title)}: {window.used_tokens:,} of "
        f"{window.budget_tokens:,} tokens ({window.policy}); outline {window.outline_tokens:,}"
    )
    axes.set_title(title, fontsize=10, color=_INK, parse_math=False, loc="left", pad=26)
    legend = [
        Patch(color=REASONS.get(reason, OTHER).light, label=f"{reason} {tokens:,}")
        for reason, tokens in picture.tokens_by_reason.items()
    ]
    legend.append(Patch(color=_TRACK, label="left out"))
    axes.legend(handles=legend, loc="lower left", bbox_to_anchor=(0, 1), ncols=6, frameon=False, fontsize=8)


def _short(title: str) -> str:
    """A title that leaves room for its track."""
    return title if len(title) <= _LONGEST_TITLE else f"{title[: _LONGEST_TITLE - 1]}…"
