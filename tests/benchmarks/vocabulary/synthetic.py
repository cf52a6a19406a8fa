"""Checkpoints of Qwen3's shape in any size, with random weights: written tensor by tensor, in next to no memory."""

import json
import math
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from pipeline.records import Base
from pipeline.storage import fingerprint
from tests.qwen3_tokenizer import QWEN3, Qwen, write_qwen3_tokenizer

BYTES = 2  # of a number in bfloat16
SHARD_BYTES = 4_000_000_000  # most of one file, as in Qwen3-8B
_BLOCK_NUMBERS = 8 << 20

Tensors = dict[str, tuple[int, ...]]


@dataclass(frozen=True)
class Shape:
    """Sizes of a Qwen3, untied."""

    layers: int
    width: int
    inner: int
    heads: int
    key_heads: int
    head_width: int
    rows: int

    def tensors(self) -> Tensors:
        """Names and shapes, in the order of the files."""
        found: Tensors = {"model.embed_tokens.weight": (self.rows, self.width)}
        queries, keys = self.heads * self.head_width, self.key_heads * self.head_width
        for layer in range(self.layers):
            of_layer: Tensors = {
                "self_attn.q_proj.weight": (queries, self.width),
                "self_attn.k_proj.weight": (keys, self.width),
                "self_attn.v_proj.weight": (keys, self.width),
                "self_attn.o_proj.weight": (self.width, queries),
                "self_attn.q_norm.weight": (self.head_width,),
                "self_attn.k_norm.weight": (self.head_width,),
                "mlp.gate_proj.weight": (self.inner, self.width),
                "mlp.up_proj.weight": (self.inner, self.width),
                "mlp.down_proj.weight": (self.width, self.inner),
                "input_layernorm.weight": (self.width,),
                "post_attention_layernorm.weight": (self.width,),
            }
            found |= {f"model.layers.{layer}.{name}": shape for name, shape in of_layer.items()}
        return {**found, "model.norm.weight": (self.width,), "lm_head.weight": (self.rows, self.width)}

    @property
    def bytes(self) -> int:
        """Of all weights."""
        return sum(map(_bytes, self.tensors().values()))


QWEN3_8B = Shape(layers=36, width=4096, inner=12_288, heads=32, key_heads=8, head_width=128, rows=QWEN3.rows)
TINY = Shape(layers=1, width=8, inner=16, heads=2, key_heads=1, head_width=4, rows=QWEN3.rows)


def tiny_base(folder: Path, qwen: Qwen) -> Base:
    """A model of a few megabytes on the whole of a real vocabulary."""
    write_checkpoint(folder, replace(TINY, rows=qwen.rows), qwen)
    return Base(name=folder.name, fingerprint=fingerprint(folder), rows=qwen.rows, path=str(folder))


def write_checkpoint(folder: Path, shape: Shape, qwen: Qwen = QWEN3, shard_bytes: int = SHARD_BYTES) -> None:
    """Write the tokenizer, configuration and weights. Rows of embedding and head all differ; other weights repeat."""
    write_qwen3_tokenizer(folder, qwen)
    _write_configuration(folder, shape)
    files = shards(shape.tensors(), shard_bytes)
    where: dict[str, str] = {}
    numbers = _numbers(np.random.default_rng(0))
    block = next(numbers)
    for i, tensors in enumerate(files, start=1):
        name = f"model-{i:05}-of-{len(files):05}.safetensors"
        where |= dict.fromkeys(tensors, name)
        with open(folder / name, "wb") as file:
            file.write(_header(tensors))
            for size in tensors.values():
                left = math.prod(size)
                while left:
                    values = next(numbers) if size[0] == shape.rows else block
                    file.write(values[:left].data)
                    left -= min(left, len(values))
    index = {"metadata": {"total_size": shape.bytes}, "weight_map": where}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index), "utf-8")


def shards(tensors: Tensors, most_bytes: int) -> list[Tensors]:
    """The tensors in order, in files of at most so many bytes, or of one tensor."""
    files: list[Tensors] = [{}]
    for name, shape in tensors.items():
        if files[-1] and sum(map(_bytes, files[-1].values())) + _bytes(shape) > most_bytes:
            files.append({})
        files[-1][name] = shape
    return files


def layers_that_fit(shape: Shape, folder: Path, kept_free: int) -> int:
    """Of the model's layers, as many as the disk has room for, with a second copy of all files that hold a matrix."""
    free = shutil.disk_usage(folder).free - kept_free
    for layers in range(shape.layers, -1, -1):
        smaller = replace(shape, layers=layers)
        if smaller.bytes + bytes_with_rows(smaller) <= free:
            return layers
    return -1


def bytes_with_rows(shape: Shape, shard_bytes: int = SHARD_BYTES) -> int:
    """Of the files that hold the embedding or the head."""
    files = shards(shape.tensors(), shard_bytes)
    with_rows = (tensors for tensors in files if any(size[0] == shape.rows for size in tensors.values()))
    return sum(sum(map(_bytes, tensors.values())) for tensors in with_rows)


def _bytes(shape: tuple[int, ...]) -> int:
    return math.prod(shape) * BYTES


def _numbers(chance: np.random.Generator) -> Iterator[Any]:
    """Blocks of random bfloat16, as 16 bits, from a hundred-and-twenty-eighth to one eighth: all are finite."""
    while True:
        drawn = chance.integers(0, 1 << 16, _BLOCK_NUMBERS, dtype=np.uint16)
        yield (drawn & 0x807F) | ((120 + (drawn >> 7 & 3)) << 7)


def _header(tensors: Tensors) -> bytes:
    said: dict[str, Any] = {"__metadata__": {"format": "pt"}}
    offset = 0
    for name, shape in tensors.items():
        end = offset + _bytes(shape)
        said[name] = {"dtype": "BF16", "shape": list(shape), "data_offsets": [offset, end]}
        offset = end
    text = json.dumps(said).encode()
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text


def _write_configuration(folder: Path, shape: Shape) -> None:
    added = json.loads((folder / "tokenizer.json").read_text("utf-8"))["added_tokens"]
    ids = {token["content"]: token["id"] for token in added}
    end_ids = {"bos_token_id": ids["<|endoftext|>"], "eos_token_id": ids["<|im_end|>"]}
    configuration = {
        "architectures": ["Qwen3ForCausalLM"],
        "model_type": "qwen3",
        "dtype": "bfloat16",
        "hidden_act": "silu",
        "hidden_size": shape.width,
        "intermediate_size": shape.inner,
        "num_hidden_layers": shape.layers,
        "num_attention_heads": shape.heads,
        "num_key_value_heads": shape.key_heads,
        "head_dim": shape.head_width,
        "max_position_embeddings": 40_960,
        "rms_norm_eps": 1e-6,
        "rope_theta": 1_000_000,
        "tie_word_embeddings": False,
        "vocab_size": shape.rows,
        **end_ids,
    }
    (folder / "config.json").write_text(json.dumps(configuration), "utf-8")
    generation = {**end_ids, "eos_token_id": [ids["<|im_end|>"], ids["<|endoftext|>"]]}
    (folder / "generation_config.json").write_text(json.dumps(generation), "utf-8")
