"""The road on a real Prefect server: order, retries, errors, what is told, what is kept."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from flows.local import run_flow
from pipeline.errors import FatalError, TransientError, UserError
from pipeline.records import short
from pipeline.reports import load_reports
from pipeline.settings import Settings, load_settings
from pipeline.storage import Workspace
from tests.flows.conftest import ADAPTER, BASE, STAGES, Kept, SmallRoad

pytestmark = pytest.mark.slow


def test_retrain_walks_the_road_and_each_stage_is_a_task(
    named_server: str, settings: Settings, small_road: SmallRoad
) -> None:
    assert run_flow("retrain", settings) == ADAPTER
    assert [name for name, _ in small_road.called] == list(STAGES)
    assert small_road.called[3][1] == (BASE, "k" * 64)  # what a stage returned reaches the next as it was

    kept = Kept(named_server, "retrain")
    assert kept.run.state.is_completed()
    assert [task.name.split()[0] for task in kept.tasks] == list(STAGES)
    assert kept.tasks[3].name == f"train_adapter {short(BASE.id)} {'k' * 12}"
    assert [line for line in kept.lines if line.startswith("Done: ")] == [f"Done: {name}." for name in STAGES]
    assert kept.bars == {f"Doing {name}": 100 for name in STAGES}
