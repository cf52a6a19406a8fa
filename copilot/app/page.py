"""The page: what stands where, and which action each part calls.

    ┌ header ─────────────────────────────────────────────────────────────┐
    │ Memoria  [report ▾]  New report          ● adapter  Saved  Export ▾ │
    ├ outline ───┬ section ───────────────────────────────┬ window ───────┤
    │ ● 1 ...    │ 2 Methodology                   Draft  │ 725 of 20 000 │
    │ ◐ 2 ...    │ guidance                               │ ▇▇▇░░░░░░░░░░ │
    │ ○ 3 ...    │ Generate  Stop  ...      Accept & next │ 1 ... ▇▇ 100% │
    │            │ Edit | Preview                         │               │
    │            │ text                                   │ facts         │
    └────────────┴────────────────────────────────────────┴───────────────┘

Gradio takes a field that actions fill but never read for a mere display: hence `interactive` on each.
Text typed into the page is saved by static/page.js over the plain routes; before an action runs, page.js
waits until all of it is (`memoria.flush`), so actions find the newest text in the library.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, get_args

import gradio as gr

from copilot.app import views
from copilot.app.actions import Actions, Place, View
from copilot.app.words import LANGUAGE_NAMES, Words, language_of, words_of
from pipeline.errors import MemoriaError
from pipeline.records import Language

_CHOOSE = """
element.addEventListener('click', (event) => {
  const part = event.target.closest('button[data-choose]');
  if (part?.dataset.choose === 'new') trigger('ask', {});
  else if (part) trigger('choose', {kind: part.dataset.choose, value: part.dataset.key});
});
element.addEventListener('change', (event) => {
  const part = event.target.closest('select[data-choose]');
  if (part) trigger('choose', {kind: part.dataset.choose, value: part.value});
});
"""
_FLUSH = "async (place, ...rest) => [await memoria.flush(place), ...rest]"
_OPENED = "(place) => { memoria.opened(place); return []; }"


@dataclass
class _Parts:
    """The components that a View fills."""

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
    preview: gr.HTML
    window: gr.HTML
    facts: gr.Textbox
    dialog: gr.Column
    welcome: gr.HTML

    def all(self) -> list[Any]:
        return list(vars(self).values())


def build_page(actions: Actions) -> tuple[gr.Blocks, gr.I18n]:
    """The page and its words, to be mounted."""
    i18n = gr.I18n(**{language: words_of(language) for language in get_args(Language)})
    with gr.Blocks(title="Memoria", fill_width=True, analytics_enabled=False) as page:
        place = gr.Textbox(elem_id="place", visible="hidden", show_label=False)
        search = gr.Textbox(visible="hidden", show_label=False)
        header = _header()
        with gr.Row(elem_id="body"):
            with gr.Column(elem_id="left"):
                outline = _html("outline", _CHOOSE)
            with gr.Column(elem_id="centre"):
                centre = _centre(i18n)
            with gr.Column(elem_id="right"):
                window = _html("window")
                facts = gr.Textbox(
                    elem_id="facts",
                    interactive=True,
                    lines=7,
                    max_lines=14,
                    label=i18n("facts"),
                    placeholder=i18n("facts_hint"),
                )
        dialog = _dialog(i18n)
        named = {name: part for name, part in centre.items() if name != "preview_tab"}
        parts = _Parts(
            place=place,
            outline=outline,
            window=window,
            facts=facts,
            dialog=dialog["box"],
            welcome=dialog["welcome"],
            **header,
            **named,
        )
        reopen = gr.Button(elem_id="reopen", visible="hidden")
        _wire(page, actions, parts, search, reopen, centre["preview_tab"])
        _wire_dialog(actions, parts, dialog)
    return page, i18n


def _html(name: str, js_on_load: str | None = None) -> gr.HTML:
    return gr.HTML(elem_id=name, js_on_load=js_on_load, apply_default_css=False)


def _header() -> dict[str, Any]:
    with gr.Row(elem_id="header"):
        return {
            "brand": _html("brand", _CHOOSE),
            "pill": _html("pill"),
            "saved": _html("saving"),
            "export": _html("exporting"),
        }


def _centre(i18n: gr.I18n) -> dict[str, Any]:
    parts: dict[str, Any] = {
        "toast": _html("toast"),
        "heading": _html("heading"),
        "guidance": gr.Textbox(
            elem_id="guidance",
            interactive=True,
            lines=2,
            max_lines=6,
            label=i18n("guidance"),
            placeholder=i18n("guidance_hint"),
        ),
    }
    with gr.Row(elem_id="acting"):
        parts |= {
            "generate": gr.Button(i18n("generate"), variant="primary", elem_id="generate"),
            "stop": gr.Button(i18n("stop"), variant="stop", elem_id="stop", visible=False),
            "go_on": gr.Button(i18n("go_on"), variant="primary", elem_id="go-on", visible=False),
            "instruction": gr.Textbox(
                elem_id="instruction",
                label=i18n("instruction"),
                interactive=True,
                lines=1,
                max_lines=1,
                show_label=False,
                container=False,
                placeholder=i18n("instruction_hint"),
                visible=False,
            ),
            "regenerate": gr.Button(i18n("regenerate"), elem_id="regenerate", visible=False),
            "back": gr.Button(i18n("before"), elem_id="back", visible=False),
            "accept": gr.Button(i18n("accept"), elem_id="accept"),
        }
    parts["notices"] = _html("notices")
    with gr.Tabs(elem_id="tabs") as parts["tabs"]:
        with gr.Tab(i18n("edit"), id="edit"):
            parts["paper"] = _html("writing")
            parts["editor"] = gr.Textbox(
                elem_id="editor",
                interactive=True,
                lines=13,
                max_lines=400,
                label=i18n("text"),
                show_label=False,
                container=False,
                placeholder=i18n("text_hint"),
                autoscroll=False,
            )
        with gr.Tab(i18n("preview"), id="preview") as parts["preview_tab"]:
            parts["preview"] = _html("preview")
    parts["note"] = _html("note")
    return parts


def _dialog(i18n: gr.I18n) -> dict[str, Any]:
    with gr.Column(visible=False, elem_id="dialog") as box, gr.Column(elem_id="dialog-card"):
        parts: dict[str, Any] = {"box": box, "welcome": _html("welcome")}
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
        parts["problem"] = _html("problem")
        with gr.Row(elem_id="deciding"):
            parts["cancel"] = gr.Button(i18n("cancel"), elem_id="cancel")
            parts["create"] = gr.Button(i18n("create"), variant="primary", elem_id="create")
    return parts


def _say(request: gr.Request) -> Words:
    return words_of(language_of(request.headers.get("accept-language")))


def _place(text: str, request: gr.Request) -> Place:
    place = Place.read(text)
    return Place(**{**vars(place), "sitting": request.session_hash or place.sitting})


def _updates(view: View, parts: _Parts) -> dict[Any, Any]:
    """What to fill the components with."""
    has_text, writing = bool(view.text.strip()), view.place.writing
    html = ("brand", "pill", "saved", "export", "outline", "heading", "notices", "toast", "paper", "note")
    shown = {getattr(parts, name): getattr(view, name) for name in (*html, "window", "welcome", "preview")}
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


_QUIET: dict[str, Any] = {"queue": False, "show_progress": "hidden", "api_visibility": "private"}


def _wire(
    page: gr.Blocks,
    actions: Actions,
    parts: _Parts,
    search: gr.Textbox,
    reopen: gr.Button,
    preview_tab: gr.Tab,
) -> None:
    def on(listen: Callable[..., Any], act: Callable[..., View], *inputs: Any, js: str | None = _FLUSH) -> None:
        def run(place: str, *values: Any, request: gr.Request) -> dict[Any, Any]:
            return _updates(act(_say(request), _place(place, request), *values), parts)

        # Gradio finds the request by its annotation, which a starred signature hides.
        run_with = _with_request(run, len(inputs))
        listen(run_with, [parts.place, *inputs], parts.all(), js=js, **_QUIET)

    def load(text: str, request: gr.Request) -> dict[Any, Any]:
        return _updates(actions.load(_say(request), request.session_hash or "", text), parts)

    def choose(place: str, request: gr.Request, event: gr.EventData) -> dict[Any, Any]:
        chosen = actions.choose(_say(request), _place(place, request), event.kind, event.value)
        return _updates(chosen, parts)

    page.load(load, [search], parts.all(), js="() => [window.location.search]", **_QUIET)
    for part in (parts.outline, parts.brand):
        part.choose(choose, [parts.place], parts.all(), js=_FLUSH, **_QUIET)
    on(reopen.click, actions.show)
    on(parts.generate.click, actions.generate, parts.instruction)
    on(parts.regenerate.click, actions.generate, parts.instruction)
    on(parts.instruction.submit, actions.generate, parts.instruction)
    on(parts.go_on.click, lambda say, place: actions.generate(say, place, "", go_on=True))
    on(parts.stop.click, actions.stop)
    on(parts.back.click, actions.go_back)
    on(parts.accept.click, actions.accept)
    on(preview_tab.select, actions.show)
    parts.place.change(None, [parts.place], None, js=_OPENED, **_QUIET)


def _with_request(run: Callable[..., Any], inputs: int) -> Callable[..., Any]:
    def none(place: str, request: gr.Request) -> Any:
        return run(place, request=request)

    def one(place: str, value: Any, request: gr.Request) -> Any:
        return run(place, value, request=request)

    return one if inputs else none


def _wire_dialog(actions: Actions, parts: _Parts, dialog: dict[str, Any]) -> None:
    def ask(request: gr.Request) -> dict[Any, Any]:
        say = _say(request)
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
        return _updates(actions.show(_say(request), _place(place.written(), request)), parts)

    asked = [dialog[name] for name in ("box", "source", "language", "title", "headings", "problem")]
    parts.brand.ask(ask, None, asked, **_QUIET)
    dialog["source"].input(actions.outline_text, [dialog["source"]], [dialog["headings"]], **_QUIET)
    dialog["cancel"].click(lambda: gr.update(visible=False), None, [dialog["box"]], **_QUIET)
    given = [dialog[name] for name in ("title", "language", "headings", "source")]
    dialog["create"].click(create, given, [*parts.all(), dialog["problem"]], **_QUIET)
