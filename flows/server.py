"""A Prefect server for as long as one run needs it: on 127.0.0.1, its SQLite in Prefect's home.

    this process ── listening socket ──> server process: uvicorn, Prefect's API ──> <home>/prefect.db
          └──────── standard input ──> at its end, the server ends

Prefect would start such a server by itself. That one outlives a killed caller, and looks for a free port by
chance; this one is given an open socket, and its input is closed by whatever ends this process.
"""

import http.client
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Any

from pipeline.errors import TransientError
from pipeline.storage import clear_disk_errors

_HOST = "127.0.0.1"
_END_SECONDS = 15.0


@contextmanager
def serving(
    home: Path, lock: AbstractContextManager[Any] | None = None, startup_timeout_seconds: float = 300
) -> Iterator[str]:
    """Start a server; yields the URL of its API as soon as it answers, and ends it afterwards.

    The caller has set the environment (telemetry, PREFECT_HOME) that the server is to run in.

    Args:
        lock: held during the start alone, so that two servers do not both make the database.

    Raises:
        TransientError: it has died, or does not answer in time.
        UserError: the home cannot be written.
    """
    with lock or nullcontext():
        with socket.create_server((_HOST, 0)) as listener:
            port = listener.getsockname()[1]
            process = _start(listener, home)
        # Only the server has the socket now: if it dies, whoever waits to be accepted is told at once.
        try:
            _wait_for_answer(port, startup_timeout_seconds, home)
        except BaseException:
            _end(process)
            raise
    try:
        yield f"http://{_HOST}:{port}/api"
    finally:
        _end(process)


def _start(listener: socket.socket, home: Path) -> subprocess.Popen[bytes]:
    # -P keeps the current folder off the path: a file named prefect.py that lies there must not be imported.
    root = str(Path(__file__).parents[1])
    path = os.pathsep.join(filter(None, (root, os.environ.get("PYTHONPATH"))))
    with clear_disk_errors(home):
        home.mkdir(parents=True, exist_ok=True)
        with open(home / "server.log", "ab") as log:
            return subprocess.Popen(
                [sys.executable, "-P", "-m", "flows.server", str(listener.fileno())],
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=subprocess.STDOUT,
                pass_fds=(listener.fileno(),),
                env={**os.environ, "PYTHONPATH": path},
                start_new_session=True,  # an interrupt is for the run, which has its end to tell the server
            )


def _wait_for_answer(port: int, timeout_seconds: float, home: Path) -> None:
    """The socket listens from the start, so that one request waits as long as the server needs to begin."""
    connection = http.client.HTTPConnection(_HOST, port, timeout=timeout_seconds)
    try:
        connection.request("GET", "/api/health")
        status = connection.getresponse().status
    except (OSError, http.client.HTTPException) as error:
        raise TransientError(
            f"Prefect's server did not start ({type(error).__name__})",
            where=home / "server.log",
            fix="read there why, then run the same again",
        ) from error
    finally:
        connection.close()
    if status != http.HTTPStatus.OK:
        raise TransientError(f"Prefect's server is not well (HTTP {status})", where=home / "server.log")


def _end(process: subprocess.Popen[bytes]) -> None:
    assert process.stdin is not None
    process.stdin.close()
    try:
        process.wait(timeout=_END_SECONDS + 5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


# ---- in the server's own process ---------------------------------------------------------------------------


def serve(descriptor: int) -> None:
    """Be the server, on a socket that listens already, until standard input ends."""
    threading.Thread(target=_end_with_input, daemon=True).start()

    import uvicorn
    from prefect.server.api.server import create_app

    # "ephemeral" leaves out the page and the services for schedules, which one run by hand does not need.
    app = create_app(ephemeral=True, final=True)
    config = uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=5)
    uvicorn.Server(config).run(sockets=[socket.socket(fileno=descriptor)])


def _end_with_input() -> None:
    sys.stdin.buffer.read()
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(_END_SECONDS)
    os._exit(1)


if __name__ == "__main__":
    serve(int(sys.argv[1]))
