"""Verbs about making a better adapter: slice, train, evaluate, adapters."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from copilot.cli.options import JsonOption, ModelOption, WorkspaceOption, settings_from, terminal
from copilot.cli.terminal import print_json
from pipeline.records import short

if TYPE_CHECKING:
    from pipeline.adapters import Entry, Registry

adapters_app = typer.Typer(help="The registry of adapters: list, show, promote, rollback.", no_args_is_help=True)


def add_to(app: typer.Typer) -> None:
    """Add these verbs to the command."""
    app.command("slice")(slice_base)
    app.command()(train)
    app.command()(evaluate)
    adapters_app.command("list")(list_adapters)
    adapters_app.command()(show)
    adapters_app.command()(promote)
    adapters_app.command()(rollback)
    app.add_typer(adapters_app, name="adapters")


def slice_base(workspace: WorkspaceOption = None, model: ModelOption = None, json: JsonOption = False) -> None:
    """Cut the base's vocabulary to what the office writes, and prove that it reads and writes as before."""
    from pipeline.errors import UserError
    from pipeline.road import Road, find_base, slice_vocabulary
    from pipeline.vocabulary import load_proof, table

    road = Road(settings_from(workspace, model), terminal())
    if not road.settings.vocabulary.slice:
        raise UserError("slicing is switched off", where="vocabulary.slice", fix="set it to true")
    proof = load_proof(slice_vocabulary(road, find_base(road)))
    if json:
        print_json(proof.model_dump(mode="json"))
    else:
        road.teller.show(table(proof))
        road.teller.say(proof.path)


def train(
    workspace: WorkspaceOption = None,
    model: ModelOption = None,
    adapt: Annotated[
        bool, typer.Option("--adapt", help="Out of memory, change what the run can change by itself, and go on.")
    ] = False,
    json: JsonOption = False,
) -> None:
    """Train a candidate on the workspace's reports, or go on with a run that was cut off."""
    from pipeline.road import Road, train_candidate
    from pipeline.training import load_trained

    said = {"training": {"adapt": True}} if adapt else {}
    road = Road(settings_from(workspace, model, **said), terminal())
    adapter = train_candidate(road).adapter
    if json:
        print_json(load_trained(road.workspace, adapter.run)[1].model_dump(mode="json"))


def evaluate(workspace: WorkspaceOption = None, model: ModelOption = None, json: JsonOption = False) -> None:
    """Judge the candidate of the present reports and settings on held-out reports; exit 1 if it is not better."""
    from copilot.server.held_out import section_writer
    from pipeline.road import Road, judge, train_candidate

    settings = settings_from(workspace, model)
    road = Road(settings, terminal(), section_writer(settings))
    evaluation = judge(road, *train_candidate(road))
    if json:
        print_json(evaluation.document().model_dump(mode="json"))
    if evaluation.verdict != "better":
        raise typer.Exit(1)


def list_adapters(workspace: WorkspaceOption = None, json: JsonOption = False) -> None:
    """All adapters with their states."""
    rows = [_row(entry) for entry in _registry(workspace).list()]
    if json:
        print_json(rows)
        return
    teller = terminal()
    for row in rows:
        teller.say(f"{short(row['id'])}  {row['state']:<9}  {row['created']}  base {short(row['base'])}")
    if not rows:
        teller.say("No adapters yet. Run: memoria train")


def show(
    adapter: Annotated[str, typer.Argument(help="The beginning of its id.")], workspace: WorkspaceOption = None
) -> None:
    """One adapter: scores, lineage, and all that happened to it, as JSON."""
    registry = _registry(workspace)
    entry = registry.find(adapter)
    history = [event.model_dump(mode="json") for event in registry.history(entry.adapter.id)]
    print_json({**_row(entry), "lineage": entry.lineage, "history": history})


def promote(
    adapter: Annotated[str, typer.Argument(help="The beginning of its id.")], workspace: WorkspaceOption = None
) -> None:
    """Make an adapter the champion of its base, by hand."""
    registry = _registry(workspace)
    promoted = registry.promote(registry.find(adapter).adapter.id, "promoted by hand")
    terminal().say(f"Adapter {short(promoted.id)} is the champion.")


def rollback(
    base: Annotated[
        str, typer.Option("--base", help="The beginning of its base's id, if several bases have one.")
    ] = "",
    workspace: WorkspaceOption = None,
) -> None:
    """Bring the champion before the present one back."""
    from pipeline.errors import UserError

    registry = _registry(workspace)
    bases = sorted({champion.base for champion in registry.champions() if champion.base.startswith(base)})
    if len(bases) != 1:
        raise UserError(f"{len(bases)} bases have a champion", fix="name one with --base; see: memoria adapters list")
    earlier = registry.rollback(bases[0])
    terminal().say(f"Adapter {short(earlier.id)} is the champion again.")


def _registry(workspace: Path | None) -> "Registry":
    from pipeline.adapters import Registry
    from pipeline.storage import Workspace

    return Registry(Workspace(settings_from(workspace).workspace))


def _row(entry: "Entry") -> dict[str, Any]:
    scores = [score.model_dump(mode="json") for score in entry.scores]
    adapter = entry.adapter
    return {"id": adapter.id, "state": entry.state, "base": adapter.base, "created": entry.created, "scores": scores}
