"""Verbs about this machine: doctor, flows."""

import importlib.metadata
import importlib.util
import os
import platform
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from copilot.cli.options import JsonOption, ModelOption, WorkspaceOption, settings_from, terminal
from copilot.cli.terminal import print_json

flows_app = typer.Typer(help="The road as Prefect flows.", no_args_is_help=True)

_PARTS = {
    "torch": "training and evaluation (pip install 'memoria[train]')",
    "transformers": "training and evaluation (pip install 'memoria[train]')",
    "peft": "training and evaluation (pip install 'memoria[train]')",
    "bitsandbytes": "4-bit training (pip install 'memoria[train]')",
    "gradio": "the drafting page (pip install 'memoria[app]')",
    "openai": "drafting with a model server (pip install 'memoria[app]')",
    "prefect": "flows (pip install 'memoria[flows]')",
    "uv": "installing vLLM for serving (pip install 'memoria[serve]')",
}

_PROGRAMS = {
    "libreoffice": "reading old .doc and .rtf files (install LibreOffice)",
    "ocrmypdf": "reading scanned PDFs, if reports.ocr is on (install ocrmypdf)",
}


def add_to(app: typer.Typer) -> None:
    """Add these verbs to the command."""
    app.command()(doctor)
    flows_app.callback()(_flows)
    flows_app.command("run")(run)
    app.add_typer(flows_app, name="flows")


def doctor(workspace: WorkspaceOption = None, json: JsonOption = False) -> None:
    """What this machine has, and what each missing part would enable."""
    document = _examine(settings_from(workspace).workspace)
    if json:
        print_json(document)
        return
    teller = terminal()
    for line in _told(document):
        teller.say(line)


def _flows() -> None:
    """The road as Prefect flows."""  # a group of one verb would otherwise lose that verb's name


def run(
    name: Annotated[str, typer.Argument(help="ingest, retrain or release.")],
    words: Annotated[
        list[str] | None,
        typer.Argument(
            help="Files and folders to read (ingest, retrain), or the beginning of an adapter's id (release)."
        ),
    ] = None,
    workspace: WorkspaceOption = None,
    model: ModelOption = None,
) -> None:
    """Run a flow here and now."""
    from flows.local import run_flow

    given: dict[str, Any] = {}
    if words:
        given = {"adapter": words[0]} if name == "release" else {"paths": words}
    run_flow(name, settings_from(workspace, model), terminal(), **given)


def _examine(workspace: Path) -> dict[str, Any]:
    from copilot.server.environment import ready_environment
    from pipeline.card import cards
    from pipeline.reports.programs import program
    from pipeline.storage import Workspace

    root = Workspace(workspace).root
    there = next(p for p in (root, *root.parents) if p.exists())
    parts = {name: {"version": _version(name), "enables": enables} for name, enables in _PARTS.items()}
    vllm = ready_environment(bool(cards()))
    for name, enables in _PROGRAMS.items():
        parts[name] = {"version": program(name), "enables": enables}
    parts["vllm"] = {
        "version": str(vllm.parent.parent) if vllm else None,
        "enables": "serving (memoria serve --install)",
    }
    return {
        "cards": [card.model_dump() for card in cards()],
        "cores": len(os.sched_getaffinity(0)),
        "memory_bytes": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
        "python": platform.python_version(),
        "workspace": str(root),
        "disk_free_bytes": shutil.disk_usage(there).free,
        "parts": parts,
    }


def _told(document: dict[str, Any]) -> Iterator[str]:
    """The document as lines for a person."""
    for card in document["cards"]:
        free, total = card["free_bytes"] / 1e9, card["total_bytes"] / 1e9
        yield f"card      {card['name']}, {free:.1f} of {total:.1f} GB free"
    if not document["cards"]:
        yield "card      none: the small model on the CPU is the default"
    memory = document["memory_bytes"] / 1e9
    yield f"machine   {document['cores']} cores, {memory:.0f} GB memory, Python {document['python']}"
    yield f"disk      {document['disk_free_bytes'] / 1e9:.0f} GB free for {document['workspace']}"
    for name, part in document["parts"].items():
        yield f"has       {name} {part['version']}" if part["version"] else f"lacks     {name}: {part['enables']}"


def _version(name: str) -> str | None:
    return importlib.metadata.version(name) if importlib.util.find_spec(name) else None
