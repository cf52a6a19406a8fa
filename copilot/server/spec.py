"""What to serve, as vLLM's arguments and environment variables. Pure: nothing is started here."""

import json
import os
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from pipeline.errors import UserError
from pipeline.planner.flags import Flags, card_flags, engine_flags, switches, words
from pipeline.planner.serving import kv_cache_bytes, longest_context_tokens
from pipeline.records import digest

QUIET = {
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "VLLM_NO_USAGE_STATS": "1",
    "DO_NOT_TRACK": "1",
    "VLLM_DO_NOT_TRACK": "1",
    "VLLM_LOGGING_LEVEL": "WARNING",
    "TOKENIZERS_PARALLELISM": "false",
}


def usable_cores() -> int:
    """Cores that this process may run on: fewer than the machine has, in a container or under taskset."""
    return len(os.sched_getaffinity(0))


@dataclass(frozen=True)
class ServerSpec:
    """One base, with room for adapters.

    Attributes:
        base: folder of the base in Hugging Face's format, whole or with a sliced vocabulary.
        name: what requests for the base without an adapter call it.
        max_model_len: longest prompt and answer together, in tokens; no longer than the base can read.
        card: on an NVIDIA card (bfloat16, CUDA graphs), or on the CPU (float32, eager).
        max_lora_rank: highest rank an adapter may have: no higher than needed, it costs speed.
        max_loras: adapters that one batch may mix.
        max_cpu_loras: adapters kept in memory: more than are ever loaded at once. vLLM reads an
            evicted adapter's folder again, and dies if it is gone.
        max_num_seqs: requests served at the same time.
        threads: CPU threads of the model.
        gpu_memory_utilization: share of the card's memory that vLLM takes, weights and cache together.
    """

    base: Path
    name: str
    max_model_len: int
    card: bool
    max_lora_rank: int = 16
    max_loras: int = 2
    max_cpu_loras: int = 64
    max_num_seqs: int = 8
    threads: int = field(default_factory=usable_cores)
    gpu_memory_utilization: float = 0.9

    @property
    def id(self) -> str:
        """Two servers with the same id may stand in for each other."""
        return digest({**asdict(self), "base": str(self.base.resolve())})

    def arguments(self, port: int) -> list[str]:
        """Arguments of `vllm serve`."""
        shape = _read_config(self.base)
        length = min(self.max_model_len, longest_context_tokens(shape))
        said: Flags = {"host": "127.0.0.1", "port": port, "served-model-name": self.name}
        said |= engine_flags(
            max_model_len=length,
            max_num_seqs=self.max_num_seqs,
            max_lora_rank=self.max_lora_rank,
            max_loras=self.max_loras,
            max_cpu_loras=self.max_cpu_loras,
        )
        if self.card:
            said |= card_flags(gpu_memory_utilization=self.gpu_memory_utilization)
        else:
            said |= {"dtype": "float32", "kv-cache-memory-bytes": kv_cache_bytes(shape, length)}
        return [str(self.base.resolve()), *words(said, *switches(card=self.card), "disable-uvicorn-access-log")]

    def environment(self, cache: Path) -> dict[str, str]:
        """Environment variables to set; what vLLM caches for itself goes under `cache`."""
        said = {
            **QUIET,
            "VLLM_HOST_IP": "127.0.0.1",
            "VLLM_ALLOW_RUNTIME_LORA_UPDATING": "1",
            "VLLM_CACHE_ROOT": str(cache / "vllm"),
            "VLLM_CONFIG_ROOT": str(cache / "vllm"),
        }
        if not self.card:
            said |= {
                # Compiling takes longer than it saves at this size: 20 s for the first request with logprobs.
                "TORCHDYNAMO_DISABLE": "1",
                "VLLM_ENABLE_V1_MULTIPROCESSING": "0",
                # vLLM would keep one core for itself, and on a machine of two the model would have the other.
                "VLLM_CPU_OMP_THREADS_BIND": "nobind",
                "OMP_NUM_THREADS": str(self.threads),
            }
        return said


def _read_config(base: Path) -> dict[str, Any]:
    try:
        config: dict[str, Any] = json.loads((base / "config.json").read_text("utf-8"))
        return config
    except (OSError, ValueError) as error:
        raise UserError("not a model in Hugging Face's format: no readable config.json", where=base) from error
