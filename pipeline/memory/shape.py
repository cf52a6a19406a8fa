"""A decoder's numbers: all of a model that its memory and its arithmetic depend on.

    Qwen/Qwen3-8B   ── models.toml: common models, so that planning downloads nothing
    owner/name      ── the Hugging Face cache on this disk       ──> config.json ──> Shape
    /some/folder    ── a model where it lies

Only decoders whose layers are all alike and built as Llama's have a Shape here: attention with four projections, and a
gated MLP with three.
"""

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any

from pipeline.errors import UserError

_TABLE = Path(__file__).with_name("models.toml")
_NUMBERS = {
    "layers": "num_hidden_layers",
    "hidden": "hidden_size",
    "ffn": "intermediate_size",
    "heads": "num_attention_heads",
    "vocabulary": "vocab_size",
}
_EXPERTS = ("num_experts", "num_local_experts", "n_routed_experts", "moe_intermediate_size")
_ATTENTION = ("full_attention", "sliding_attention")
_LIKE_LLAMA = "choose a dense decoder that is built like Llama, Qwen or Mistral"


@dataclass(frozen=True)
class Shape:
    """A decoder's numbers, as its config has them."""

    layers: int
    hidden: int
    ffn: int
    heads: int
    kv_heads: int
    head_dim: int
    vocabulary: int
    tied: bool = False
    """Whether the head is the embedding itself."""
    head_norms: bool = True
    """Whether queries and keys of each head are normalised, as in Qwen3."""
    biases: bool = False
    """Whether queries, keys and values have biases, as in Qwen2."""
    positions: int | None = None
    """Longest sequence that the config names, in tokens; None: it names none."""
    name: str = ""

    @property
    def queries(self) -> int:
        """Width of a token's queries."""
        return self.heads * self.head_dim

    @property
    def keys(self) -> int:
        """Width of a token's keys, and of its values."""
        return self.kv_heads * self.head_dim

    @property
    def linear(self) -> int:
        """Weights of the linear projections of all layers: what goes into 4 bits, and what LoRA adds to."""
        return self.layers * self.hidden * (2 * self.queries + 2 * self.keys + 3 * self.ffn)

    @property
    def vectors(self) -> int:
        """Weights of norms and biases."""
        a_layer = 2 * self.hidden + 2 * self.head_dim * self.head_norms + (self.queries + 2 * self.keys) * self.biases
        return self.layers * a_layer + self.hidden

    @property
    def parameters(self) -> int:
        """All weights; a head that is the embedding counts once."""
        return self.linear + self.vectors + (1 if self.tied else 2) * self.vocabulary * self.hidden


def shape_of(config: Mapping[str, Any], name: str = "") -> Shape:
    """The shape that a config.json tells, or its `text_config` where the model sees as well.

    Raises:
        UserError: a number is missing, or the model is no dense decoder with layers as in Llama.
    """
    text = config.get("text_config")
    config = {**config, **text} if isinstance(text, Mapping) else config
    reason = _strange(config)
    if reason:
        raise UserError(f"its memory cannot be planned: {reason}", where=name or "config.json", fix=_LIKE_LLAMA)
    missing = [field for field in _NUMBERS.values() if not isinstance(config.get(field), int)]
    if missing:
        raise UserError(f"names no {', '.join(missing)}", where=name or "config.json", fix=_LIKE_LLAMA)
    numbers = {ours: config[theirs] for ours, theirs in _NUMBERS.items()}
    kind = str(config.get("model_type", ""))
    return Shape(
        **numbers,
        kv_heads=config.get("num_key_value_heads") or numbers["heads"],
        head_dim=config.get("head_dim") or numbers["hidden"] // numbers["heads"],
        tied=bool(config.get("tie_word_embeddings", False)),
        head_norms=kind.startswith("qwen3"),
        biases=bool(config.get("attention_bias", kind.startswith("qwen2"))),
        positions=config.get("max_position_embeddings"),
        name=name,
    )


def read_shape(model: str) -> Shape:
    """The shape of a model called as in `--model`: a folder, a name in models.toml, or one in the Hugging Face cache.

    Nothing is downloaded. Letter case does not matter, and a name in the table may come without its owner.

    Raises:
        UserError: it is none of these (near names are told), or its config.json tells no shape.
    """
    folder = Path(model).expanduser()
    if folder.is_dir():
        return _in_folder(folder.resolve())
    known = _table().get(model.casefold())
    if known is not None:
        return known
    cached = _in_cache(model)
    if cached is not None:
        return _in_file(cached, model)
    near = get_close_matches(model.casefold(), _table(), n=5, cutoff=0.5)
    names = list(dict.fromkeys(_table()[key].name for key in near)) or ["Qwen/Qwen3-8B"]
    raise UserError(
        "neither a folder, nor in the Hugging Face cache, nor a model whose numbers are known here",
        where=model,
        fix=f"name {', '.join(names)}, or a folder with its config.json",
    )


def known_shapes() -> list[Shape]:
    """Those of models.toml, each once, by its first name."""
    return list({shape.name: shape for shape in _table().values()}.values())


@cache
def _table() -> dict[str, Shape]:
    found: dict[str, Shape] = {}
    for entry in tomllib.loads(_TABLE.read_text("utf-8"))["models"]:
        names = entry.pop("names")
        shape = Shape(**entry, name=names[0])
        for name in names:
            found[name.casefold()] = shape
            found.setdefault(name.casefold().rpartition("/")[2], shape)
    return found


def _in_cache(model: str) -> Path | None:
    from huggingface_hub import try_to_load_from_cache
    from huggingface_hub.errors import HFValidationError

    try:
        found = try_to_load_from_cache(model, "config.json")
    except HFValidationError:
        return None
    return Path(found) if isinstance(found, str) else None


def _in_folder(folder: Path) -> Shape:
    file = folder / "config.json"
    if not file.is_file():
        raise UserError("not a model folder: no config.json", where=folder, fix="choose one in Hugging Face's format")
    return _in_file(file, folder.name)


def _in_file(file: Path, name: str) -> Shape:
    try:
        config = json.loads(file.read_text("utf-8"))
    except ValueError as error:
        raise UserError(f"is not JSON: {error}", where=file, fix="download the model again") from error
    if not isinstance(config, dict):
        raise UserError("is not a JSON object", where=file, fix="download the model again")
    return shape_of(config, name)


def _strange(config: Mapping[str, Any]) -> str | None:
    """What makes this another kind of model; None: nothing."""
    if config.get("is_encoder_decoder"):
        return "it has an encoder"
    if any(config.get(field) for field in _EXPERTS):
        return "it is a mixture of experts"
    other = sorted({str(kind) for kind in config.get("layer_types") or []} - set(_ATTENTION))
    if other:
        return f"it has layers of the kind {', '.join(other)}"
    activation = config.get("hidden_act") or config.get("hidden_activation")
    if activation is not None and activation not in ("silu", "swish"):
        return f"its MLP is another than Llama's ({activation})"
    return None
