"""The peers' own virtual environment, in the user's cache, so that their pins meet nobody else's.

<cache>/peers-<digest of peers.txt>/    bin/python, lib/...    .complete is written last
"""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

from filelock import FileLock

from pipeline.errors import TransientError, UserError
from pipeline.storage import user_cache

_PINS = Path(__file__).with_name("peers.txt")


def peers_python() -> Path:
    """The python of the environment that holds the peers; made now if it is not there.

    Raises:
        UserError: there is no installer.
        TransientError: the installer failed; its last line is told.
    """
    folder = user_cache() / f"peers-{hashlib.sha256(_PINS.read_bytes()).hexdigest()[:12]}"
    python = folder / "bin" / "python"
    folder.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(f"{folder}.lock"):
        if not (folder / ".complete").is_file():
            shutil.rmtree(folder, ignore_errors=True)
            print(f"installing the peers in {folder}", file=sys.stderr)
            _uv("venv", "--python", sys.executable, str(folder))
            _uv("pip", "sync", "--python", str(python), str(_PINS))
            (folder / ".complete").write_text("", "utf-8")
    return python


def _uv(*arguments: str) -> None:
    beside = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", "")))
    if (uv := shutil.which("uv", path=beside)) is None:
        raise UserError("the peers cannot be installed: there is no uv", fix="pip install uv")
    done = subprocess.run([uv, *arguments], capture_output=True, text=True)
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["?"])[-1]
        raise TransientError(f"the peers cannot be installed ({last})", fix="run the same again")
