"""Written sections to judge."""

from collections.abc import Callable
from typing import Any

import pytest

from pipeline.evaluation.scores import Judged
from pipeline.records import Example, Message

Judge = Callable[..., Judged]


@pytest.fixture(scope="session")
def judged() -> Judge:
    """Makes a written section of its text, the true one, and what the prompt says."""

    def make(
        text: str, true: str = "", said: str = "", language: Any = "ca", finish: Any = "whole", report: str = "held out"
    ) -> Judged:
        example = Example(
            report=report,
            source_sha256="0" * 64,
            section="section",
            window="window",
            language=language,
            messages=(Message(role="user", content=said),),
            target=true,
        )
        return Judged(text=text, finish=finish, example=example)

    return make
