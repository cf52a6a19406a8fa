"""The verb `plan`: will it fit, what takes the memory, and what to change if it does not."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, get_args

import typer

from copilot.cli.options import JsonOption, ModelOption, WorkspaceOption, settings_from, terminal
from copilot.cli.pictures import require_ending, write_picture
from copilot.cli.terminal import Terminal, print_json

if TYPE_CHECKING:
    from pipeline.planner.answer import Answer


def add_to(app: typer.Typer) -> None:
    """Add this verb to the command."""
    app.command()(plan)


def plan(
    model: ModelOption = None,
    context: Annotated[
        int | None, typer.Option("--context", min=1, help="Tokens of the longest example, prompt and answer together.")
    ] = None,
    card: Annotated[
        str | None, typer.Option("--card", help='A card ("RTX 4090") or its GB ("16"); default: this machine\'s.')
    ] = None,
    method: Annotated[str, typer.Option("--method", help="qlora (what Memoria does), lora or full.")] = "qlora",
    batch: Annotated[int, typer.Option("--batch", min=1, help="Examples computed at once.")] = 1,
    rank: Annotated[int | None, typer.Option("--rank", min=1, help="Rank of the adapter.")] = None,
    runs: Annotated[int, typer.Option("--runs", min=1, help="Training runs that the project has, for its cost.")] = 1,
    months: Annotated[float, typer.Option("--months", min=0.1, help="Months that the project takes.")] = 1,
    utilisation: Annotated[
        float | None, typer.Option("--utilisation", min=0.01, max=1, help="Share of the card's rate that a run gets.")
    ] = None,
    picture: Annotated[Path | None, typer.Option("--picture", help="Draw it into this .html or .png file.")] = None,
    workspace: WorkspaceOption = None,
    json: JsonOption = False,
) -> None:
    """Tell before a download or an hour of training whether it will fit on a card; exit with 1 if it does not."""
    from pipeline.bases.resolve import DEFAULT_ON_A_CARD
    from pipeline.errors import UserError
    from pipeline.memory.run import Method
    from pipeline.planner.answer import Question, answer, document
    from pipeline.planner.cost import UTILISATION
    from pipeline.planner.stored import stored_lengths
    from pipeline.storage import Workspace

    chosen = next((known for known in get_args(Method) if known == method), None)
    if chosen is None:
        fix = f"choose one of {', '.join(get_args(Method))}"
        raise UserError(f"there is no method {method}", where="--method", fix=fix)
    require_ending(picture)
    settings = settings_from(workspace, model)
    share = utilisation or UTILISATION
    asked = Question(settings.model or DEFAULT_ON_A_CARD, card, context, chosen, batch, rank, runs, months, share)
    found = answer(asked, settings, stored_lengths(Workspace(settings.workspace)))
    teller = terminal()
    if json:
        print_json(document(found))
    else:
        _tell(found, teller)
    if picture is not None:
        _draw(found, picture)
        teller.say(f"Written: {picture.absolute()}")
    raise typer.Exit(0 if found.plan.fits else 1)


def _draw(found: "Answer", file: Path) -> None:
    """Draw the answer into a file, as its ending says."""
    from pipeline.planner.picture import page_of
    from pipeline.planner.picture_plot import png_of

    write_picture(file, lambda: page_of(found), lambda: png_of(found))


def _tell(found: "Answer", teller: Terminal) -> None:
    """The answer for a person."""
    from pipeline.planner import told

    plan = found.plan
    teller.say(f"{told.question(plan)}: {told.verdict(plan)}")
    teller.show(told.bar(plan))
    teller.show(told.parts(plan))
    for line in told.lines(plan):
        teller.say(line)
    if plan.rungs:
        teller.show(told.ladder(plan))
        teller.say(told.remedy(plan))
        for line in told.settings_lines(plan.settings):
            teller.say(line)
    for line in told.further(found):
        teller.say(line)
