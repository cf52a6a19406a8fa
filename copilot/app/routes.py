"""Plain routes beside the page: saving as one types, looking at what is being written, downloads, files.

Text travels here and not through Gradio's events, together with the name of its section, so that it can never
land in another one. Every answer carries headers that keep the browser from asking anything of another host.
"""

from pathlib import Path
from typing import Literal
from urllib.parse import quote

from fastapi import FastAPI, HTTPException, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.staticfiles import StaticFiles
from pydantic import BaseModel, Field
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from copilot.app.desk import Desk
from copilot.app.engine import Engine
from copilot.export import export_docx, export_markdown, file_name
from copilot.library import Conflict, Library, Project, Version
from pipeline.errors import MemoriaError, TransientError

STATIC = Path(__file__).parent / "static"
MOST_CHARACTERS = 10_000_000
CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'self'",
        "script-src 'self' 'unsafe-inline' 'unsafe-eval'",  # Gradio compiles its templates in the browser
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "font-src 'self' data:",
        "media-src 'self' data: blob:",
        "connect-src 'self'",
        "worker-src 'self' blob:",
        "object-src 'none'",
        "base-uri 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
_HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
}
_KINDS = {
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "md": "text/markdown; charset=utf-8",
}


class SectionText(BaseModel):
    """A section's text from one browser tab, made from `version`; `keep` settles a conflict."""

    text: str = Field(max_length=MOST_CHARACTERS)
    version: int = Field(ge=0, le=2**31)
    sitting: str = Field(min_length=1, max_length=64)
    keep: Literal["mine", "theirs"] | None = None


class Lines(BaseModel):
    """Lines of guidance or facts, made from `base`."""

    text: str = Field(max_length=MOST_CHARACTERS)
    base: str = Field(max_length=MOST_CHARACTERS)


def add_routes(app: FastAPI, library: Library, desk: Desk, engine: Engine) -> None:
    """Put everything beside the page into `app`; to be called before the page is mounted at its root."""
    app.add_middleware(Guard)
    app.exception_handler(MemoriaError)(_tell)
    app.exception_handler(RequestValidationError)(_refuse)
    app.mount("/page", StaticFiles(directory=STATIC), name="page")
    _add_saving(app, library)
    _add_looking(app, library, desk, engine)


def _add_saving(app: FastAPI, library: Library) -> None:
    @app.put("/api/projects/{project}/sections/{key}/text")
    def save_text(project: str, key: str, body: SectionText) -> JSONResponse:
        opened = library.open(project)
        if body.keep == "theirs":
            return _saved(opened, key, opened.set_aside(key, body.text, sitting=body.sitting))
        version = opened.latest(key).version if body.keep == "mine" else body.version
        try:
            saved = opened.save_text(key, body.text, version=version, sitting=body.sitting)
        except Conflict as conflict:
            return JSONResponse({"conflict": conflict.line, "version": conflict.latest.version}, 409)
        return _saved(opened, key, saved)

    @app.put("/api/projects/{project}/sections/{key}/guidance")
    def save_guidance(project: str, key: str, body: Lines) -> dict[str, str]:
        return {"text": library.open(project).save_guidance(key, body.text, base=body.base)}

    @app.put("/api/projects/{project}/facts")
    def save_facts(project: str, body: Lines) -> dict[str, str]:
        return {"text": "\n".join(library.open(project).save_facts(body.text, base=body.base))}


def _add_looking(app: FastAPI, library: Library, desk: Desk, engine: Engine) -> None:
    @app.get("/api/projects/{project}/sections/{key}/writing")
    async def writing(project: str, key: str, after: int = 0) -> dict[str, str | int | bool]:
        """What was written since the first `after` characters."""
        job = desk.job(project, key)
        if job is None:
            return {"running": False, "stage": "none", "text": "", "length": 0}
        event = job.event
        start = min(max(after, 0), len(event.text))
        return {
            "running": job.running,
            "stage": event.stage,
            "text": event.text[start:],
            "length": len(event.text),
        }

    @app.get("/api/model")
    def model() -> dict[str, str]:
        """How the model is; the page looks again when this changes."""
        status = engine.status()
        return {"state": status.state, "model": engine.serving().model if status.state == "ready" else ""}

    @app.get("/export/{name}")
    def export(name: str) -> Response:
        project, _, suffix = name.rpartition(".")
        if suffix not in _KINDS:
            raise HTTPException(404)
        opened = library.open(project)
        content = export_docx(opened) if suffix == "docx" else export_markdown(opened)
        disposition = f"attachment; filename*=UTF-8''{quote(file_name(opened, '.' + suffix))}"
        return Response(content, media_type=_KINDS[suffix], headers={"Content-Disposition": disposition})


def _saved(project: Project, key: str, version: Version) -> JSONResponse:
    entry = project.entry(key)
    return JSONResponse({"version": version.version, "state": entry.state, "words": entry.words})


class Guard:
    """No page of another site may write here, and ours may ask nothing of another host."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        asked = Headers(scope=scope)
        # Compared as text: "null", the origin of a sandboxed frame, is another site's too, and no URL.
        ours = ("", *(f"{scheme}://{asked.get('host')}" for scheme in ("http", "https")))
        if scope["method"] not in ("GET", "HEAD") and asked.get("origin", "") not in ours:
            refusal = JSONResponse({"detail": "requests from other sites are refused"}, 403)
            await refusal(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(_HEADERS)
            await send(message)

        await self._app(scope, receive, send_guarded)


async def _refuse(request: Request, error: Exception) -> JSONResponse:
    """What is wrong in a request, without what was sent: that may be a whole text, or no Unicode at all."""
    assert isinstance(error, RequestValidationError)
    faults = (f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in error.errors())
    return JSONResponse({"detail": "; ".join(faults)}, 422)


async def _tell(request: Request, error: Exception) -> JSONResponse:
    status = 503 if isinstance(error, TransientError) else 404
    return JSONResponse({"detail": error.line if isinstance(error, MemoriaError) else str(error)}, status)
