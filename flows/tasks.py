"""Each stage of the road as a Prefect task.

Prefect caches no result here. Every stage finds by itself what it has made, in the workspace, under a name
made of its inputs; a second cache, with keys of its own, could only disagree. So a run that was killed is
simply run again. What a task returns stays in memory, for a task runs where its flow runs. Only the error of
a flow that fails is kept (pickled, in `storage` in Prefect's home); ours say what, where and the remedy.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from prefect import Task
from prefect.cache_policies import NO_CACHE
from prefect.client.schemas.objects import TaskRun
from prefect.runtime import flow_run
from prefect.states import State
from prefect.task_engine import TaskRunTimeoutError
from prefect.utilities.annotations import opaque

from flows.telling import PrefectTeller
from pipeline.errors import TransientError
from pipeline.records import digest, short
from pipeline.road import Road
from pipeline.settings import load_settings

Result = TypeVar("Result")

_HOUR_SECONDS = 3600.0
# Not how long a stage should take, but after how long it must be hanging.
_TIMEOUT_SECONDS = {"train_adapter": 7 * 24 * _HOUR_SECONDS, "release": _HOUR_SECONDS}
_OTHER_TIMEOUT_SECONDS = 24 * _HOUR_SECONDS


def open_road(settings: dict[str, Any] | None) -> Road:
    """The road with the settings in force in this process, but for those said; it tells Prefect."""
    from copilot.server.held_out import section_writer  # imports openai

    loaded = load_settings(**(settings or {}))
    return Road(loaded, PrefectTeller(), section_writer(loaded))


def run_name() -> str:
    """The flow's name and the digest of its parameters: the same question has the same name."""
    return f"{flow_run.flow_name}-{short(digest(flow_run.parameters))}"


@dataclass(frozen=True)
class AsTasks:
    """A `run` for `pipeline.road`: call a stage as a task of the flow that is running.

    After a TransientError it is tried again, `retries` times, each after a pause; whatever else a stage
    raises reaches the caller as it is, at once.
    """

    retries: int = 3
    pause_seconds: float = 20.0
    timeout_seconds: float | None = None  # None: the stage's own

    def __call__(self, stage: Callable[..., Result], *arguments: object) -> Result:
        """Run a stage.

        Raises:
            TransientError: the stage took longer than it ever should.
        """
        timeout_seconds = self.timeout_seconds or _TIMEOUT_SECONDS.get(stage.__name__, _OTHER_TIMEOUT_SECONDS)
        task = Task(
            stage,
            name=stage.__name__,
            task_run_name=_run_name(stage, arguments),
            retries=self.retries,
            retry_delay_seconds=self.pause_seconds,
            retry_condition_fn=_may_pass,
            timeout_seconds=timeout_seconds,
            cache_policy=NO_CACHE,
            persist_result=False,
        )
        try:
            # Opaque: Prefect need not look for its own things in ours, which can be a whole archive.
            return task(*map(opaque, arguments))
        except TaskRunTimeoutError as error:
            raise TransientError(
                f"took longer than {timeout_seconds:g} s",
                where=stage.__name__,
                fix="run the same again: what is finished is kept",
            ) from error


def _may_pass(task: Task[..., Any], run: TaskRun, state: State[Any]) -> bool:
    return isinstance(state.data, TransientError)


def _run_name(stage: Callable[..., Any], arguments: tuple[object, ...]) -> str:
    """The stage's name and the ids of what it works on."""
    ids = (getattr(argument, "id", argument) for argument in arguments)
    return " ".join([stage.__name__, *(short(identity) for identity in ids if isinstance(identity, str))])
