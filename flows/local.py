"""Run a flow here and now. Nothing else in the house starts flows.

What Prefect keeps lies in `<workspace>/prefect`, whatever the user's own Prefect keeps elsewhere. A server
that the user names by PREFECT_API_URL is used; otherwise one is started for the run, on this machine alone.
"""

import importlib
import importlib.util
import inspect
import logging
import os
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import Any

from flows.server import serving
from pipeline.errors import UserError
from pipeline.privacy import turn_telemetry_off
from pipeline.progress import Silence, Teller
from pipeline.settings import Settings
from pipeline.storage import Workspace

_FLOWS = ("ingest", "retrain", "release")
# No flow reads these branches. `serve` may hold a key, and Prefect keeps the parameters of a run.
_NOT_FOR_FLOWS = {"serve", "app"}
_QUIET = {
    # Whatever fails is raised to the caller; the log that the server keeps has the rest.
    "PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL": "CRITICAL",
    "PREFECT_LOGGING_EXTRA_LOGGERS": "pipeline",
    "PREFECT_LOGGING_TO_API_WHEN_MISSING_FLOW": "ignore",
    "PREFECT_TELEMETRY_ENABLE_RESOURCE_METRICS": "false",
}


def names() -> tuple[str, ...]:
    """The flows that there are."""
    return _FLOWS


def run_flow(name: str, settings: Settings, teller: Teller | None = None, **parameters: Any) -> Any:
    """Run a flow in this process and return what it returns.

    Args:
        settings: what was set in them, by whatever means, travels with the run (but for `serve` and `app`).
        teller: hears here what the run tells Prefect. By default nobody does.
        parameters: the flow's own; plain values, for Prefect keeps them as JSON.

    Raises:
        MemoriaError: as the stage raised it.
        UserError: no such flow or parameter, no Prefect, or no server answers at PREFECT_API_URL.
        TransientError: Prefect's server did not start.
    """
    if name not in names():
        raise UserError(f"no flow {name!r}", fix=f"choose one of: {', '.join(names())}")
    if importlib.util.find_spec("prefect") is None:
        raise UserError("Prefect is not installed", fix="run: pip install 'memoria[flows]'")
    turn_telemetry_off()
    workspace = Workspace(settings.workspace)
    said = settings.model_dump(mode="json", exclude_unset=True, exclude=_NOT_FOR_FLOWS)
    parameters["settings"] = {**said, "workspace": str(workspace.root)}
    with _connected(workspace, os.environ.get("PREFECT_API_URL")):
        from flows.telling import listening

        flow = getattr(importlib.import_module(f"flows.{name}"), name)
        try:
            inspect.signature(flow.fn).bind(**parameters)
        except TypeError as error:
            raise UserError(f"flow {name}: {error}") from error
        with listening(teller or Silence()):
            return flow(**parameters)


@contextmanager
def _connected(workspace: Workspace, url: str | None) -> Iterator[None]:
    """Prefect with its home in the workspace, and a server that answers: for this context only."""
    home = workspace.path("prefect")
    with ExitStack() as stack:
        stack.enter_context(_environment({"PREFECT_HOME": str(home), **_without_proxy("127.0.0.1")}))
        url = url or stack.enter_context(serving(home, workspace.lock("prefect")))
        stack.enter_context(_environment({"PREFECT_API_URL": url, **_QUIET}))

        from prefect.settings import PREFECT_API_URL, PREFECT_HOME, temporary_settings

        # A Prefect that was imported before does not read the environment again.
        stack.enter_context(temporary_settings({PREFECT_API_URL: url, PREFECT_HOME: home}))
        _require_answer(url)
        stack.callback(_send_the_rest)
        ours = logging.getLogger("pipeline")
        stack.callback(ours.setLevel, ours.level)
        ours.setLevel(logging.INFO)
        yield


@contextmanager
def _environment(values: Mapping[str, str]) -> Iterator[None]:
    """Variables for this process and those started from it, as long as the context lasts."""
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def _without_proxy(host: str) -> dict[str, str]:
    """An office's proxy must not be asked for what runs on this machine."""
    return {name: ",".join(filter(None, (os.environ.get(name), host))) for name in ("NO_PROXY", "no_proxy")}


def _require_answer(url: str) -> None:
    from prefect.client.orchestration import get_client

    with get_client(sync_client=True) as client:
        if (failure := client.api_healthcheck()) is not None:
            raise UserError(
                f"no Prefect server answers ({type(failure).__name__})",
                where=url,
                fix="start it, or unset PREFECT_API_URL to have one for the run alone",
            ) from failure


def _send_the_rest() -> None:
    """Logs and states of tasks travel in the background: let them arrive before the server may go."""
    from prefect.events.worker import EventsWorker
    from prefect.logging.handlers import APILogWorker

    APILogWorker.drain_all(timeout=20)
    EventsWorker.drain_all(timeout=20)
