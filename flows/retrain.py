"""Flow: from the workspace's reports to a champion, or to a candidate that is refused."""

from typing import Any

from prefect import flow

from flows.ingest import ingest
from flows.tasks import AsTasks, open_road, run_name
from pipeline import road
from pipeline.records import Adapter


@flow(name="retrain", flow_run_name=run_name, persist_result=False)
def retrain(paths: list[str] | None = None, settings: dict[str, Any] | None = None) -> Adapter | None:
    """Walk the road, each stage a task; first read `paths`, if any. Returns the champion, None if there is no new one.

    Args:
        settings: values that beat those of the environment and the file, as the tree of `pipeline.settings`.
    """
    if paths:
        ingest(paths, settings)
    return road.retrain(open_road(settings), run=AsTasks())
