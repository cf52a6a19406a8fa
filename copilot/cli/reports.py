"""Verbs about reports: ingest, outline."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from copilot.cli.options import JsonOption, ModelOption, WorkspaceOption, settings_from, terminal
from copilot.cli.terminal import print_json
from pipeline.records import Section, short

if TYPE_CHECKING:
    from pipeline.reports import Entry
    from pipeline.road import Road


def add_to(app: typer.Typer) -> None:
    """Add these verbs to the command."""
    app.command()(ingest)
    app.command()(outline)


def ingest(
    paths: Annotated[list[Path], typer.Argument(help="Files and folders with reports.")],
    workspace: WorkspaceOption = None,
    model: ModelOption = None,
    json: JsonOption = False,
) -> None:
    """Read reports into the workspace; tell for each what was read and what was not."""
    from pipeline.road import Road, ingest_files

    road = Road(settings_from(workspace, model), terminal())
    ingested = ingest_files(road, paths)
    if json:
        print_json(
            {
                "reports": _report_rows(road, ingested.reports),
                "refused": [{"file": refused.file, "reason": refused.reason} for refused in ingested.refused],
                "families": [list(family) for family in ingested.families],
            }
        )
    if ingested.refused:
        raise typer.Exit(2)


def outline(
    report: Annotated[str, typer.Argument(help="A report's file name, or the beginning of its id.")],
    page: Annotated[Path | None, typer.Option("--page", help="Write all that was read to this .html file.")] = None,
    workspace: WorkspaceOption = None,
    model: ModelOption = None,
    json: JsonOption = False,
) -> None:
    """Show a report's sections with their tokens; with --page, all that was read, to lay beside the file."""
    from pipeline.bases import tokens_of
    from pipeline.reports import find_report
    from pipeline.reports.page import report_page
    from pipeline.road import Road, find_base
    from pipeline.storage import clear_disk_errors

    teller = terminal()
    road = Road(settings_from(workspace, model))
    found = find_report(road.workspace, report)
    if page is not None:
        with clear_disk_errors(page, "choose another file"):
            page.parent.mkdir(parents=True, exist_ok=True)
            page.write_text(report_page(found), "utf-8")
        teller.say(f"Written: {page.absolute()}")
    tokens = tokens_of(Path(find_base(road).path))
    rows = [_section_row(section, tokens.count(section.text)) for section in found.sections]
    if json:
        print_json({"report": found.id, "sections": rows})
        return
    teller.say(f"{found.title} ({short(found.id)}, {found.language or 'language unknown'})")
    for row in rows:
        title = f"{row['number']} {row['heading']}" if row["number"] else row["heading"]
        teller.say(f"{'  ' * (row['level'] - 1)}{title}  {row['tokens']:,} tokens")


def _report_rows(road: "Road", reports: Sequence["Entry"]) -> list[dict[str, Any]]:
    """What is told of each report; its tokens are counted from its text, one report in memory at a time."""
    from pipeline.bases import tokens_of
    from pipeline.reports import load
    from pipeline.road import find_base

    if not reports:
        return []
    tokens, rows = tokens_of(Path(find_base(road).path)), []
    with road.teller.bar("Counting tokens") as progress:
        for done, entry in enumerate(reports):
            progress(done, len(reports), entry.file)
            told = entry.model_dump(mode="json", exclude={"key", "report", "source_sha256", "reader", "size_bytes"})
            sections = load(road.workspace, entry.key).sections
            rows.append({"id": entry.report, **told, "tokens": sum(tokens.count(section.text) for section in sections)})
    return rows


def _section_row(section: Section, tokens: int) -> dict[str, Any]:
    row = section.model_dump(include={"number", "level", "heading", "language"})
    return {"id": section.id, **row, "tokens": tokens}
