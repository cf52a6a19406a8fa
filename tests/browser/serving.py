"""The app on a free port with a scripted writer behind it, and a browser to look at it with."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import uvicorn
from tokenizers import Tokenizer, models, pre_tokenizers

from copilot.app import Reading, Serving, Status, create_app
from copilot.server.scripted import ScriptedWriter
from pipeline.bases.tokens import Tokens
from pipeline.settings import App, Windows
from pipeline.storage import Workspace

CHROMIUM = Path("/usr/bin/chromium")
CHROMIUM_FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def word_tokens(folder: Path) -> Tokens:
    """A real tokenizer that counts words and marks."""
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer = Tokenizer(models.WordLevel({"[UNK]": 0}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.save(str(folder / "tokenizer.json"))
    return Tokens(folder)


@dataclass
class ScriptedEngine:
    """An engine whose model is a script, and whose status a test may change."""

    writing: ScriptedWriter
    counting: Tokens
    state: Status = Status("ready")
    name: str = "rural-health-3"
    windows: Windows = Windows()
    asked: list[str] = field(default_factory=list)

    def status(self) -> Status:
        return self.state

    def serving(self) -> Serving:
        return Serving(self.writing, self.name)

    def reading(self) -> Reading:
        return Reading(self.counting, self.windows)


@contextmanager
def serving(workspace: Workspace, engine: Any) -> Iterator[str]:
    """The address of the running app."""
    asgi = create_app(workspace, App(), engine)
    server = uvicorn.Server(uvicorn.Config(asgi, log_level="warning", timeout_graceful_shutdown=1))
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        while not server.started and thread.is_alive():
            thread.join(0.05)
        assert server.started, "the app did not start"
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join(20)


@contextmanager
def browser() -> Iterator[Any]:
    """A running browser."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=str(CHROMIUM), args=CHROMIUM_FLAGS)
        try:
            yield running
        finally:
            running.close()
