"""Training runs by name: one that is finished is found again, without torch; any other is begun or gone on with."""

import logging
from collections.abc import Callable

from pipeline.progress import Progress, silent
from pipeline.records import Adapter, Base, digest, short
from pipeline.settings import Training
from pipeline.storage import Workspace
from pipeline.training.told import ADAPTER, TOLD, TrainDocument

VERSION = "training-3"

log = logging.getLogger(__name__)


def run_key(base: Base, examples: str, settings: Training) -> str:
    """Name of the run that these make."""
    return short(digest([VERSION, base.id, examples, settings.identity()]))


def load_trained(workspace: Workspace, key: str) -> tuple[Adapter, TrainDocument]:
    """The adapter of a finished run, and what its training told."""
    folder = workspace.open("adapters", key)
    adapter = Adapter.model_validate_json((folder / ADAPTER).read_text("utf-8"))
    return adapter, TrainDocument.model_validate_json((folder / TOLD).read_text("utf-8"))


def train(
    examples_key: str,
    base: Base,
    workspace: Workspace,
    settings: Training,
    progress: Progress = silent,
    say: Callable[[str], None] = log.warning,
) -> Adapter:
    """Train an adapter on the examples; goes on where a killed run stopped.

    Args:
        say: told in plain lines what the user ought to know: the probe's size, warnings, what was adapted.

    Raises:
        UserError: an example is longer than `settings.longest_tokens` (nothing is ever cut); memory is too little; what
            the settings ask for is not there.
        FatalError: a loss or a gradient is not finite.
    """
    key = run_key(base, examples_key, settings)
    with workspace.lock(f"run-{key}"):
        if not workspace.has("adapters", key):
            from pipeline.training.attempts import Run  # torch and all that: only where there is something to train

            Run(key, examples_key, base, workspace, settings, say).go(progress)
    return load_trained(workspace, key)[0]
