"""What is tried again, and what is not."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from pipeline.errors import FatalError, TransientError, UserError

pytestmark = pytest.mark.slow


@pytest.fixture
def walk(named_server: str) -> Iterator[Callable[..., Any]]:
    """A flow of one stage."""
    from prefect import flow
    from prefect.logging.handlers import APILogWorker
    from prefect.settings import PREFECT_API_URL, temporary_settings

    from flows.tasks import AsTasks

    @flow
    def walk(stage: Callable[[], object], timeout_seconds: float | None) -> object:
        return AsTasks(retries=2, pause_seconds=0, timeout_seconds=timeout_seconds)(stage)

    with temporary_settings({PREFECT_API_URL: named_server}):
        yield walk
        APILogWorker.drain_all(timeout=20)  # the server may be gone before this process ends


class Stage:
    """A stage that fails so many times first."""

    __name__ = "stage"

    def __init__(self, error: Exception, times: int) -> None:
        self.error, self.times, self.tries = error, times, 0

    def __call__(self) -> str:
        self.tries += 1
        if self.tries <= self.times:
            raise self.error
        return "done"


def test_what_may_pass_is_tried_again(walk: Callable[..., Any]) -> None:
    stage = Stage(TransientError("a busy port"), times=2)
    assert walk(stage, None) == "done"
    assert stage.tries == 3


def test_not_for_ever(walk: Callable[..., Any]) -> None:
    stage = Stage(TransientError("a busy port"), times=9)
    with pytest.raises(TransientError) as raised:
        walk(stage, None)
    assert raised.value is stage.error
    assert stage.tries == 3


@pytest.mark.parametrize("error", [UserError("mend it"), FatalError("broken"), ValueError("a fault of ours")])
def test_what_will_not_pass_is_tried_once(walk: Callable[..., Any], error: Exception) -> None:
    stage = Stage(error, times=9)
    with pytest.raises(type(error)) as raised:
        walk(stage, None)
    assert raised.value is error
    assert stage.tries == 1


def test_what_hangs_is_ended(walk: Callable[..., Any]) -> None:
    def hang() -> None:
        while True:
            pass

    with pytest.raises(TransientError, match=r"hang: took longer than 0\.2 s"):
        walk(hang, 0.2)
