"""Verbs about a model at work: serve, app, demo."""

from typing import Annotated

import typer

from copilot.cli.options import JsonOption, ModelOption, WorkspaceOption, settings_from, terminal
from copilot.cli.terminal import print_json
from pipeline.errors import FatalError
from pipeline.progress import Teller
from pipeline.settings import Settings

PortOption = Annotated[
    int | None, typer.Option("--port", min=0, max=65535, help="Port of the page to listen on; 0: a free one.")
]
BrowserOption = Annotated[bool, typer.Option("--browser/--no-browser", help="Open the page in the browser.")]


def add_to(app: typer.Typer) -> None:
    """Add these verbs to the command."""
    app.command()(serve)
    app.command("app")(open_app)
    app.command()(demo)


def serve(
    install: Annotated[bool, typer.Option("--install", help="Only make vLLM's environment.")] = False,
    stop: Annotated[bool, typer.Option("--stop", help="Stop the workspace's server.")] = False,
    status: Annotated[bool, typer.Option("--status", help="Only tell how it is.")] = False,
    workspace: WorkspaceOption = None,
    model: ModelOption = None,
    json: JsonOption = False,
) -> None:
    """Serve the champion through vLLM; the server stays when this command ends."""
    from copilot.server.environment import ensure_environment
    from copilot.server.process import Server
    from pipeline.storage import Workspace

    teller, settings = terminal(), settings_from(workspace, model)
    server = Server(Workspace(settings.workspace))
    if stop:
        server.stop()
        if json:
            print_json({"state": "stopped", "url": None, "detail": ""})
        teller.say("The model server is stopped.")
        return
    if install:
        with teller.bar("Installing vLLM") as progress:
            teller.say(f"vLLM is in {ensure_environment(progress).parent.parent}.")
        return
    if not status:
        _start(settings, teller)
    now = server.status()
    if json:
        print_json({"state": now.state, "url": now.url, "detail": now.detail})
    else:
        teller.say(f"The model server is {now.state}. {now.url or ''} {now.detail}".strip())
    if now.state != "ready":
        raise typer.Exit(1)


def open_app(
    port: PortOption = None,
    browser: BrowserOption = True,
    workspace: WorkspaceOption = None,
    model: ModelOption = None,
) -> None:
    """Open the drafting page; the model starts meanwhile."""
    from copilot.page import serve_page
    from copilot.server.environment import ensure_environment

    settings = settings_from(workspace, model)
    serve_page(settings, ensure_environment, terminal(), port=port, browser=browser)


def demo(
    browser: BrowserOption = True,
    port: PortOption = None,
    workspace: WorkspaceOption = None,
    model: ModelOption = None,
) -> None:
    """The whole road on sample reports with a small model, on a CPU, then the drafting page."""
    from copilot.demo import PROFILE, run_demo

    run_demo(settings_from(workspace, model, PROFILE), terminal(), port=port, browser=browser)


def _start(settings: Settings, teller: Teller) -> None:
    from copilot.service import Service

    service = Service(settings).start()
    with teller.bar("Starting the model server"):
        status = service.wait(settings.serve.startup_timeout_seconds)
    service.close()
    if status.state != "ready":
        raise FatalError(status.line)
