"""One real Prefect server for all tests of flows, and a road whose stages are small."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest
from rich.table import Table

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
    windows={},
    settings="s" * 64,
    run="r" * 64,
    weights_sha256="w" * 64,
    path="/adapters/a",
    created="2026-01-01",
)
STAGES = ("find_base", "slice_vocabulary", "make_examples", "train_adapter", "judge", "release")


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
    """Which stages were called, with what; `meanwhile` holds what a stage does before it succeeds."""

    called: list[tuple[str, tuple[Any, ...]]] = field(default_factory=list)
    settings: Settings | None = None
    meanwhile: dict[str, Callable[[], None]] = field(default_factory=dict)

    def stage(self, name: str, result: object) -> Callable[..., object]:
        def stage(here: road.Road, *arguments: object) -> object:
            self.called.append((name, arguments))
            self.settings = here.settings
            with here.teller.bar(f"Doing {name}") as progress:
                self.meanwhile.get(name, lambda: None)()
                progress(1, 1)
            here.teller.say(f"Done: {name}.")
            here.teller.show(Table("as wide as its title needs", title=f"Table of {name}"))
            return result

        stage.__name__ = name
        return stage


@pytest.fixture
def small_road(monkeypatch: pytest.MonkeyPatch) -> SmallRoad:
    small = SmallRoad()
    monkeypatch.setattr(road, "require_reports", lambda here: None)
    results = dict(zip(STAGES, (BASE, BASE, "k" * 64, ADAPTER, "an evaluation", ADAPTER), strict=True))
    for name, result in results.items():
        monkeypatch.setattr(road, name, small.stage(name, result))
    return small


class Kept:
    """What the server has kept of a flow's last run: its tasks in order, the lines of its log, its bars."""

    def __init__(self, url: str, flow: str) -> None:
        self._api = httpx.Client(base_url=url)
        newest = {"flows": {"name": {"any_": [flow]}}, "sort": "START_TIME_DESC", "limit": 1}
        self.run = self._ask("/flow_runs/filter", newest)[0]
        self.tasks = self._final_tasks()
        own = {"flow_run_id": {"any_": [self.run["id"]]}}
        self.lines = [log["message"] for log in self._ask("/logs/filter", {"logs": own})]
        artifacts = self._ask("/artifacts/filter", {"artifacts": own, "sort": "CREATED_DESC"})[::-1]
        self.bars = {one["description"]: one["data"] for one in artifacts if one["type"] == "progress"}
        self.tables = [one["data"] for one in artifacts if one["type"] == "markdown"]

    def _ask(self, path: str, question: dict[str, Any]) -> list[dict[str, Any]]:
        answer = self._api.post(path, json=question)
        answer.raise_for_status()
        return answer.json()

    def _final_tasks(self) -> list[dict[str, Any]]:
        """The server writes down what it hears of tasks a moment later."""
        end = time.monotonic() + 20
        while time.monotonic() < end:
            tasks = self._ask("/task_runs/filter", {"flow_runs": {"id": {"any_": [self.run["id"]]}}})
            if tasks and all(task["end_time"] for task in tasks):
                return sorted(tasks, key=lambda task: task["start_time"])
        raise TimeoutError("the server does not know how the tasks ended")
