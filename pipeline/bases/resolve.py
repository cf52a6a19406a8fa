"""From what the user calls a model to a Base: a folder in Hugging Face's format.

smollm2                  the embedded small model: no card, no hub (embedded.py)
/some/folder             a model on this disk, used where it lies
Qwen/Qwen3-8B            a model on the Hugging Face hub, kept in the hub's own cache
"""

import json
from pathlib import Path
from typing import Any

from pipeline.bases.embedded import EMBEDDED, embedded_base
from pipeline.card import cards
from pipeline.errors import TransientError, UserError
from pipeline.progress import Progress, silent
from pipeline.records import Base, digest
from pipeline.storage import Workspace, clear_disk_errors, fingerprint, require_space

DEFAULT_ON_A_CARD = "Qwen/Qwen3-8B"
_NAMES = "name a folder, a Hugging Face id (owner/name), or smollm2"
_WANTED = ["*.json", "*.safetensors", "*.txt", "*.jinja"]


def default_model() -> str:
    """The base that is used when none is named: Qwen3-8B where there is a card, the embedded one elsewhere."""
    return DEFAULT_ON_A_CARD if cards() else EMBEDDED


def resolve_base(model: str | None, workspace: Workspace, progress: Progress = silent) -> Base:
    """The base called `model` (None: the default of this machine), fetched or converted if need be.

    Raises:
        UserError: no such folder or hub id, something missing in it, or no room for it on the disk.
        TransientError: the hub does not answer.
    """
    model = model or default_model()
    if model == EMBEDDED:
        return embedded_base(workspace, progress)
    folder = Path(model).expanduser()
    if folder.is_dir():
        return base_in(folder.resolve(), folder.name)
    if folder.is_absolute() or model.startswith((".", "~")) or model.count("/") != 1:
        raise UserError("no such model", where=model, fix=_NAMES)
    return base_in(_from_hub(model, progress), model)


def base_in(folder: Path, name: str) -> Base:
    """The Base that a folder holds.

    Raises:
        UserError: configuration, tokenizer or weights are missing, or not what they should be.
    """
    for pattern in ("config.json", "tokenizer.json", "*.safetensors"):
        if not any(folder.glob(pattern)):
            raise UserError(
                f"not a model folder: no {pattern}",
                where=folder,
                fix="choose a folder in Hugging Face's format",
            )
    config = _json_of(folder / "config.json")
    index = folder / "model.safetensors.index.json"
    shards = set(_json_of(index).get("weight_map", {}).values()) if index.is_file() else set()
    missing = sorted(shard for shard in shards if not (folder / shard).is_file())
    if missing:
        more = f" and {len(missing) - 3} more" if missing[3:] else ""
        raise UserError(
            f"weights are missing: {', '.join(missing[:3])}{more}", where=folder, fix="download the model again"
        )
    rows = config.get("vocab_size") or config.get("text_config", {}).get("vocab_size")
    if not rows:
        raise UserError("config.json names no vocab_size", where=folder, fix="choose a text model")
    return Base(name=name, fingerprint=_fingerprint(folder), rows=rows, path=str(folder))


def _json_of(file: Path) -> dict[str, Any]:
    try:
        read = json.loads(file.read_text("utf-8"))
    except ValueError as error:
        raise UserError(f"is not JSON: {error}", where=file, fix="download the model again") from error
    if not isinstance(read, dict):
        raise UserError("is not a JSON object", where=file, fix="download the model again")
    return read


def _fingerprint(folder: Path) -> str:
    # A hub snapshot is named by its commit: that names the content better than times of change, and costs nothing.
    if folder.parent.name == "snapshots":
        return digest(["hub", folder.parent.parent.name, folder.name])
    return fingerprint(folder)


def _from_hub(model: str, progress: Progress) -> Path:
    """The folder of a hub model, downloaded if it is not (or not whole) in the hub's cache yet."""
    from httpx2 import HTTPError  # what the hub's client lets through where there is no network
    from huggingface_hub import HfApi, constants, snapshot_download
    from huggingface_hub.errors import (
        HFValidationError,
        LocalEntryNotFoundError,
        RepositoryNotFoundError,
        XetDownloadError,
    )

    try:
        return Path(snapshot_download(model, allow_patterns=_WANTED, local_files_only=True))
    except LocalEntryNotFoundError:
        pass
    except HFValidationError as error:
        raise UserError("no such model", where=model, fix=_NAMES) from error
    progress(0, 1, model)
    try:
        files = HfApi().model_info(model, files_metadata=True).siblings or []
        wanted = sum(f.size or 0 for f in files if f.rfilename.endswith(tuple(p[1:] for p in _WANTED)))
        require_space(Path(constants.HF_HUB_CACHE), wanted, model)
        with clear_disk_errors(Path(constants.HF_HUB_CACHE)):
            folder = snapshot_download(model, allow_patterns=_WANTED)
    except RepositoryNotFoundError as error:
        raise UserError(
            "no such model on the hub", where=model, fix="check its name, and HF_TOKEN if it is private"
        ) from error
    except (HTTPError, XetDownloadError, OSError) as error:
        raise TransientError(
            "the model hub does not answer",
            where=model,
            fix="check the network, or name a folder, or use --model smollm2",
        ) from error
    progress(1, 1, model)
    return Path(folder)
