"""Flow: files and folders -> Reports in the workspace."""

from pathlib import Path
from typing import Any

from prefect import flow

from flows.tasks import AsTasks, open_road, run_name
from pipeline import road
from pipeline.reports import Ingested


@flow(name="ingest", flow_run_name=run_name, persist_result=False)
def ingest(paths: list[str], settings: dict[str, Any] | None = None) -> Ingested:
    """Read every report among `paths` and below them. A file that cannot be read is told, and fails nothing.

    Args:
        settings: values that beat those of the environment and the file, as the tree of `pipeline.settings`.
    """
    return AsTasks()(road.ingest_files, open_road(settings), [Path(path) for path in paths])
