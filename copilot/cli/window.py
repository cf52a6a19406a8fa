"""The verb `window`: what the model sees before a section, told, drawn, or as JSON."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from copilot.cli.options import JsonOption, ModelOption, WorkspaceOption, settings_from, terminal
from copilot.cli.pictures import require_ending, write_picture
from copilot.cli.terminal import print_json

if TYPE_CHECKING:
    from pipeline.records import Window
    from pipeline.windows.picture import Picture


def add_to(app: typer.Typer) -> None:
    """Add this verb to the command."""
    app.command()(window)


def window(
    report: Annotated[str, typer.Argument(help="A report's file name, or the beginning of its id.")],
    section: Annotated[str, typer.Argument(help="A section's number, heading, or the beginning of its id.")],
    budget: Annotated[int | None, typer.Option("--budget", min=1, help="Most tokens of earlier text.")] = None,
    policy: Annotated[str | None, typer.Option("--policy", help="What is kept: tail, decay or select.")] = None,
    picture: Annotated[Path | None, typer.Option("--picture", help="Draw it into this .html or .png file.")] = None,
    workspace: WorkspaceOption = None,
    model: ModelOption = None,
    json: JsonOption = False,
) -> None:
    """Show what the window of a section keeps of each earlier section, where, and why; with --picture, draw it."""
    from pipeline.bases import tokens_of
    from pipeline.reports import find_report, find_section
    from pipeline.road import Road, find_base
    from pipeline.windows import plan_of, window_of
    from pipeline.windows.picture import lines_of, picture_of

    require_ending(picture)
    said = {name: value for name, value in (("budget_tokens", budget), ("policy", policy)) if value is not None}
    settings = settings_from(workspace, model, windows=said)
    road = Road(settings)
    found = find_report(road.workspace, report)
    target = find_section(found, section)
    tokens = tokens_of(Path(find_base(road).path))
    plan = plan_of(found.sections, found.title, found.language)
    built = window_of(found.sections, plan, target.position, tokens, settings.windows)
    drawn = picture_of(built, found.sections[: target.position + 1], found.title)
    teller = terminal()
    if picture is not None:
        _write(drawn, picture)
        teller.say(f"Written: {picture.absolute()}")
    if json:
        print_json({"report": found.id, **_document(built)})
        return
    for line in lines_of(drawn):
        teller.say(line)


def _write(drawn: "Picture", file: Path) -> None:
    """Draw a window into a file, as its ending says."""
    from pipeline.windows.picture_page import page_of
    from pipeline.windows.picture_plot import png_of

    write_picture(file, lambda: page_of(drawn), lambda: png_of(drawn))


def _document(built: "Window") -> dict[str, Any]:
    """A window as JSON; `reason` says in few words why a part is kept, each span why itself."""
    heads = built.model_dump(include={"section", "policy", "budget_tokens", "used_tokens", "outline_tokens"})
    shown = {"section", "title", "tokens", "share_kept", "spans", "text"}
    return {**heads, "parts": [{**part.model_dump(include=shown), "reason": part.reason} for part in built.parts]}
