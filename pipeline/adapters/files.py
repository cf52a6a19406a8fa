"""An adapter's files: are they still what training wrote?"""

from pathlib import Path

from pipeline.errors import FatalError
from pipeline.records import Adapter, short
from pipeline.storage import file_sha256

WEIGHTS = "adapter_model.safetensors"
CONFIG = "adapter_config.json"


def verify(adapter: Adapter) -> Path:
    """The adapter's folder, once its weights are proved to be those that were registered.

    Raises:
        FatalError: a file is missing, or the weights are not the ones that training wrote.
    """
    folder = Path(adapter.path)
    for name in (CONFIG, WEIGHTS):
        if not (folder / name).is_file():
            raise FatalError(f"adapter {short(adapter.id)} has lost {name}", where=folder, fix="train it again")
    if file_sha256(folder / WEIGHTS) != adapter.weights_sha256:
        raise FatalError(
            f"adapter {short(adapter.id)} is not what training wrote: the SHA-256 of {WEIGHTS} differs",
            where=folder,
            fix="restore the folder from a backup, or train it again",
        )
    return folder
