"""How the command speaks: lines and bars on stderr for a person, one JSON document on stdout for a program."""

import json
import sys
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from pipeline.progress import Progress

_PAGE_CHARACTERS = 120


class Terminal:
    """A teller for a person at a terminal. Bars are drawn only where they can move; lines always."""

    def __init__(self) -> None:
        from rich.console import Console

        self.console = Console(stderr=True, highlight=False, soft_wrap=True)
        if not self.console.is_terminal:
            self.console.width = _PAGE_CHARACTERS  # a log has no width of its own; tables would be torn at 80

    def say(self, line: str) -> None:
        """One plain line."""
        self.console.print(_harmless(line), markup=False)

    def show(self, renderable: Any) -> None:
        """A table or a tree."""
        self.console.print(renderable)

    @contextmanager
    def bar(self, title: str) -> Iterator[Progress]:
        """A bar with the time left; on a stream that is no terminal, nothing but the closing lines of the stages."""
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            TextColumn,
            TimeElapsedColumn,
            TimeRemainingColumn,
        )
        from rich.progress import Progress as Bar

        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
            TextColumn("{task.fields[note]}", style="dim", markup=False),
        )
        with Bar(
            *columns,
            console=self.console,
            transient=True,
            disable=not self.console.is_terminal,
            speed_estimate_period=3600,  # a step may take longer than the 30 seconds that rich looks back by itself
        ) as bar:
            task = bar.add_task(title, total=None, note="")

            def progress(done: int, total: int, note: str = "") -> None:
                bar.update(task, completed=done, total=total, note=_harmless(note))

            yield progress


def _harmless(line: str) -> str:
    """A line without what a terminal would obey: names of files and text of reports may hold any character."""
    return "".join(repr(c)[1:-1] if unicodedata.category(c) in ("Cc", "Cs") else c for c in line)


def print_json(document: Any) -> None:
    """The one JSON document of a verb, on stdout."""
    json.dump(document, sys.stdout, ensure_ascii=False, indent=1)
    sys.stdout.write("\n")
    sys.stdout.flush()  # who reads it may be gone: that is found here, and not as Python ends
