"""Past reports on the page: their titles, without opening any, and one of them at a time."""

from pipeline.records import Report
from pipeline.reports import list_reports, load
from pipeline.storage import Workspace


def past_reports(workspace: Workspace) -> list[tuple[str, str]]:
    """Title and id of each report of the workspace."""
    return [(entry.title, entry.report) for entry in list_reports(workspace)]


def open_past_report(workspace: Workspace, identity: str) -> Report | None:
    """The report of this id; None if it is there no more."""
    entry = next((entry for entry in list_reports(workspace) if entry.report == identity), None)
    return load(workspace, entry.key) if entry else None
