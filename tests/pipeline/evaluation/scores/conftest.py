"""Written sections to judge."""

from collections.abc import Callable
from typing import Any

import pytest

from pipeline.evaluation.scores import Judged
from pipeline.records import Example, Message, Window, WindowPart
from pipeline.windows import Brief, render

Judge = Callable[..., Judged]


def prompt(window: str, language: Any, **told: Any) -> tuple[Message, ...]:
    """What the product asks, with a window of one part."""
    part = WindowPart(section="s", title="Abans", level=1, spans=(), text=window, tokens=0, share_kept=1)
    fields: dict[str, Any] = {name: "" for name in ("document", "section", "policy", "tokenizer", "outline")}
    budgets = {name: 0 for name in ("budget_tokens", "used_tokens", "outline_tokens")}
    brief = Brief(report_title="Memòria", section_title="Resultats", language=language, **told)
    return render(Window(parts=(part,), **fields, **budgets), brief)


@pytest.fixture(scope="session")
def judged() -> Judge:
    """Makes a written section of its text, the true one, and what the prompt tells (window, facts, guidance)."""

    def make(
        text: str,
        true: str = "",
        window: str = "",
        language: Any = "ca",
        finish: Any = "whole",
        report: str = "held out",
        **told: Any,
    ) -> Judged:
        example = Example(
            report=report,
            source_sha256="0" * 64,
            section="section",
            window="window",
            language=language,
            messages=prompt(window, language, **told),
            target=true,
        )
        return Judged(text=text, finish=finish, example=example)

    return make
