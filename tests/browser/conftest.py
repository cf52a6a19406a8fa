"""A browser on the running app. Without a browser on this machine these tests are skipped, and say so."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from copilot.server.scripted import ScriptedWriter
from pipeline.storage import Workspace
from tests.browser import report
from tests.browser.serving import CHROMIUM, ScriptedEngine, browser, serving, word_tokens


@dataclass
class Desk:
    """The running app, its engine, and pages to look at it."""

    url: str
    engine: ScriptedEngine
    workspace: Workspace
    chromium: Any
    hosts: set[str] = field(default_factory=set)
    faults: list[str] = field(default_factory=list)

    def page(self, locale: str = "en-GB") -> Any:
        """A page in a context of its own; what it asks for and what goes wrong in it is noted."""
        context = self.chromium.new_context(
            locale=locale, viewport={"width": 1440, "height": 900}, accept_downloads=True
        )
        page = context.new_page()
        page.on("request", lambda request: self.hosts.add(urlsplit(request.url).netloc))
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("dialog", lambda dialog: self.faults.append(dialog.message))
        return page


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    pytest.importorskip("playwright", reason="playwright is not installed")
    if not CHROMIUM.exists():
        pytest.skip(f"no browser at {CHROMIUM}")
    with browser() as running:
        yield running


@pytest.fixture
def desk(tmp_path: Path, chromium: Any) -> Iterator[Desk]:
    """The app with a scripted writer; afterwards, nothing was asked of another host and no script failed."""
    workspace = Workspace(tmp_path / "workspace")
    engine = ScriptedEngine(ScriptedWriter(report.answer, delay_seconds=0.02), word_tokens(tmp_path / "tokenizer"))
    with serving(workspace, engine) as url:
        desk = Desk(url, engine, workspace, chromium)
        yield desk
        for context in chromium.contexts:
            context.close()
    assert desk.hosts <= {urlsplit(url).netloc, ""}, "the page asked something of another host"
    assert desk.faults == []
