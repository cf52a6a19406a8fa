"""What serving takes: weights in a format that the card can compute with, adapters, and the cache of keys and values.

    budget  = the card's memory x gpu_memory_utilization
    cache   = budget - weights - adapters - working set of a batch - CUDA's context and graphs
    tokens  = cache / bytes a token,   2 (keys, values) x layers x key-value heads x head size x element size

A text cannot be written faster than the card reads its weights and the text's cache, once a token.
"""

from dataclasses import dataclass
from typing import Any

from pipeline.memory.shape import Shape
from pipeline.planner import flags
from pipeline.planner.cards import ListedCard
from pipeline.planner.machine import DRIVER_SHARE, CardMemory

RUNTIME_BYTES = 768 << 20
"""CUDA's context, about 0.5 GiB, and its graphs, about a quarter."""
HIGHEST_UTILIZATION = 0.95
"""Of the card's memory; vLLM's own default is 0.92. What is over is for what comes and goes."""

_BLOCK_TOKENS = 16  # vLLM hands the cache out in blocks; the last of a sequence is not full
_LARGE_CARD_BYTES = 70 << 30  # from which vLLM reads prompts in longer pieces, but not on an A100
_SPARE_BYTES = 256 << 20  # of what is free now: other programs grow


@dataclass(frozen=True)
class Format:
    """How weights of linear layers lie in memory; embedding, head and norms stay in 16 bits in all of them.

    Attributes:
        bytes_a_weight: with scales.
        quantization: vLLM's flag; None: vLLM reads it from the checkpoint, or there is none.
        least_capability: compute capability from which vLLM serves it.
        needs: what has to be there first; None: nothing.
    """

    name: str
    bytes_a_weight: float
    quantization: str | None
    least_capability: tuple[int, int]
    needs: str | None = None


BFLOAT16 = Format("bfloat16", 2, None, (7, 0))
FP8 = Format("FP8", 1, "fp8_per_tensor", (7, 5))
FOUR_BITS = Format(
    "AWQ or GPTQ, 4 bits",
    0.5 + (2 + 0.5) / 128,  # a scale in 16 bits and a zero in 4 for each 128 weights
    None,
    (7, 5),
    "a base that is quantised so already, by another program",
)
NF4 = Format(
    "bitsandbytes, 4 bits",
    0.5 + 4 / 64,  # a scale in float32 for each 64 weights
    "bitsandbytes",
    (7, 0),
    "vllm-bnb-plugin and bitsandbytes in vLLM's environment: they left vLLM's core in 0.28",
)
FORMATS = (BFLOAT16, FP8, FOUR_BITS, NF4)


@dataclass(frozen=True)
class ServingPlan:
    """How a base and its adapters are served on a card in one format.

    Attributes:
        fits: one text of `max_model_len` at least has room.
        max_model_len: longest prompt and answer together, as asked, or as the model can read.
        longest_tokens: longest one text that the cache would hold.
        sequences: texts of `max_model_len` that are served at the same time without waiting.
        tokens_per_second: of one text at its full length, at most; None: it does not fit, or the card is not listed.
        tokens_per_second_together: of `sequences` such texts together, at most.
        flags: the words after `vllm serve BASE`.
        notes: sentences on what was assumed and what it needs.
    """

    format: Format
    fits: bool
    gpu_memory_utilization: float
    budget_bytes: int
    weights_bytes: int
    adapters_bytes: int
    working_bytes: int
    kv_token_bytes: int
    kv_cache_bytes: int
    max_model_len: int
    longest_tokens: int
    sequences: int
    tokens_per_second: float | None
    tokens_per_second_together: float | None
    flags: tuple[str, ...]
    notes: tuple[str, ...]


