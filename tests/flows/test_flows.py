"""The road on a real Prefect server: order, errors, what is told, what is kept."""

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from rich.table import Table

from flows.local import run_flow
from pipeline.adapters import Registry
from pipeline.errors import UserError
from pipeline.evaluation import Evaluation
from pipeline.evaluation.evaluate import VERSION
from pipeline.progress import Progress, silent
from pipeline.records import Adapter, short
from pipeline.settings import Settings, load_settings
from pipeline.storage import Workspace, write_json
from tests.flows.conftest import ADAPTER, BASE, STAGES, Kept, SmallRoad

pytestmark = pytest.mark.slow


class Ear:
    """Remembers the lines that are said and the bars that are shown."""

    def __init__(self) -> None:
        self.heard: list[str] = []

    def say(self, line: str) -> None:
        self.heard.append(line)

    def show(self, renderable: object) -> None:
        assert isinstance(renderable, Table)
        self.heard.append(str(renderable.title))

    @contextmanager
    def bar(self, title: str) -> Iterator[Progress]:
        self.heard.append(title)
        yield silent


def test_retrain_walks_the_road_and_each_stage_is_a_task(
    named_server: str, settings: Settings, small_road: SmallRoad
) -> None:
    ear = Ear()
    assert run_flow("retrain", settings, ear) == ADAPTER
    assert [name for name, _ in small_road.called] == list(STAGES)
    assert small_road.called[3][1] == (BASE, "k" * 64)  # what a stage returns reaches the next as it was

    kept = Kept(named_server, "retrain")
    assert kept.run["state_type"] == "COMPLETED"
    assert [task["name"].split()[0] for task in kept.tasks] == list(STAGES)
    assert kept.tasks[3]["name"] == f"train_adapter {short(BASE.id)} {'k' * 12}"
    assert [line for line in kept.lines if line.startswith("Done: ")] == [f"Done: {name}." for name in STAGES]
    assert kept.bars == {f"Doing {name}": 100 for name in STAGES}
    assert [table.split("\n")[1].strip() for table in kept.tables] == [f"Table of {n}" for n in STAGES]
    told = [(f"Doing {name}", f"Done: {name}.", f"Table of {name}") for name in STAGES]
    assert ear.heard == [one for stage in told for one in stage]
    assert not (settings.workspace / "prefect" / "storage").exists()  # no result is pickled


def test_settings_travel_with_the_run_but_no_key(named_server: str, tmp_path: Path, small_road: SmallRoad) -> None:
    workspace = tmp_path / "other"
    run_flow("retrain", load_settings(workspace=workspace, training={"rank": 3}, serve={"api_key": "very secret"}))
    assert small_road.settings == load_settings(workspace=workspace, training={"rank": 3})
    parameters = Kept(named_server, "retrain").run["parameters"]
    assert parameters["settings"] == {"workspace": str(workspace), "training": {"rank": 3}}


def test_what_the_user_must_mend_is_tried_once_and_reaches_the_caller_as_it_is(
    named_server: str, settings: Settings, small_road: SmallRoad
) -> None:
    error = UserError("no reports in the workspace", where=settings.workspace, fix="run: memoria ingest PATH")

    def fail() -> None:
        raise error

    small_road.meanwhile["slice_vocabulary"] = fail
    with pytest.raises(UserError) as raised:
        run_flow("retrain", settings)
    assert raised.value is error
    assert [name for name, _ in small_road.called] == ["find_base", "slice_vocabulary"]

    kept = Kept(named_server, "retrain")
    assert kept.run["state_type"] == "FAILED"
    assert [task["state_type"] for task in kept.tasks] == ["COMPLETED", "FAILED"]
    assert kept.bars == {"Doing find_base": 100, "Doing slice_vocabulary": 0}
    assert len(list((settings.workspace / "prefect" / "storage").iterdir())) == 1  # the error, and no result


def test_a_broken_report_fails_nothing(named_server: str, settings: Settings, tmp_path: Path) -> None:
    reports = tmp_path / "reports"
    reports.mkdir()
    (reports / "good.md").write_text("# Activities\n\nTwelve workshops were held in the valley.\n")
    (reports / "broken.docx").write_text("this is no Word file")
    ear = Ear()
    ingested = run_flow("ingest", settings, ear, paths=[str(reports)])
    assert [report.file for report in ingested.reports] == ["good.md"]
    assert [Path(refused.file).name for refused in ingested.refused] == ["broken.docx"]
    refusal, _, account = ear.heard[-3:]
    assert "broken.docx" in refusal and "1 refused" in ear.heard[-2] and "0 not accounted for" in account

    kept = Kept(named_server, "ingest")
    assert [task["state_type"] for task in kept.tasks] == ["COMPLETED"]
    assert f"read report {ingested.reports[0].report}" in kept.lines  # the pipeline's own log, with ids
    assert not any("workshops" in line for line in kept.lines)


@pytest.fixture
def make_candidate(settings: Settings) -> Callable[..., Adapter]:
    workspace = Workspace(settings.workspace)

    def make(name: str, verdict: str, champion: str | None = None) -> Adapter:
        folder = workspace.path("adapters", name, "adapter_config.json").parent
        (folder / "adapter_config.json").write_text("{}")
        (folder / "adapter_model.safetensors").write_bytes(name.encode())
        digest = hashlib.sha256(name.encode()).hexdigest()
        adapter = ADAPTER.model_copy(update={"path": str(folder), "weights_sha256": digest})
        Registry(workspace).register(adapter, {"reports": []})
        evaluation = Evaluation(
            base=BASE.id,
            candidate=adapter.id,
            champion=champion,
            examples="e",
            settings=settings.evaluation,
            sections=10,
            reports=2,
            written=0,
            comparisons=(),
            scores=(),
            verdict=verdict,
            reason="it was measured",
            path="",
        )
        with workspace.build("evaluations", name, {"candidate": adapter.id, "version": VERSION}) as built:
            write_json(built / "evaluation.json", evaluation.model_dump(mode="json", exclude={"path"}))
        return adapter

    return make


def test_release_follows_the_evaluation(
    named_server: str, settings: Settings, make_candidate: Callable[..., Adapter]
) -> None:
    registry = Registry(Workspace(settings.workspace))
    better = make_candidate("better", "better")
    assert run_flow("release", settings, adapter=short(better.id)) == better
    assert registry.champion(BASE.id) == better

    worse = make_candidate("worse", "not better", champion=better.id)
    assert run_flow("release", settings, adapter=worse.id) is None
    assert registry.champion(BASE.id) == better
    assert registry.find(worse.id).state == "refused"

    unproved = make_candidate("unproved", "too few to judge", champion=better.id)
    assert run_flow("release", settings, adapter=unproved.id) is None
    assert registry.find(unproved.id).state == "candidate"

    late = make_candidate("late", "better", champion=worse.id)
    with pytest.raises(UserError, match=f"the champion is {short(better.id)} now"):
        run_flow("release", settings, adapter=late.id)
    assert registry.find(late.id).state == "candidate"
