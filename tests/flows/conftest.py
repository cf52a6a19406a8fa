"""One real Prefect server for all tests of flows, and a road whose stages are small."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from flows.server import serving
from pipeline import road
from pipeline.privacy import TELEMETRY_OFF
from pipeline.records import Adapter, Base
from pipeline.settings import Settings, load_settings

BASE = Base(name="small", fingerprint="f" * 64, rows=100, path="/bases/small")
ADAPTER = Adapter(
    base=BASE.id,
    base_path=BASE.path,
    examples="e" * 64,
    settings="s" * 64,
    run="r" * 64,
    weights_sha256="w" * 64,
    path="/adapters/a",
    created="2026-01-01",
)
STAGES = ("find_base", "make_examples", "slice_vocabulary", "train_adapter", "judge", "release")


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a server's API."""
    home = tmp_path_factory.mktemp("prefect")
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {**TELEMETRY_OFF, "PREFECT_HOME": str(home)}.items():
            patch.setenv(name, value)
        with serving(home) as url:
            yield url


@pytest.fixture
def named_server(server: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """The same, where a user names it."""
    monkeypatch.setenv("PREFECT_API_URL", server)
    return server


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return load_settings(workspace=tmp_path / "workspace")


@dataclass
class SmallRoad:
    """Which stages were called with what; `instead` holds what a stage does in place of succeeding."""

    called: list[tuple[str, tuple[Any, ...]]] = field(default_factory=list)
    instead: dict[str, Callable[[], None]] = field(default_factory=dict)

    def stage(self, name: str, result: object) -> Callable[..., object]:
        def stage(here: road.Road, *arguments: object) -> object:
            self.called.append((name, arguments))
            with here.teller.bar(f"Doing {name}") as progress:
                self.instead.get(name, lambda: None)()
                progress(1, 1)
            here.teller.say(f"Done: {name}.")
            return result

        stage.__name__ = name
        return stage


@pytest.fixture
def small_road(monkeypatch: pytest.MonkeyPatch) -> SmallRoad:
    small = SmallRoad()
    results = dict(zip(STAGES, (BASE, "k" * 64, BASE, ADAPTER, "an evaluation", ADAPTER), strict=True))
    for name, result in results.items():
        monkeypatch.setattr(road, name, small.stage(name, result))
    return small


class Kept:
    """What the server has kept of a flow's last run."""

    def __init__(self, url: str, flow: str) -> None:
        from prefect.client.orchestration import get_client
        from prefect.client.schemas.filters import FlowFilter, FlowFilterName
        from prefect.client.schemas.sorting import FlowRunSort
        from prefect.settings import PREFECT_API_URL, temporary_settings

        with temporary_settings({PREFECT_API_URL: url}), get_client(sync_client=True) as client:
            self._client = client
            runs = client.read_flow_runs(
                flow_filter=FlowFilter(name=FlowFilterName(any_=[flow])),
                sort=FlowRunSort.START_TIME_DESC,
                limit=1,
            )
            self.run = runs[0]
            self.tasks = _until_final(self._tasks)
            self.lines = [log.message for log in self._logs()]
            self.bars = self._bars()

    def _tasks(self) -> list[Any]:
        from prefect.client.schemas.filters import FlowRunFilter, FlowRunFilterId

        runs = self._client.read_task_runs(
            flow_run_filter=FlowRunFilter(id=FlowRunFilterId(any_=[self.run.id]))
        )
        return sorted(runs, key=lambda run: run.expected_start_time)

    def _logs(self) -> list[Any]:
        answer = self._client._client.post(
            "/logs/filter", json={"logs": {"flow_run_id": {"any_": [str(self.run.id)]}}}
        )
        from prefect.client.schemas.objects import Log

        return [Log.model_validate(log) for log in answer.json()]

    def _bars(self) -> dict[str, float]:
        from prefect.client.schemas.filters import ArtifactFilter, ArtifactFilterFlowRunId

        wanted = ArtifactFilter(flow_run_id=ArtifactFilterFlowRunId(any_=[self.run.id]))
        return {a.description: a.data for a in self._client.read_artifacts(artifact_filter=wanted)}


def _until_final(read: Callable[[], list[Any]]) -> list[Any]:
    """The server writes what it hears of tasks down a moment later."""
    end = time.monotonic() + 20
    while time.monotonic() < end:
        tasks = read()
        if tasks and all(task.state and task.state.is_final() for task in tasks):
            break
    return tasks