def plan_serving(
    shape: Shape,
    memory: CardMemory,
    weights: Format,
    *,
    max_model_len: int,
    rank: int = 16,
    max_loras: int = 2,
    max_cpu_loras: int = 64,
    max_num_seqs: int = 8,
    kv_in_fp8: bool = False,
) -> ServingPlan:
    """Serve a base with room for adapters on a card.

    Args:
        max_model_len: longest prompt and answer together that is wanted, in tokens; no more than the model can read.
        rank: highest rank of an adapter.
        max_loras: adapters that one batch may mix.
        kv_in_fp8: keep keys and values in 8 bits.
    """
    length = min(max_model_len, shape.positions or max_model_len)
    token = kv_token_bytes(shape.layers, shape.kv_heads, shape.head_dim, 1 if kv_in_fp8 else 2)
    held = weights_bytes(shape, weights)
    adapters = adapters_bytes(shape, flags.served_rank(rank), max_loras)
    working = _working_bytes(shape, memory, max_num_seqs)
    share, budget = _budget(memory)
    room = max(0, budget - held - adapters - working - RUNTIME_BYTES)
    longest = room // token // _BLOCK_TOKENS * _BLOCK_TOKENS
    sequences = min(max_num_seqs, longest // _whole_blocks(length))
    capability = memory.listed.capability if memory.listed else None
    fits = sequences >= 1 and (capability is None or capability >= weights.least_capability)
    alone, together = _speeds(shape, weights, memory.listed if fits else None, token * length, sequences)
    said = flags.engine_flags(
        max_model_len=length,
        max_num_seqs=max_num_seqs,
        max_lora_rank=rank,
        max_loras=max_loras,
        max_cpu_loras=max_cpu_loras,
    ) | flags.card_flags(
        gpu_memory_utilization=share,
        dtype="float16" if memory.listed and not memory.listed.has_bfloat16 else "bfloat16",
        quantization=weights.quantization,
        kv_cache_dtype="fp8" if kv_in_fp8 else None,
    )
    return ServingPlan(
        format=weights,
        fits=fits,
        gpu_memory_utilization=share,
        budget_bytes=budget,
        weights_bytes=held,
        adapters_bytes=adapters,
        working_bytes=working + RUNTIME_BYTES,
        kv_token_bytes=token,
        kv_cache_bytes=room,
        max_model_len=length,
        longest_tokens=longest,
        sequences=sequences,
        tokens_per_second=alone,
        tokens_per_second_together=together,
        flags=tuple(flags.words(said, *flags.switches(card=True))),
        notes=tuple(_notes(weights, memory.listed, kv_in_fp8)),
    )


def serving_plans(shape: Shape, memory: CardMemory, **asked: Any) -> list[ServingPlan]:
    """A plan for each format, those that change the weights least first; arguments as of `plan_serving`."""
    return [plan_serving(shape, memory, weights, **asked) for weights in FORMATS]


def weights_bytes(shape: Shape, weights: Format) -> int:
    """A base's weights in a format; a head that is the embedding itself counts once."""
    return round(shape.linear * weights.bytes_a_weight) + 2 * (shape.parameters - shape.linear)


def adapters_bytes(shape: Shape, rank: int, max_loras: int) -> int:
    """Room that vLLM keeps for `max_loras` adapters in 16 bits: on linear layers, embedding and head, used or not."""
    hidden, queries, keys, ffn = shape.hidden, shape.queries, shape.keys, shape.ffn
    layer = 2 * (hidden + queries) + 2 * (hidden + keys) + 3 * (hidden + ffn)
    return 2 * max_loras * rank * (shape.layers * layer + 2 * (shape.vocabulary + hidden))


def kv_token_bytes(layers: int, kv_heads: int, head_dim: int, element_bytes: int = 2) -> int:
    """Keys and values of one token in all layers."""
    return 2 * layers * kv_heads * head_dim * element_bytes


def kv_cache_bytes(config: dict[str, Any], length: int, sequences: int = 2, element_bytes: int = 4) -> int:
    """Cache for `sequences` texts of full `length`, by a model's config.json."""
    heads = config["num_attention_heads"]
    kv_heads = config.get("num_key_value_heads") or heads
    head_dim = config.get("head_dim") or config["hidden_size"] // heads
    token = kv_token_bytes(config["num_hidden_layers"], kv_heads, head_dim, element_bytes)
    # On a processor vLLM hands the cache out in blocks of up to 128 tokens, and the last of a sequence is not full.
    return token * (length + 128) * sequences


def longest_context_tokens(config: dict[str, Any]) -> int:
    """Longest text a model can read, by its config.json: the trained length, times YaRN's factor if any."""
    rope = config.get("rope_parameters") or config.get("rope_scaling") or {}
    if rope.get("rope_type", rope.get("type")) == "yarn":
        return int(rope["original_max_position_embeddings"] * rope["factor"])
    return int(config["max_position_embeddings"])


def _whole_blocks(tokens: int) -> int:
    return -(-tokens // _BLOCK_TOKENS) * _BLOCK_TOKENS


def _budget(memory: CardMemory) -> tuple[float, int]:
    """vLLM's share of the card, in whole percent, and its bytes: vLLM does not start if less than that is free."""
    total = memory.total_bytes - round(memory.total_bytes * DRIVER_SHARE)
    percent = min(round(100 * HIGHEST_UTILIZATION), int(100 * (memory.free_bytes - _SPARE_BYTES) / total))
    return max(0, percent) / 100, total * max(0, percent) // 100


def _working_bytes(shape: Shape, memory: CardMemory, max_num_seqs: int) -> int:
    """One layer's MLP of as many prompt tokens as vLLM reads at once, and the logits of a batch in float32."""
    large = memory.total_bytes >= _LARGE_CARD_BYTES and "A100" not in memory.name
    tokens = 8192 if large else 2048
    return 2 * tokens * (2 * shape.hidden + 3 * shape.ffn) + 2 * 4 * max_num_seqs * shape.vocabulary


def _speeds(
    shape: Shape, weights: Format, card: ListedCard | None, text_bytes: int, sequences: int
) -> tuple[float | None, float | None]:
    """Tokens a second of one text, and of several together: weights are read once for all, each cache for itself."""
    if card is None:
        return None, None
    looked_up = 0 if shape.tied else 2 * shape.vocabulary * shape.hidden  # of an embedding, one row a token is read
    read = weights_bytes(shape, weights) - looked_up
    bandwidth = card.bandwidth_bytes_per_second
    return bandwidth / (read + text_bytes), sequences * bandwidth / (read + sequences * text_bytes)


def _notes(weights: Format, card: ListedCard | None, kv_in_fp8: bool) -> list[str]:
    notes = [f"It needs {weights.needs}."] if weights.needs else []
    if card is None:
        return [*notes, "What this card computes in and how fast it reads is not known: name one of cards.toml."]
    if card.capability < weights.least_capability:
        least = ".".join(map(str, weights.least_capability))
        return [*notes, f"vLLM serves it from compute capability {least}; this card has {card.compute_capability}."]
    if not card.has_bfloat16:
        notes.append("This card has no bfloat16, and computes in float16.")
    if weights is FP8 and not card.has_fp8:
        notes.append("This card has no FP8 arithmetic: its weights lie in 8 bits, and are computed with in 16.")
    if kv_in_fp8 and not card.has_fp8:
        notes.append("Keys and values in FP8 are sure to be served from compute capability 8.9 only.")
    return notes
