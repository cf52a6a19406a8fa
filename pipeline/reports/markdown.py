"""How lists and tables look as Markdown, whatever file they come from."""

from collections.abc import Sequence


def list_item(label: str, depth: int, text: str) -> str:
    """A list item with its printed label ("-" for bullets), indented by two spaces a level."""
    indent = "  " * depth
    hanging = "\n" + indent + " " * (len(label) + 1)
    return f"{indent}{label} {text.replace(chr(10), hanging)}"


def list_more(depth: int, text: str) -> str:
    """A further paragraph of a list item at `depth`."""
    indent = "  " * (depth + 1)
    return indent + text.replace("\n", "\n" + indent)


def table(rows: Sequence[Sequence[str]]) -> str:
    """A line per row, cells between bars, the first row as the header.

    Raises:
        ValueError: there is no row.
    """
    if not rows:
        raise ValueError("a table needs a row")
    width = max(len(row) for row in rows)
    lines = [_line([*map(_cell, row), *[""] * (width - len(row))]) for row in rows]
    return "\n".join([lines[0], _line(["---"] * width), *lines[1:]])


def nested_table(rows: Sequence[Sequence[str]]) -> str:
    """A table inside a cell: cells parted by semicolons, a line per row."""
    return "\n".join("; ".join(cell for cell in row if cell) for row in rows if any(row))


def box(is_on: bool) -> str:
    """A check box of a form."""
    return "☒" if is_on else "☐"


def link(text: str, target: str) -> str:
    """A hyperlink; one that prints its own target, or nothing, stays as it is."""
    bare = text.strip()
    if not bare or bare in target or any(c in target for c in " ()<>"):
        return text
    return f"[{bare}]({target})" + (" " if text[-1:].isspace() else "")


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", "<br>")


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"
