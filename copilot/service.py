"""The model at work: the champion on its base, served by the workspace's own vLLM or by a server that runs already.

    environment (made if it is not there) ── Server.start ── ready ── load_adapter ── the page may draft
                                               └── died ──> started again, a few times, with growing pauses

It lives in a thread of its own, so that the page opens at once and says how far the model is.
"""

import json
import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from copilot.app.engine import Reading, Serving, Status
from copilot.server.client import ServerClient
from copilot.server.environment import ensure_environment
from copilot.server.held_out import adapter_name
from copilot.server.process import Server
from copilot.server.spec import ServerSpec
from pipeline.adapters import Registry, verify
from pipeline.adapters.files import CONFIG
from pipeline.bases import resolve_base, tokens_of
from pipeline.card import cards
from pipeline.errors import MemoriaError, TransientError, UserError
from pipeline.records import Adapter
from pipeline.settings import Settings, Windows
from pipeline.storage import Workspace

log = logging.getLogger(__name__)

RESTARTS = 3
LOOK_EVERY_SECONDS = 2.0


@dataclass(frozen=True)
class Served:
    """What is to be served: a base's folder, and the champion on it if there is one."""

    base_folder: Path
    adapter: Adapter | None

    @property
    def name(self) -> str:
        """The name that requests use. An adapter's id is in it, so that a name never means two things."""
        return adapter_name(self.adapter) if self.adapter else "base"


def choose_served(workspace: Workspace, model: str | None) -> Served:
    """The champion of the model that is asked for, or the newest of all if none is; without one, the bare base.

    Raises:
        FatalError: the champion's files are not what was trained.
    """
    registry = Registry(workspace)
    champion = registry.newest_champion()
    if model is not None:
        base = resolve_base(model, workspace)
        of_this_base = [e for e in registry.list() if base.id in (e.adapter.base, e.lineage.get("sliced_from"))]
        champion = next((e.adapter for e in reversed(of_this_base) if e.state == "champion"), None)
    if champion is None:
        return Served(Path(resolve_base(model, workspace).path), None)
    verify(champion)
    return Served(Path(champion.base_path), champion)


def spec_of(served: Served, settings: Settings) -> ServerSpec:
    """How the server is to be started for it."""
    rank = settings.training.rank
    if served.adapter:
        rank = json.loads((Path(served.adapter.path) / CONFIG).read_text("utf-8"))["r"]
    return ServerSpec(
        base=served.base_folder,
        name="base",
        max_model_len=settings.serve.max_model_len,
        card=bool(cards()),
        max_lora_rank=rank,
    )


class Service:
    """What the drafting page asks of the machinery behind it (see `copilot.app.engine.Engine`)."""

    def __init__(self, settings: Settings, python: Callable[[], Path] = ensure_environment) -> None:
        """
        Args:
            python: gives the executable of vLLM's environment; may take minutes.
        """
        self._settings, self._python = settings, python
        self._served = choose_served(Workspace(settings.workspace), settings.model)
        self._status = Status("starting", "The model is starting.")
        self._client: ServerClient | None = None
        self._serving: Serving | None = None
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="model-service", daemon=True)

    def start(self) -> "Service":
        """Begin to bring the model up; returns at once."""
        self._thread.start()
        return self

    def close(self) -> None:
        """Stop looking after the server. It goes on running: the next one finds it ready."""
        self._ended.set()
        self._thread.join(timeout=30)
        if self._client:
            self._client.close()

    def wait(self, timeout_seconds: float) -> Status:
        """Wait until the model is ready or has failed."""
        for _ in range(int(timeout_seconds / 0.5)):
            if self._status.state in ("ready", "failed") or self._ended.wait(0.5):
                break
        return self._status

    def status(self) -> Status:
        """How the model is at this moment."""
        return self._status

    def serving(self) -> Serving:
        """The server, and the name under which the champion (or the base) is served.

        Raises:
            TransientError: the model is not ready.
        """
        serving = self._serving
        if serving is None or self._status.state != "ready":
            raise TransientError(self._status.line or "the model is not ready", fix="wait a moment and try again")
        return serving

    def reading(self) -> Reading:
        """The tokenizer of the served base, and the windows that the champion was trained with."""
        adapter = self._served.adapter
        windows = Windows(**adapter.windows) if adapter else self._settings.windows
        return Reading(tokens_of(self._served.base_folder), windows)

    def _run(self) -> None:
        try:
            if self._settings.serve.url:
                self._adopt(self._settings.serve.url)
            else:
                self._look_after(Server(Workspace(self._settings.workspace)))
        except MemoriaError as error:
            self._status = Status("failed", error.line)
        except Exception as error:  # a bug of ours: the page must say so and stay usable
            log.exception("the model service failed")
            self._status = Status("failed", f"{type(error).__name__}: {error}")

    def _adopt(self, url: str) -> None:
        client = ServerClient(url, self._settings.serve.api_key)
        models = client.models()
        if not models:
            raise UserError("the server serves no model", where=url, fix="start it with one, or unset serve.url")
        names = [model.name for model in models]
        name = self._served.name if self._served.name in names else names[0]
        self._ready(client, name)

    def _look_after(self, server: Server) -> None:
        python = self._python()
        spec = spec_of(self._served, self._settings)
        for attempt in range(RESTARTS + 1):
            if self._ended.wait(0 if attempt == 0 else 5 * 2**attempt):
                return
            server.start(spec, python)
            self._bring_up(server)
            while (status := server.status()).state == "ready":
                if self._ended.wait(LOOK_EVERY_SECONDS):
                    return
            log.warning("the model server %s: starting it again", status.state)
            self._status = Status("starting", f"The model server {status.state}; it is being started again.")
        self._status = Status("failed", f"The model server died {RESTARTS + 1} times; see {server.log}.")

    def _bring_up(self, server: Server) -> None:
        status = server.wait(self._settings.serve.startup_timeout_seconds)
        assert status.url, "a ready server has an address"
        client = ServerClient(status.url, server.key)
        if self._served.adapter:
            client.load_adapter(self._served.name, Path(self._served.adapter.path))
        self._ready(client, self._served.name)

    def _ready(self, client: ServerClient, model: str) -> None:
        self._client, self._serving = client, Serving(client, model)
        self._status = Status("ready", model)
