"""One vLLM for a workspace: start it, see how it is, stop it. It outlives the process that started it.

<workspace>/serve/
    server.json     what runs: process, group, port, spec
    key             its API key (mode 0600)
    vllm.log        what it says; vllm.log.1: what the one before said
    lock            held while one is started or stopped
"""

import logging
import os
import secrets
import socket
import time
import urllib.error
import urllib.request
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

from filelock import FileLock

from copilot.server import group
from copilot.server.spec import ServerSpec
from pipeline.errors import FatalError, TransientError
from pipeline.progress import Progress, silent
from pipeline.storage import Workspace, read_json, user_cache, write_json

logger = logging.getLogger(__name__)

HEALTH_TIMEOUT_SECONDS = 5.0
TERM_TIMEOUT_SECONDS = 20.0
_FORGET = "end vllm by hand if it still runs, and delete the file"


@dataclass(frozen=True)
class Running:
    """What server.json holds of a server that was started."""

    leader: group.Leader
    port: int
    spec: str
    name: str

    @property
    def url(self) -> str:
        """Base address of its OpenAI-compatible API."""
        return f"http://127.0.0.1:{self.port}/v1"


@dataclass(frozen=True)
class Status:
    """How the server is. `detail` says why it failed, in its own words; `url` is where it answers or will."""

    state: Literal["starting", "ready", "failed", "stopped"]
    detail: str = ""
    url: str | None = None
    name: str | None = None
    pid: int | None = None


class Server:
    """The model server of one workspace. Several of these objects, in several processes, may look at one."""

    def __init__(self, workspace: Workspace) -> None:
        self.folder = workspace.path("serve")
        self.log = self.folder / "vllm.log"

    @property
    def key(self) -> str:
        """The API key that the running server asks for."""
        return (self.folder / "key").read_text("utf-8")

    def start(self, spec: ServerSpec, python: Path) -> Status:
        """Let a server of this spec run; returns at once, mostly while it is still starting.

        One that runs already, and was started with the same spec, is kept; any other is stopped first.

        Args:
            spec: what to serve.
            python: executable of an environment with vLLM (`environment.ensure_environment`).
        """
        with self._lock():
            running = self._running()
            if running and running.spec == spec.id and (status := self._look(running)).state in ("starting", "ready"):
                return status
            self._stop(running)
            return self._look(self._launch(spec, python))

    def status(self) -> Status:
        """How the server is now: one look at its process and one request to it, at most a few seconds."""
        running = self._running()
        return self._look(running) if running else Status("stopped")

    def wait(self, timeout_seconds: float = 600, progress: Progress = silent) -> Status:
        """Wait until the server is ready.

        Raises:
            FatalError: it failed, or was stopped; its last words and its log are named.
            TransientError: it is still starting when the time is over.
        """
        begun = time.monotonic()
        while (status := self.status()).state == "starting":
            waited = time.monotonic() - begun
            if waited > timeout_seconds:
                raise TransientError(
                    f"the model server is not ready after {waited:.0f} s",
                    where=self.log,
                    fix="wait, or raise serve.startup_timeout_seconds",
                )
            progress(int(waited), int(timeout_seconds), "the model is being loaded")
            time.sleep(0.5)
        if status.state != "ready":
            raise FatalError(
                f"the model server {status.state}: {status.detail}".rstrip(": "),
                where=self.log,
                fix="read the log, then start it again",
            )
        return status

    def stop(self) -> None:
        """End the server and every process it started. Nothing happens if none runs."""
        with self._lock():
            self._stop(self._running())

    def _lock(self) -> FileLock:
        self.folder.mkdir(parents=True, exist_ok=True)
        return FileLock(self.folder / "lock")

    def _running(self) -> Running | None:
        file = self.folder / "server.json"
        if not file.exists():
            return None
        try:
            note = read_json(file, fix=_FORGET)
        except FileNotFoundError:  # stopped by another process meanwhile
            return None
        try:
            return Running(**{**note, "leader": group.Leader(**note["leader"])})
        except (KeyError, TypeError) as error:
            raise FatalError("is no longer a note of a server", where=file, fix=_FORGET) from error

    def _launch(self, spec: ServerSpec, python: Path) -> Running:
        port, key = free_port(), secrets.token_urlsafe(32)
        arguments = spec.arguments(port)
        if self.log.exists():
            self.log.replace(self.log.with_suffix(".log.1"))
        write_secret(self.folder / "key", key)
        environment = clean_environment(python) | spec.environment(user_cache())
        # The key goes by the environment: arguments can be read by every user of the machine.
        environment |= {"VLLM_API_KEY": key}
        # -P: the folder we happen to stand in is not where vLLM should look for modules.
        command = [str(python), "-P", "-m", "vllm.entrypoints.cli.main", "serve", *arguments]
        leader = group.spawn(command, environment, self.log)
        running = Running(leader=leader, port=port, spec=spec.id, name=spec.name)
        write_json(self.folder / "server.json", asdict(running))
        logger.info("model server started: process %d, port %d", leader.pid, port)
        return running

    def _look(self, running: Running) -> Status:
        health = ask_health(running.port) if group.leads(running.leader) else "failed"
        detail = last_words(self.log) if health == "failed" else ""
        return Status(health, detail, running.url, running.name, running.leader.pid)

    def _stop(self, running: Running | None) -> None:
        if running is None:
            return
        group.end(running.leader, TERM_TIMEOUT_SECONDS)
        (self.folder / "server.json").unlink(missing_ok=True)
        logger.info("model server stopped: process %d", running.leader.pid)


def ask_health(port: int) -> Literal["starting", "ready", "failed"]:
    """Ask a server on this machine how it is.

    No connection: not listening yet. Connected but no answer in time: up, and busy. 503: its engine died.
    """
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with direct.open(f"http://127.0.0.1:{port}/health", timeout=HEALTH_TIMEOUT_SECONDS):
            return "ready"
    except urllib.error.HTTPError:
        return "failed"
    except TimeoutError:
        return "ready"
    except OSError:
        return "starting"


def last_words(log: Path) -> str:
    """The line of a vLLM log that says most about its end: the last error that is not about another one."""
    try:
        lines = [line.strip() for line in log.read_text("utf-8", "replace").splitlines() if line.strip()]
    except FileNotFoundError:
        return "it left no log"
    # "(EngineCore pid=7) ERROR 11-30 10:00:00 [core.py:1] ValueError: ..." -> "ValueError: ..."
    said = [line.rpartition("] ")[2] if line.startswith("(") or " ERROR " in line else line for line in lines]
    errors = [s for s in said if is_error(s)]
    return (errors or said or ["it said nothing"])[-1][:300]


def is_error(line: str) -> bool:
    """Is this the line of a traceback, or of a command line's parser, that names the error itself?"""
    head, colon, rest = line.partition(": ")
    named = head.split(".")[-1].endswith(("Error", "Exception", "error", "Killed")) and " " not in head.strip()
    return bool(colon) and (named or rest.startswith("error: ")) and "root cause" not in line


def free_port() -> int:
    """A TCP port of 127.0.0.1 on which nothing listens at this moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def write_secret(path: Path, text: str) -> None:
    """Write a file that only its owner can read, never readable by others in between."""
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        file.write(text)


def clean_environment(python: Path) -> dict[str, str]:
    """This process's environment, less what would lead another Python astray; its own tools come first."""
    kept = {
        k: v
        for k, v in os.environ.items()
        if k not in ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV") and not k.startswith("VLLM_")
    }
    return kept | {"PATH": f"{python.parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}"}
