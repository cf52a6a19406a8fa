"""The components that actions fill, and how a View fills them."""

from dataclasses import dataclass
from typing import Any

import gradio as gr

from copilot.app.actions import Place, View
from copilot.app.words import Words, language_of, words_of

QUIET: dict[str, Any] = {"queue": False, "show_progress": "hidden", "api_visibility": "private"}


@dataclass
class Parts:
    """The components that a View fills, by the names of its fields."""

    place: gr.Textbox
    brand: gr.HTML
    pill: gr.HTML
    saved: gr.HTML
    export: gr.HTML
    outline: gr.HTML
    heading: gr.HTML
    guidance: gr.Textbox
    generate: gr.Button
    regenerate: gr.Button
    go_on: gr.Button
    stop: gr.Button
    back: gr.Button
    accept: gr.Button
    instruction: gr.Textbox
    notices: gr.HTML
    toast: gr.HTML
    tabs: gr.Tabs
    paper: gr.HTML
    editor: gr.Textbox
    note: gr.HTML
    check: gr.HTML
    preview: gr.HTML
    window: gr.HTML
    facts: gr.Textbox
    dialog: gr.Column
    welcome: gr.HTML

    def all(self) -> list[Any]:
        """All of them, as an action's outputs."""
        return list(vars(self).values())


def html(name: str, js_on_load: str | None = None) -> gr.HTML:
    """A part that shows what views.py makes, without Gradio's own style."""
    return gr.HTML(elem_id=name, js_on_load=js_on_load, apply_default_css=False)


def say_of(request: gr.Request) -> Words:
    """The page's words in the language that the browser asks for."""
    return words_of(language_of(request.headers.get("accept-language")))


def place_of(text: str, request: gr.Request) -> Place:
    """The place that the page has open; the browser tab is named by Gradio's session."""
    place = Place.read(text)
    return Place(**{**vars(place), "sitting": request.session_hash or place.sitting})


def fill(view: View, parts: Parts) -> dict[Any, Any]:
    """What to fill the components with."""
    has_text, writing = bool(view.text.strip()), view.place.writing
    panels = ("brand", "pill", "saved", "export", "outline", "heading", "notices", "toast", "paper", "note", "check")
    shown = {getattr(parts, name): getattr(view, name) for name in (*panels, "window", "welcome", "preview")}
    texts = {parts.editor: view.text, parts.guidance: view.guidance, parts.facts: view.facts}
    return {
        **shown,
        **texts,
        parts.place: view.place.written(),
        parts.generate: gr.update(visible=not has_text and not writing, interactive=view.ready),
        parts.stop: gr.update(visible=writing),
        parts.go_on: gr.update(visible=view.can_go_on, interactive=view.ready),
        parts.regenerate: gr.update(visible=has_text and not writing, interactive=view.ready),
        parts.instruction: gr.update(visible=has_text and not writing, value=""),
        parts.back: gr.update(visible=view.can_go_back),
        parts.accept: gr.update(visible=not writing),
        parts.dialog: gr.update(visible=view.asking),
        parts.tabs: gr.update(selected="edit") if writing else gr.skip(),
    }
