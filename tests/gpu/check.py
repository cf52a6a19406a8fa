"""What only a card can prove: Qwen3-8B trains on whole reports within 16 GB, and with the same gradients.

python tests/gpu/check.py RESULT.json          on a card with CUDA: some minutes, nothing is downloaded
python tests/gpu/check.py RESULT.json --tiny   the same on any machine, with a model of a few thousand parameters

Weights are random: memory and time do not depend on what they say. The allocator is held to what a 16 GB card leaves,
so that a larger card refuses what the smaller one would.
"""

import argparse
import gc
import json
import os
import platform
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

os.environ.setdefault("PYTORCH_CUDA_ALLOC_CONF", "expandable_segments:True")
ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

import torch  # noqa: E402

from pipeline.settings import Training  # noqa: E402
from pipeline.training.long import Schedule, accumulate, embedding_to_host  # noqa: E402
from pipeline.training.model import add_lora  # noqa: E402
from pipeline.training.optimizer import make_optimizer  # noqa: E402
from pipeline.training.schedule import LEAN, WHOLE  # noqa: E402
from tests.gpu.random_base import random_base  # noqa: E402

GIB = 2**30
CARD_BYTES = 15 * GIB
"""Of a 16 GB card: what is left beside the CUDA context (about 0.5 GiB) and what the driver keeps for itself."""


@dataclass(frozen=True)
class Size:
    """What is checked: the model, the lengths, and up to which length the plain way is tried."""

    config: dict[str, Any]
    lengths: tuple[int, ...]
    plain_lengths: tuple[int, ...]
    compared_tokens: int
    rank: int
    schedule: Schedule


QWEN3_8B = Size(
    config={
        "vocab_size": 103_936,  # sliced to Latin script
        "hidden_size": 4096,
        "intermediate_size": 12_288,
        "num_hidden_layers": 36,
        "num_attention_heads": 32,
        "num_key_value_heads": 8,
        "head_dim": 128,
        "max_position_embeddings": 262_144,
        "tie_word_embeddings": False,
    },
    lengths=(4096, 20_480, 40_960, 81_920, 143_360),
    plain_lengths=(2048, 4096, 8192, 20_480),
    compared_tokens=4096,
    rank=16,
    schedule=LEAN,
)
TINY = Size(
    config={
        "vocab_size": 512,
        "hidden_size": 64,
        "intermediate_size": 128,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "head_dim": 16,
        "max_position_embeddings": 4096,
        "tie_word_embeddings": False,
    },
    lengths=(64, 200),
    plain_lengths=(64,),
    compared_tokens=100,
    rank=4,
    schedule=Schedule(tile_tokens=48, loss_tokens=16),
)


def machine() -> dict[str, Any]:
    """When, on what, with which versions."""
    packages = ("torch", "transformers", "peft", "bitsandbytes")
    cuda = torch.cuda.is_available()
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "card": torch.cuda.get_device_name() if cuda else None,
        "card_bytes": torch.cuda.get_device_properties(0).total_memory if cuda else None,
        "cuda": torch.version.cuda,
        "python": platform.python_version(),
        **{name: version(name) for name in packages},
    }


