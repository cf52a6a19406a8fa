"""Flags of `vllm serve`: those that the product's own server is started with, and that a serving plan prints.

Names and values as vLLM 0.32 has them.
"""

from pipeline.errors import UserError

RANKS = (8, 16, 32, 64, 128, 256, 320, 512)  # what vLLM's kernels are compiled for

Flags = dict[str, str | int | float]


def engine_flags(
    *, max_model_len: int, max_num_seqs: int, max_lora_rank: int, max_loras: int, max_cpu_loras: int
) -> Flags:
    """What holds on a card and on a processor.

    Raises:
        UserError: no kernel serves adapters of that rank.
    """
    return {
        "max-model-len": max_model_len,
        "max-num-seqs": max_num_seqs,
        "max-lora-rank": served_rank(max_lora_rank),
        "max-loras": max_loras,
        "max-cpu-loras": max(max_cpu_loras, max_loras),
        # The base's own generation_config.json would change the sampling that a request asks for.
        "generation-config": "vllm",
    }


def card_flags(
    *,
    gpu_memory_utilization: float,
    dtype: str = "bfloat16",
    quantization: str | None = None,
    kv_cache_dtype: str | None = None,
) -> Flags:
    """What holds on a card alone."""
    flags: Flags = {"dtype": dtype, "gpu-memory-utilization": gpu_memory_utilization}
    if quantization:
        flags["quantization"] = quantization
    if kv_cache_dtype:
        flags["kv-cache-dtype"] = kv_cache_dtype
    return flags


def switches(*, card: bool) -> list[str]:
    """Flags without a value. Without a card, a model is not compiled: that takes longer than it saves."""
    return ["enable-lora", "enable-prefix-caching", *([] if card else ["enforce-eager"])]


def words(flags: Flags, *more: str) -> list[str]:
    """Flags, then switches, as a command line has them."""
    pairs = [word for name, value in flags.items() for word in (f"--{name}", str(value))]
    return [*pairs, *(f"--{name}" for name in more)]


def served_rank(rank: int) -> int:
    """The least rank that vLLM has kernels for and that holds adapters of `rank`.

    Raises:
        UserError: there is none.
    """
    fitting = [r for r in RANKS if r >= rank]
    if not fitting:
        raise UserError(f"vLLM serves adapters up to rank {RANKS[-1]}, not {rank}", fix="train with a lower rank")
    return fitting[0]
