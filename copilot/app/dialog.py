"""The dialog for a new report: its title, its language, and the outline that it begins with."""

from typing import Any

import gradio as gr

from copilot.app import views
from copilot.app.actions import Actions
from copilot.app.parts import QUIET, Parts, fill, html, place_of, say_of
from copilot.app.words import LANGUAGE_NAMES, language_of
from pipeline.errors import MemoriaError
from pipeline.records import Language


def make_dialog(i18n: gr.I18n) -> dict[str, Any]:
    """The dialog's components, by name; `box` holds them all."""
    with gr.Column(visible=False, elem_id="dialog") as box, gr.Column(elem_id="dialog-card"):
        parts: dict[str, Any] = {"box": box, "welcome": html("welcome")}
        parts["title"] = gr.Textbox(elem_id="title", label=i18n("title"), placeholder=i18n("title_hint"))
        with gr.Row():
            languages = [(name, code) for code, name in LANGUAGE_NAMES.items()]
            parts["language"] = gr.Dropdown(languages, value="en", label=i18n("language"), elem_id="language")
            parts["source"] = gr.Dropdown([("—", "")], value="", label=i18n("source"), elem_id="source")
        parts["headings"] = gr.Textbox(
            elem_id="headings",
            lines=10,
            max_lines=16,
            label=i18n("headings"),
            placeholder=i18n("headings_hint"),
        )
        parts["problem"] = html("problem")
        with gr.Row(elem_id="deciding"):
            parts["cancel"] = gr.Button(i18n("cancel"), elem_id="cancel")
            parts["create"] = gr.Button(i18n("create"), variant="primary", elem_id="create")
    return parts


def wire_dialog(actions: Actions, parts: Parts, dialog: dict[str, Any]) -> None:
    """Connect the dialog to its actions, and to the button that opens it."""

    def ask(request: gr.Request) -> dict[Any, Any]:
        say = say_of(request)
        choices = [(say["blank"], ""), *actions.outlines()]
        return {
            dialog["box"]: gr.update(visible=True),
            dialog["source"]: gr.update(choices=choices, value=""),
            dialog["language"]: language_of(request.headers.get("accept-language")),
            **dict.fromkeys((dialog["title"], dialog["headings"], dialog["problem"]), ""),
        }

    def create(title: str, language: Language, headings: str, source: str, request: gr.Request) -> dict[Any, Any]:
        try:
            place = actions.create(title, language, headings, source)
        except MemoriaError as error:
            return {dialog["problem"]: views.toast(error.line)}
        return fill(actions.show(say_of(request), place_of(place.written(), request)), parts)

    asked = [dialog[name] for name in ("box", "source", "language", "title", "headings", "problem")]
    parts.brand.ask(ask, None, asked, **QUIET)
    dialog["source"].input(actions.outline_text, [dialog["source"]], [dialog["headings"]], **QUIET)
    dialog["cancel"].click(lambda: gr.update(visible=False), None, [dialog["box"]], **QUIET)
    given = [dialog[name] for name in ("title", "language", "headings", "source")]
    dialog["create"].click(create, given, [*parts.all(), dialog["problem"]], **QUIET)
