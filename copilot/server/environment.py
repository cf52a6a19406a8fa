"""vLLM's own virtual environment, in the user's cache: its pins clash with the rest of the product.

    <cache>/vllm-<digest>/             named by what is in it, so that a fresh clone finds it again
        bin/python  lib/...
        .complete                      written last
    <cache>/vllm-<digest>.log          what the installer said
    <cache>/vllm-<digest>.lock         held while it is made

What goes in is pinned in the lock files beside this module; the .in files say how those are made.
"""

import hashlib
import json
import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

from filelock import FileLock

from copilot.server.installer import lock_text, make_environment
from pipeline import errors
from pipeline.card import cards
from pipeline.errors import MemoriaError, TransientError, UserError
from pipeline.progress import Progress, silent
from pipeline.storage import user_cache

RECIPE = 1  # raised when the installer makes something else of the same pins
NEEDED_BYTES = {"cpu": 4_000_000_000, "cuda": 14_000_000_000}


def environment_folder(card: bool) -> Path:
    """Where the environment for this machine lies or will lie; nothing is made."""
    identity = [RECIPE, lock_text(card), platform.python_version(), sys.platform, platform.machine()]
    key = hashlib.sha256(json.dumps(identity).encode()).hexdigest()[:12]
    return user_cache() / f"vllm-{key}"


def ready_environment(card: bool) -> Path | None:
    """The environment's python if it is complete, else None."""
    folder = environment_folder(card)
    python = folder / "bin" / "python"
    # The python it was made from may have been removed since: then its own is a link to nothing.
    return python if (folder / ".complete").is_file() and python.exists() else None


def ensure_environment(progress: Progress = silent, *, card: bool | None = None) -> Path:
    """The python executable of an environment that holds vLLM; made now if it is not there.

    Two processes may ask at once: one makes it, the other waits. A half-made one is removed and made anew.

    Args:
        progress: told of three steps: virtual environment, packages, check.
        card: the build for an NVIDIA card, or the one without; None: as this machine is.

    Raises:
        UserError: no room on the disk, a system that vLLM has no build for, or an installer that refused.
        TransientError: a package index could not be reached.
    """
    card = bool(cards()) if card is None else card
    if python := ready_environment(card):
        return python
    folder = environment_folder(card)
    _require_linux()
    _require_writable(folder.parent)
    with FileLock(f"{folder}.lock"):
        if python := ready_environment(card):
            return python
        shutil.rmtree(folder, ignore_errors=True)
        _require_space(folder.parent, NEEDED_BYTES["cuda" if card else "cpu"])
        make_environment(folder, card, progress)
        (folder / ".complete").write_text("", "utf-8")
    return folder / "bin" / "python"


def _require_linux() -> None:
    if sys.platform != "linux":
        raise UserError(
            "vLLM runs on Linux only", where=sys.platform, fix="set serve.url to a server that runs elsewhere"
        )


def _require_writable(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not os.access(folder, os.W_OK):
            raise PermissionError("it is read-only")
    except OSError as error:
        fix = "set MEMORIA_CACHE to a folder you can write to"
        raise UserError(f"no place for vLLM ({error.strerror or error})", where=folder, fix=fix) from error


def _require_space(folder: Path, needed_bytes: int) -> None:
    free_bytes = shutil.disk_usage(folder).free
    if free_bytes < needed_bytes:
        raise UserError(
            f"no room for vLLM: {needed_bytes / 1e9:.0f} GB needed, {free_bytes / 1e9:.1f} GB free",
            where=folder,
            fix="free some space, or set MEMORIA_CACHE to a folder on a larger disk",
        )


class EnvironmentBuild:
    """An environment that another process makes, while this one does something else."""

    def __init__(self, child: subprocess.Popen[str]) -> None:
        self._child = child
        self._said: str | None = None

    def poll(self) -> bool:
        """Has it ended, well or not?"""
        return self._child.poll() is not None

    def result(self, timeout_seconds: float | None = None) -> Path:
        """Wait for the end: the python executable.

        Raises:
            MemoriaError: what `ensure_environment` raised over there.
            TimeoutError: it is still being made.
        """
        if self._said is None:
            try:
                self._said, _ = self._child.communicate(timeout=timeout_seconds)
            except subprocess.TimeoutExpired as error:
                raise TimeoutError(f"vLLM's environment is not ready after {timeout_seconds} s") from error
        if not self._said.strip():
            raise TransientError("the making of vLLM's environment was broken off", fix="run the same again")
        answer = json.loads(self._said.splitlines()[-1])
        if "python" in answer:
            return Path(answer["python"])
        kind: type[MemoriaError] = getattr(errors, answer["error"])
        raise kind(answer["what"], where=answer["where"], fix=answer["fix"])


def start_environment_in_background(*, card: bool | None = None) -> EnvironmentBuild:
    """Begin to make the environment at low priority. Should this process end, that one goes on to the end."""
    child = subprocess.Popen(
        [sys.executable, "-m", __name__, json.dumps(card)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    return EnvironmentBuild(child)


def _make_and_tell(card: bool | None) -> dict[str, str | None]:
    """Run in the other process: the executable, or the error taken apart."""
    os.nice(10)
    try:
        return {"python": str(ensure_environment(card=card))}
    except MemoriaError as error:
        where = None if error.where is None else str(error.where)
        return {"error": type(error).__name__, "what": error.what, "where": where, "fix": error.fix}


if __name__ == "__main__":
    print(json.dumps(_make_and_tell(json.loads(sys.argv[1]))))
