"""Serving the drafting page with the model behind it, until the person stops it."""

import errno
import socket
import threading
import webbrowser
from collections.abc import Callable
from pathlib import Path

from copilot.service import Service
from pipeline.errors import UserError
from pipeline.progress import Teller
from pipeline.settings import Settings
from pipeline.storage import Workspace


def serve_page(
    settings: Settings,
    python: Callable[[], Path],
    teller: Teller,
    *,
    port: int | None = None,
    browser: bool = True,
) -> None:
    """Serve the page until interrupted. The model starts meanwhile, and stays when the page ends.

    Args:
        python: gives the executable of vLLM's environment.

    Raises:
        UserError: the port is taken, or not for this user, or this machine has no such address.
    """
    import uvicorn

    from copilot.app import create_app

    host = settings.app.host
    listening = _listen(host, settings.app.port if port is None else port)
    service = Service(settings, python).start()
    page = create_app(Workspace(settings.workspace), settings.app, service, settings)
    url = f"http://{host}:{listening.getsockname()[1]}/"
    server = uvicorn.Server(uvicorn.Config(page, log_level="warning", timeout_graceful_shutdown=5))
    threading.Thread(target=_announce, args=(server, url, teller, browser), daemon=True).start()
    try:
        server.run(sockets=[listening])
    finally:
        service.close()


def _listen(host: str, port: int) -> socket.socket:
    listening = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except OSError as error:
        listening.close()
        if error.errno not in (errno.EADDRINUSE, errno.EACCES):
            raise UserError(f"cannot listen here: {error.strerror}", where=host, fix="set app.host") from error
        why = "is taken" if error.errno == errno.EADDRINUSE else "is kept for the system"
        raise UserError(f"port {port} {why}", where=host, fix="choose another with --port") from error
    return listening


def _announce(server: object, url: str, teller: Teller, browser: bool) -> None:
    """Tell where the page is, once it answers."""
    pause = threading.Event()
    while not getattr(server, "started", False):
        if getattr(server, "should_exit", False) or pause.wait(0.1):
            return
    teller.say(f"The drafting page is open at {url} (stop it with Ctrl-C).")
    if browser:
        webbrowser.open(url)
