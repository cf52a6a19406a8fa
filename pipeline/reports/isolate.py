"""Every file is read in its own process: one that crashes, hangs or eats the memory takes nobody with it.

    this process ──Popen──> nursery ──fork──> reader of file 1 ──> <folder>/0/report.json, entry.json, ...
          │  requests, one line     │  ──fork──> reader of file 2 ──> <folder>/1/
          └──<── results, one line ─┘

This process never holds a report: each reader leaves it on disk as the catalogue keeps it.

The nursery imports the readers once and stays small, so that a fork costs milliseconds, where a fresh
interpreter would cost a second a file. It has one thread only, or a fork could inherit a lock that nobody
will ever open. It ends, and its readers with it, as soon as its input is closed: when the work is done, or
when this process has died.
"""

import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any

import pipeline
from pipeline.errors import FatalError, UserError
from pipeline.reports import artifact
from pipeline.reports.read import prepare, read_report
from pipeline.settings import Reports
from pipeline.storage import clear_disk_errors

_START = "from pipeline.reports.isolate import serve; serve()"
_REFUSAL = "refused.json"
_REPAIR = "open it, save it as a new file, and read that"


def read_all(files: Sequence[Path], settings: Reports) -> Generator[tuple[int, Path | UserError], None, None]:
    """Read files side by side; yields (index, folder or why there is no report) in the order in which they end.

    The folder holds what `artifact.write` leaves. It is gone when the next one is asked for: take what is in it.

    Raises:
        FatalError: the nursery itself has died.
    """
    if not files:
        return
    with tempfile.TemporaryDirectory(prefix="memoria-reports-") as folder:
        order = {
            "files": [str(path.absolute()) for path in files],
            "folder": folder,
            "settings": settings.model_dump(mode="json"),
        }
        with _nursery() as process:
            assert process.stdin and process.stdout
            process.stdin.write(json.dumps(order) + "\n")
            process.stdin.flush()
            for _ in files:
                line = process.stdout.readline()
                if not line:
                    raise FatalError("the process that reads reports has died", fix="run the same again")
                answer = json.loads(line)
                place = Path(folder) / str(answer["index"])
                yield answer["index"], _outcome(files[answer["index"]], place, answer)
                shutil.rmtree(place, ignore_errors=True)
            process.stdin.close()


def _nursery() -> subprocess.Popen[str]:
    # -P keeps the current folder off the path: a file named json.py beside the reports must not be imported.
    root = str(Path(pipeline.__file__).parents[1])
    path = os.pathsep.join(filter(None, (root, os.environ.get("PYTHONPATH"))))
    return subprocess.Popen(
        [sys.executable, "-P", "-c", _START],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": path},
        start_new_session=True,  # an interrupt is for the caller, who then closes the nursery's input
    )


def _outcome(file: Path, folder: Path, answer: dict[str, Any]) -> Path | UserError:
    if reason := answer.get("reason"):
        return UserError(reason, where=file, fix=_REPAIR)
    if answer["read"]:
        return folder
    what, fix = json.loads((folder / _REFUSAL).read_text("utf-8"))
    return UserError(what, where=file, fix=fix)


# ---- in the nursery ----


@dataclass
class _Reader:
    index: int
    process: Any
    deadline: float


def serve() -> None:
    """Be the nursery: read an order from standard input, fork a reader a file, print a line as each ends."""
    order = json.loads(sys.stdin.readline())
    settings = Reports.model_validate(order["settings"])
    _warm_up({Path(file).suffix.lower() for file in order["files"]}, settings)
    workers = settings.workers or _cores()
    waiting = list(enumerate(order["files"]))[::-1]
    running: dict[int, _Reader] = {}
    while waiting or running:
        while waiting and len(running) < workers:
            reader = _fork(*waiting.pop(), Path(order["folder"]), settings)
            running[reader.process.sentinel] = reader
        patience = max(0.0, min(reader.deadline for reader in running.values()) - time.monotonic())
        ready = wait([sys.stdin.fileno(), *running], timeout=patience)
        if sys.stdin.fileno() in ready:
            for reader in running.values():
                _kill_group(reader)
            # Who asked may have been killed, and then nobody else removes what was read so far.
            shutil.rmtree(order["folder"], ignore_errors=True)
            return
        for sentinel, reader in list(running.items()):
            if sentinel in ready or time.monotonic() >= reader.deadline:
                del running[sentinel]
                print(json.dumps(_end(reader, settings.timeout_seconds)), flush=True)


