"""Training runs by name: one that is finished is found again, without torch; any other is begun or gone on with."""

from pipeline.progress import Progress, silent
from pipeline.records import Adapter, Base, digest, short
from pipeline.settings import Training
from pipeline.storage import Workspace
from pipeline.training.told import ADAPTER, TOLD, TrainDocument

VERSION = "training-2"


def run_key(base: Base, examples: str, settings: Training) -> str:
    """Name of the run that these make."""
    return short(digest([VERSION, base.id, examples, settings.model_dump(mode="json")]))


def load_trained(workspace: Workspace, key: str) -> tuple[Adapter, TrainDocument]:
    """The adapter of a finished run, and what its training told."""
    folder = workspace.open("adapters", key)
    adapter = Adapter.model_validate_json((folder / ADAPTER).read_text("utf-8"))
    return adapter, TrainDocument.model_validate_json((folder / TOLD).read_text("utf-8"))


def train(
    examples_key: str, base: Base, workspace: Workspace, settings: Training, progress: Progress = silent
) -> Adapter:
    """Train an adapter on the examples; goes on where a killed run stopped.

    Raises:
        UserError: an example is longer than `settings.longest_tokens`; nothing is ever cut.
        FatalError: a loss is not finite.
    """
    key = run_key(base, examples_key, settings)
    with workspace.lock(f"run-{key}"):
        if not workspace.has("adapters", key):
            from pipeline.training.loop import Run  # torch and all that: only where there is something to train

            Run(key, examples_key, base, workspace, settings).go(progress)
    return load_trained(workspace, key)[0]
