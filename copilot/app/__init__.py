"""The drafting page: a report, section by section, in the browser.

    browser ── Gradio events ──> page ──> actions ──> views          what is pressed
       │                                    ├──> desk ──> drafting   drafts being written
       │                                    ├──> checking            what they say that no source does
       ├── plain routes ──> routes ─────────┴──> library             what is typed, looked at, downloaded
       └── /plan/ ──> planner                                        will a training run fit on a card?

Gradio (2 s to import) is imported when the page is made.
"""

from functools import partial
from pathlib import Path

from fastapi import FastAPI

from copilot.app.engine import Engine, Reading, Serving, Status
from pipeline.privacy import turn_telemetry_off
from pipeline.settings import App, Settings, load_settings
from pipeline.storage import Workspace

__all__ = ["Engine", "Reading", "Serving", "Status", "create_app"]


def create_app(workspace: Workspace, settings: App, engine: Engine, planning: Settings | None = None) -> FastAPI:
    """The drafting page as an ASGI app; whoever serves it chooses host and port.

    Args:
        workspace: where projects are kept and past reports lie.
        settings: how drafts are written.
        engine: the model behind the page.
        planning: what the memory planner plans by; None: the settings in force.
    """
    turn_telemetry_off()  # Gradio looks when it is imported
    import gradio as gr

    from copilot.app.actions import Actions
    from copilot.app.desk import Desk
    from copilot.app.page import build_page
    from copilot.app.past import open_past_report, past_reports
    from copilot.app.planner import add_planner
    from copilot.app.routes import add_routes
    from copilot.app.theme import HEAD, theme
    from copilot.library import Library

    library, desk = Library(workspace), Desk()
    past, open_past = partial(past_reports, workspace), partial(open_past_report, workspace)
    actions = Actions(library, desk, engine, past, open_past, settings)
    page, i18n = build_page(actions)
    app = FastAPI(title="Memoria", docs_url=None, redoc_url=None, openapi_url=None)
    add_routes(app, library, desk, engine)
    add_planner(app, workspace, planning or load_settings())
    app.router.add_event_handler("shutdown", desk.stop)
    return gr.mount_gradio_app(
        app,
        page,
        path="/",
        footer_links=[],
        run_history=False,
        ssr_mode=False,
        i18n=i18n,
        theme=theme(),
        head=HEAD,
        favicon_path=str(Path(__file__).parent / "static" / "favicon.png"),
        show_error=True,
        max_file_size="50mb",
    )
