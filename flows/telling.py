"""What a stage tells, told to Prefect: lines to the run's log, bars and tables as artifacts of the run."""

import io
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import cast
from uuid import UUID

import httpx
from prefect import get_run_logger
from prefect.artifacts import create_markdown_artifact, create_progress_artifact, update_progress_artifact
from prefect.exceptions import PrefectException

from pipeline.progress import Progress, Silence, Teller

_PAUSE_SECONDS = 2.0  # an update is a request, and a person looks at a page
_PAGE_CHARACTERS = 120
_NOBODY: Teller = Silence()
_listener: ContextVar[Teller] = ContextVar("listener", default=_NOBODY)


@contextmanager
def listening(teller: Teller) -> Iterator[None]:
    """Let someone in this process, a person at a terminal, hear what the runs inside the context tell."""
    token = _listener.set(teller)
    try:
        yield
    finally:
        _listener.reset(token)


class PrefectTeller:
    """Tells the Prefect run that it is called in, and whoever listens here; notes on items go no further."""

    def say(self, line: str) -> None:
        """One line in the run's log."""
        get_run_logger().info(line)
        _listener.get().say(line)

    def show(self, renderable: object) -> None:
        """A table or a tree (rich), as it would stand on a page of plain text."""
        from rich.console import Console

        page = io.StringIO()
        Console(file=page, width=_PAGE_CHARACTERS, color_system=None).print(renderable)
        create_markdown_artifact(f"```\n{page.getvalue()}```", key="shown")
        _listener.get().show(renderable)

    @contextmanager
    def bar(self, title: str) -> Iterator[Progress]:
        """A progress artifact of the run; it stays below 100% if the work fails."""
        shown = _Bar(title)
        with _listener.get().bar(title) as here:

            def progress(done: int, total: int, note: str = "") -> None:
                shown.show(100 * done / total if total else 0)
                here(done, total, note)

            yield progress
        shown.end()


class _Bar:
    """One progress artifact, updated once in a while."""

    def __init__(self, title: str) -> None:
        key = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")
        # Waits for the answer where no event loop runs, as in a task; its type allows for both.
        self._artifact = cast(UUID, create_progress_artifact(0, key=key, description=title))
        self._next_seconds = time.monotonic() + _PAUSE_SECONDS

    def show(self, percent: float) -> None:
        if time.monotonic() >= self._next_seconds:
            self._send(percent)

    def end(self) -> None:
        self._send(100)

    def _send(self, percent: float) -> None:
        self._next_seconds = time.monotonic() + _PAUSE_SECONDS
        try:
            update_progress_artifact(self._artifact, min(percent, 100))
        except (httpx.HTTPError, PrefectException) as error:
            # Hours of training must not end because a bar could not move.
            get_run_logger().warning("progress not shown: %s", type(error).__name__)