class Check:
    """One random model with an adapter, on the card if there is one."""

    def __init__(self, size: Size) -> None:
        from transformers import Qwen3Config

        self.size, self.config = size, Qwen3Config(**size.config)
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.dtype = torch.bfloat16 if self.device.type == "cuda" else torch.float32
        self.settings = Training(rank=size.rank, gradient_checkpointing=True)
        base = random_base(self.config, self.dtype, self.device)
        self.model = add_lora(base, self.settings)
        for name, parameter in self.model.named_parameters():
            if "lora_B" in name:
                torch.nn.init.normal_(parameter, std=0.01)  # zeros would hide half of the gradients
        name = "paged_adamw_8bit" if self.device.type == "cuda" else "adamw"
        self.optimizer = make_optimizer(name, self.model.parameters(), 1e-4)

    def ids(self, tokens: int) -> torch.Tensor:
        """Random ids [tokens] on the card, the same every time."""
        generator = torch.Generator().manual_seed(0)
        return torch.randint(self.config.vocab_size, (tokens,), generator=generator).to(self.device)

    def ours(self, ids: torch.Tensor, schedule: Schedule) -> float:
        """Every token but the first is a target, as where a whole report is one example."""
        return accumulate(self.model, ids, torch.arange(1, len(ids), device=self.device), schedule).item()

    def plain(self, ids: torch.Tensor) -> float:
        """As transformers and peft do it: the mean loss of all tokens but the first, times their number."""
        loss = self.model(input_ids=ids[None], labels=ids[None], use_cache=False).loss * (len(ids) - 1)
        loss.backward()
        return loss.item()

    def measured(self, tokens: int, step: Callable[[torch.Tensor], float]) -> dict[str, Any]:
        """One step with the optimiser, after a short one that allocates what is allocated once."""
        step(self.ids(min(tokens, 64)))
        self.optimizer.step()
        ids = self.ids(tokens)
        self._clear()
        began = time.monotonic()
        try:
            loss = step(ids)
            self.optimizer.step()
            self._synchronize()
        except torch.OutOfMemoryError:
            self._clear()
            return {"tokens": tokens, "fits": False}
        seconds = time.monotonic() - began
        found = {"tokens": tokens, "fits": True, "loss": loss / (tokens - 1), "seconds": seconds}
        found |= {"tokens_per_second": tokens / seconds}
        if self.device.type == "cuda":
            found["peak_reserved_bytes"] = torch.cuda.max_memory_reserved()
            found["peak_allocated_bytes"] = torch.cuda.max_memory_allocated()
        self._clear()
        return found

    def gradients(self, step: Callable[[torch.Tensor], float]) -> tuple[float, dict[str, torch.Tensor]]:
        """Loss and the adapter's gradients, in host memory."""
        loss = step(self.ids(self.size.compared_tokens))
        found = {n: p.grad.float().cpu() for n, p in self.model.named_parameters() if p.grad is not None}
        self._clear()
        return loss, found

    def _clear(self) -> None:
        self.optimizer.zero_grad(set_to_none=True)
        gc.collect()
        if self.device.type == "cuda":
            torch.cuda.synchronize()
            torch.cuda.empty_cache()
            torch.cuda.reset_peak_memory_stats()

    def _synchronize(self) -> None:
        if self.device.type == "cuda":
            torch.cuda.synchronize()


def compared(check: Check) -> dict[str, Any]:
    """How far our gradients are from plain ones: relative Frobenius norms, the worst matrix and all together."""
    plain_loss, plain = check.gradients(check.plain)
    found: dict[str, Any] = {"tokens": check.size.compared_tokens, "plain_loss": plain_loss}
    for name, schedule in (("whole", WHOLE), ("in_parts", check.size.schedule)):
        loss, ours = check.gradients(lambda ids, schedule=schedule: check.ours(ids, schedule))
        worst = max(float((ours[n] - plain[n]).norm() / plain[n].norm()) for n in plain)
        square = sum(float((ours[n] - plain[n]).square().sum()) for n in plain)
        total = sum(float(plain[n].square().sum()) for n in plain)
        found[name] = {
            "loss_relative": abs(loss - plain_loss) / abs(plain_loss),
            "worst_gradient_relative": worst,
            "all_gradients_relative": (square / total) ** 0.5,
        }
    return found


def simulated(check: Check, tokens: int) -> dict[str, int]:
    """What the simulator says of the same step."""
    from pipeline.memory.simulate import simulate
    from pipeline.memory.steps import long_recipe

    told = simulate(long_recipe(check.config, tokens, check.settings, check.size.schedule))
    return {name: value for name, value in asdict(told).items() if name.endswith("_bytes")}


def run(size: Size) -> dict[str, Any]:
    """The whole check; progress goes to stderr."""
    result: dict[str, Any] = {"machine": machine(), "size": asdict(size), "allowed_bytes": CARD_BYTES}
    check = Check(size)
    result["gradients"] = compared(check)  # before the allocator is held: the plain way needs more than the small card
    _say(result["gradients"])
    if check.device.type == "cuda":
        total = torch.cuda.get_device_properties(0).total_memory
        torch.cuda.set_per_process_memory_fraction(CARD_BYTES / total)
    result["plain"] = [check.measured(tokens, check.plain) for tokens in size.plain_lengths]
    _say(result["plain"])
    embedding_to_host(check.model.get_base_model())
    result["long"] = []
    for tokens in size.lengths:
        found = check.measured(tokens, lambda ids: check.ours(ids, size.schedule))
        result["long"].append(found | {"simulated": simulated(check, tokens)})
        _say(result["long"][-1])
    return result


def _say(part: Any) -> None:
    print(json.dumps(part), file=sys.stderr, flush=True)


def main() -> None:
    """Write the result as JSON; exit with 1 if a length did not fit."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("result", type=Path)
    parser.add_argument("--tiny", action="store_true")
    options = parser.parse_args()
    result = run(TINY if options.tiny else QWEN3_8B)
    options.result.write_text(json.dumps(result, indent=1) + "\n", "utf-8")
    if not all(found["fits"] for found in result["long"]):
        sys.exit(1)


if __name__ == "__main__":
    main()
