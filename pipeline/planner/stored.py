"""How long the examples of a workspace are, as far as some were made there."""

from pathlib import Path

from pipeline.bases.tokens import tokens_of
from pipeline.corpus import load_examples
from pipeline.planner.lengths import Lengths, measure
from pipeline.storage import Workspace


def stored_lengths(workspace: Workspace) -> Lengths | None:
    """Lengths of the newest example set, counted by the newest base's tokenizer; None: there is no set, or no base."""
    sets = workspace.keys("examples")
    tokenizers = [path for key in workspace.keys("bases") if (path := _tokenizer(workspace, key))]
    if not sets or not tokenizers:
        return None
    examples = load_examples(workspace, sets[-1])
    return measure([*examples.train, *examples.held_out], tokens_of(tokenizers[-1]).count)


def _tokenizer(workspace: Workspace, key: str) -> Path | None:
    folder = workspace.open("bases", key)
    return folder if (folder / "tokenizer.json").is_file() else None
