"""Options that many verbs share, and how they become the settings of a run."""

from pathlib import Path
from typing import Annotated, Any

import typer

from copilot.cli.terminal import Terminal
from pipeline.settings import Settings, load_settings

WorkspaceOption = Annotated[
    Path | None, typer.Option("--workspace", "-w", help="Folder that holds all that is made (default: ./workspace).")
]
ModelOption = Annotated[
    str | None, typer.Option("--model", "-m", help="Base model: a Hugging Face id, a folder, or smollm2.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON document on stdout.")]


def settings_from(
    workspace: Path | None, model: str | None = None, profile: dict[str, Any] | None = None, **branches: dict[str, Any]
) -> Settings:
    """The settings in force for a verb: its flags beat environment and file, which beat the profile.

    Args:
        branches: what further flags said, by branch: `windows={"budget_tokens": 4000}`.
    """
    return load_settings(profile, workspace=workspace, model=model, **branches)


def terminal() -> Terminal:
    """The person's terminal."""
    return Terminal()
