"""The memory planner's page at /plan/: what `memoria plan` answers, anew at every change.

    ┌ header ─────────────────────────────────────────────┐
    │ Memoria   Will it fit?                     Drafting │
    ├ fields ──────┬ answer ──────────────────────────────┤
    │ model      ▾ │ It fits.                             │
    │ card       ▾ │ 5.9 of 14.7 GiB                      │
    │ tokens       │ ████████▓▓▒▒▒░░░░░░░░│               │
    │ ...          │ ladder, settings, cards, serving     │
    └──────────────┴──────────────────────────────────────┘

The answer is pipeline/planner/picture.py's; what cannot be answered is told in its place.
"""

from functools import lru_cache
from html import escape
from typing import Any, get_args

import gradio as gr
from fastapi import FastAPI
from fastapi.responses import RedirectResponse

from copilot.app.parts import QUIET, html
from copilot.app.planner_words import planner_words
from copilot.app.theme import theme
from copilot.app.words import Words, language_of
from pipeline.bases.resolve import DEFAULT_ON_A_CARD
from pipeline.card import cards
from pipeline.errors import MemoriaError, UserError
from pipeline.memory.run import Method
from pipeline.memory.shape import known_shapes
from pipeline.planner.answer import Question, answer
from pipeline.planner.cards import read_cards
from pipeline.planner.lengths import Lengths
from pipeline.planner.picture import fragment, style
from pipeline.planner.stored import stored_lengths
from pipeline.planner.told import METHODS
from pipeline.records import WrittenLanguage
from pipeline.settings import Settings
from pipeline.storage import Workspace

_HEAD = """
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="../favicon.ico">
<link rel="stylesheet" href="../page/page.css">
<link rel="stylesheet" href="../page/planner.css">
"""
_USUAL_CARD = "16"  # GB, where this machine has no card to plan for
_MOST = 10**9
_NEEDED = ("batch", "runs", "months")


class Planner:
    """Answers the page's questions by the settings in force and the examples of a workspace."""

    def __init__(self, workspace: Workspace, settings: Settings) -> None:
        self._workspace, self._settings = workspace, settings
        self._measured = lru_cache(maxsize=1)(lambda _: stored_lengths(workspace))

    def show(self, **asked: Any) -> str:
        """The answer as HTML; a sentence where there is none.

        Args:
            asked: the fields of a Question, as a browser sends them: a number is None while a person types it.
        """
        try:
            question = self._question(**asked)
            return fragment(answer(question, self._settings, self._lengths()))
        except MemoriaError as error:
            told = " ".join(_sentence(said) for said in (error.what, error.fix) if said)
            return f'<p class="no-answer" role="alert">{escape(told)}</p>'

    def _question(self, *, model: str | None, card: str | None, method: Method, **numbers: Any) -> Question:
        for name, value in numbers.items():
            missing = value is None and name in _NEEDED
            if missing or (value is not None and not 0 < value <= _MOST):
                raise UserError(f"{name} has to be a number above 0, and no more than {_MOST:,}")
        if method not in get_args(Method):
            raise UserError("there is no such method", fix=f"choose one of {', '.join(get_args(Method))}")
        return Question(
            (model or "").strip() or DEFAULT_ON_A_CARD, (card or "").strip() or None, method=method, **numbers
        )

    def _lengths(self) -> Lengths | None:
        newest = tuple(tuple(self._workspace.keys(room)) for room in ("examples", "bases"))
        return self._measured(newest)


def add_planner(app: FastAPI, workspace: Workspace, settings: Settings) -> None:
    """Put the page into `app`; to be called before another is mounted at its root."""

    @app.get("/plan", include_in_schema=False)
    def to_the_folder() -> RedirectResponse:
        return RedirectResponse("plan/")

    page, i18n = build_planner(Planner(workspace, settings), settings)
    gr.mount_gradio_app(
        app,
        page,
        path="/plan",
        footer_links=[],
        run_history=False,
        ssr_mode=False,
        i18n=i18n,
        theme=theme(),
        head=f"{_HEAD}<style>{style()}</style>",
        show_error=True,
    )


def build_planner(planner: Planner, settings: Settings) -> tuple[gr.Blocks, gr.I18n]:
    """The page and its words, to be mounted."""
    i18n = gr.I18n(**{language: planner_words(language) for language in get_args(WrittenLanguage)})
    with gr.Blocks(title="Memoria", fill_width=True, analytics_enabled=False) as page:
        with gr.Row(elem_id="header"):
            header = html("plan-header")
        with gr.Row(elem_id="plan"):
            with gr.Column(elem_id="asked"):
                fields = _fields(i18n, settings)
                note = html("plan-note")
            with gr.Column(elem_id="answered"):
                shown = html("answer")

    def greet(request: gr.Request) -> tuple[str, str]:
        say = planner_words(language_of(request.headers.get("accept-language")))
        return _header(say), escape(say["plan_in_english"])

    def ask(*values: Any) -> str:
        return planner.show(**dict(zip(fields, values, strict=True)))

    with page:
        page.load(greet, None, [header, note], **QUIET)
        changes = [field.change for field in fields.values()]
        gr.on([page.load, *changes], ask, list(fields.values()), shown, trigger_mode="always_last", **QUIET)
    return page, i18n


def _fields(i18n: gr.I18n, settings: Settings) -> dict[str, Any]:
    """The fields, by what a Question calls them."""
    here = [(card.name, "") for card in cards()[:1]]
    listed = [(card.name, card.name) for card in read_cards()]
    models = [shape.name for shape in known_shapes()]
    methods = [(METHODS[name], name) for name in get_args(Method)]

    def number(name: str, value: float, step: float = 1) -> gr.Number:
        return gr.Number(
            value, label=i18n(f"plan_{name}"), precision=0 if step == 1 else None, step=step, interactive=True
        )

    fields: dict[str, Any] = {
        "model": gr.Dropdown(
            models,
            value=settings.model or DEFAULT_ON_A_CARD,
            label=i18n("plan_model"),
            info=i18n("plan_model_hint"),
            allow_custom_value=True,
            interactive=True,
        ),
        "card": gr.Dropdown(
            here + listed,
            value="" if here else _USUAL_CARD,
            label=i18n("plan_card"),
            info=i18n("plan_card_hint"),
            allow_custom_value=True,
            interactive=True,
        ),
        "context": number("context", settings.training.longest_tokens),
        "method": gr.Radio(methods, value="qlora", label=i18n("plan_method"), interactive=True),
    }
    with gr.Row():
        fields |= {"batch": number("batch", 1), "rank": number("rank", settings.training.rank)}
    with gr.Row():
        fields |= {"runs": number("runs", 1), "months": number("months", 1, 0.5)}
    return fields


def _sentence(said: str) -> str:
    first = said[0] if said[1:2].isupper() else said[0].upper()  # vLLM stays what it is
    return f"{first}{said[1:].rstrip('.')}."


def _header(say: Words) -> str:
    return (
        '<span class="mark" aria-hidden="true"><i></i><i></i><i></i></span><span class="name">Memoria</span>'
        f"<h1>{escape(say['plan_title'])}</h1>"
        f'<a href="../">{escape(say["plan_drafting"])}</a>'
    )
