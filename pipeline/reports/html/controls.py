"""Controls of a form, as they show: what is filled in, ticked and chosen."""

from bs4.element import Tag

from pipeline.reports import markdown

_SILENT = frozenset(("hidden", "password", "file", "image", "color", "range"))


def input_text(tag: Tag) -> str:
    """What an `input` shows."""
    kind = str(tag.get("type", "text")).lower()
    if kind in ("checkbox", "radio"):
        return f"{markdown.box(tag.has_attr('checked'))} "
    return "" if kind in _SILENT else str(tag.get("value", ""))


def shown_options(select: Tag) -> list[Tag]:
    """The options of a list that are chosen; a drop-down list shows its first one where none is."""
    options = select.find_all("option")
    chosen = [option for option in options if option.has_attr("selected")]
    if select.has_attr("multiple"):
        return chosen
    return chosen[-1:] or options[:1]