def _fork(index: int, file: str, folder: Path, settings: Reports) -> _Reader:
    process = get_context("fork").Process(target=_read_one, args=(file, folder / str(index), settings), daemon=True)
    process.start()
    with suppress(ProcessLookupError, PermissionError):  # the reader does the same; whoever is first, it is done
        os.setpgid(process.pid or 0, process.pid or 0)
    return _Reader(index, process, time.monotonic() + settings.timeout_seconds)


def _kill_group(reader: _Reader) -> None:
    """End a reader, and what it has started: a converter must not outlive it."""
    with suppress(ProcessLookupError):
        os.killpg(reader.process.pid, signal.SIGKILL)


def _end(reader: _Reader, timeout_seconds: float) -> dict[str, Any]:
    """How a reader ended, as its answer: 0 has a report, 2 has told why not, anything else is an accident."""
    too_late = reader.process.is_alive() and time.monotonic() >= reader.deadline
    if too_late:
        _kill_group(reader)
    reader.process.join()
    _kill_group(reader)
    answer: dict[str, Any] = {"index": reader.index, "read": reader.process.exitcode == 0}
    if too_late:
        answer["reason"] = f"took longer than {timeout_seconds:g} s to read"
    elif reader.process.exitcode not in (0, 2):
        answer["reason"] = f"broke the program that read it (exit {reader.process.exitcode})"
    return answer


def _read_one(file: str, out: Path, settings: Reports) -> None:
    """In the reader: leave the report, or [what, fix], in the folder `out`."""
    os.setpgid(0, 0)
    out.mkdir()
    # What this reader, or a program that it starts, leaves behind goes with the folder.
    tempfile.tempdir = os.environ["TMPDIR"] = str(out)
    os.dup2(os.open(os.devnull, os.O_RDWR), 0)  # neither the nursery's input nor its output is the reader's
    os.dup2(0, 1)
    _limit(resource.RLIMIT_AS, settings.memory_bytes)
    _limit(resource.RLIMIT_CORE, 0)
    try:
        report = read_report(Path(file), settings)
        with clear_disk_errors(out, "set TMPDIR to a folder on another disk"):
            artifact.write(report, out)
        return
    except UserError as error:
        told = error.what, error.fix
    except MemoryError:
        told = f"needs more than {settings.memory_bytes / (1 << 30):.1f} GiB of memory to read", _REPAIR
    except Exception as error:  # a fault of ours; the other files are still read, and this one is told
        told = f"cannot be read ({_place_of(error)})", _REPAIR
    (out / _REFUSAL).write_text(json.dumps(told), "utf-8")
    # SystemExit is how a multiprocessing target sets its exit code.
    raise SystemExit(2)


def _place_of(error: Exception) -> str:
    """Kind of error and line of code, without its message: that may hold text of the report."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = f"{Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}" if trace is not None else "?"
    return f"{type(error).__name__} at {place}"


def _limit(what: int, most: int) -> None:
    _, hard = resource.getrlimit(what)
    resource.setrlimit(what, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


def _warm_up(suffixes: set[str], settings: Reports) -> None:
    """Import readers and load language models before the first fork, so that all readers share them."""
    from pipeline.reports.language import language_of

    with suppress(UserError):  # of languages that there are not; each file will be told so
        language_of("Aquesta frase, esta frase and this sentence load the models.", settings.languages)
    import rensa  # noqa: F401  for the signatures

    prepare(suffixes)


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
