"""The page: what stands where, and which action each part calls.

    ┌ header ─────────────────────────────────────────────────────────────┐
    │ Memoria  [report ▾]  New report          ● adapter  Saved  Export ▾ │
    ├ outline ───┬ section ───────────────────────────────┬ window ───────┤
    │ ● 1 ...    │ 2 Methodology                   Draft  │ 725 of 20 000 │
    │ ◐ 2 ...    │ guidance                               │ ▇▇▇░░░░░░░░░░ │
    │ ○ 3 ...    │ Generate  Stop  ...      Accept & next │ 1 ... ▇▇ 100% │
    │            │ Edit | Preview                         │               │
    │            │ text                                   │ facts         │
    │            │ what of it no source says              │               │
    └────────────┴────────────────────────────────────────┴───────────────┘

Gradio takes a field that actions fill but never read for a mere display: hence `interactive` on each.
Text typed into the page is saved by static/page.js over the plain routes; before an action runs, page.js
waits until all of it is (`memoria.flush`), so actions find the newest text in the library.
"""

from collections.abc import Callable
from typing import Any, get_args

import gradio as gr

from copilot.app.actions import Actions, View
from copilot.app.dialog import make_dialog, wire_dialog
from copilot.app.parts import QUIET, Parts, fill, html, place_of, say_of
from copilot.app.words import words_of
from pipeline.records import WrittenLanguage

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


def build_page(actions: Actions) -> tuple[gr.Blocks, gr.I18n]:
    """The page and its words, to be mounted."""
    i18n = gr.I18n(**{language: words_of(language) for language in get_args(WrittenLanguage)})
    with gr.Blocks(title="Memoria", fill_width=True, analytics_enabled=False) as page:
        place = gr.Textbox(elem_id="place", visible="hidden", show_label=False)
        search = gr.Textbox(visible="hidden", show_label=False)
        header = _header(i18n)
        with gr.Row(elem_id="body"):
            with gr.Column(elem_id="left"):
                outline = html("outline", _CHOOSE)
            with gr.Column(elem_id="centre"):
                centre = _centre(i18n)
            with gr.Column(elem_id="right"):
                window = html("window")
                facts = gr.Textbox(
                    elem_id="facts",
                    interactive=True,
                    lines=7,
                    max_lines=14,
                    label=i18n("facts"),
                    placeholder=i18n("facts_hint"),
                )
        dialog = make_dialog(i18n)
        named = {name: part for name, part in centre.items() if name != "preview_tab"}
        parts = Parts(
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
        wire_dialog(actions, parts, dialog)
    return page, i18n


def _header(i18n: gr.I18n) -> dict[str, Any]:
    with gr.Row(elem_id="header"):
        brand = html("brand", _CHOOSE)
        gr.Button(i18n("planner"), link="plan/", link_target="_self", elem_id="planner")
        return {
            "brand": brand,
            "pill": html("pill"),
            "saved": html("saving"),
            "export": html("exporting"),
        }


def _centre(i18n: gr.I18n) -> dict[str, Any]:
    parts: dict[str, Any] = {
        "toast": html("toast"),
        "heading": html("heading"),
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
    parts["notices"] = html("notices")
    with gr.Tabs(elem_id="tabs") as parts["tabs"]:
        with gr.Tab(i18n("edit"), id="edit"):
            parts["paper"] = html("writing")
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
            parts["preview"] = html("preview")
    parts["note"] = html("note")
    parts["check"] = html("check")
    return parts


def _wire(
    page: gr.Blocks,
    actions: Actions,
    parts: Parts,
    search: gr.Textbox,
    reopen: gr.Button,
    preview_tab: gr.Tab,
) -> None:
    def on(listen: Callable[..., Any], act: Callable[..., View], *inputs: Any, js: str | None = _FLUSH) -> None:
        def run(place: str, *values: Any, request: gr.Request) -> dict[Any, Any]:
            return fill(act(say_of(request), place_of(place, request), *values), parts)

        # Gradio finds the request by its annotation, which a starred signature hides.
        run_with = _with_request(run, len(inputs))
        listen(run_with, [parts.place, *inputs], parts.all(), js=js, **QUIET)

    def load(text: str, request: gr.Request) -> dict[Any, Any]:
        return fill(actions.load(say_of(request), request.session_hash or "", text), parts)

    def choose(place: str, request: gr.Request, event: gr.EventData) -> dict[Any, Any]:
        chosen = actions.choose(say_of(request), place_of(place, request), event.kind, event.value)
        return fill(chosen, parts)

    page.load(load, [search], parts.all(), js="() => [window.location.search]", **QUIET)
    for part in (parts.outline, parts.brand):
        part.choose(choose, [parts.place], parts.all(), js=_FLUSH, **QUIET)
    on(reopen.click, actions.show)
    on(parts.generate.click, actions.generate, parts.instruction)
    on(parts.regenerate.click, actions.generate, parts.instruction)
    on(parts.instruction.submit, actions.generate, parts.instruction)
    on(parts.go_on.click, lambda say, place: actions.generate(say, place, "", go_on=True))
    on(parts.stop.click, actions.stop)
    on(parts.back.click, actions.go_back)
    on(parts.accept.click, actions.accept)
    on(preview_tab.select, actions.show)
    parts.place.change(None, [parts.place], None, js=_OPENED, **QUIET)


def _with_request(run: Callable[..., Any], inputs: int) -> Callable[..., Any]:
    def none(place: str, request: gr.Request) -> Any:
        return run(place, request=request)

    def one(place: str, value: Any, request: gr.Request) -> Any:
        return run(place, value, request=request)

    return one if inputs else none
