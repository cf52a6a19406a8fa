"""Rules of thumb, as people pass them on: bytes by a model's number of parameters alone. Not ours, and not exact.

    full fine-tuning    12 GB per billion parameters + 4; 16 + 4 where a copy of the weights in float32 is kept
    LoRA                 2 GB per billion parameters + 3
    QLoRA                a half to a third of LoRA's

The slope is the arithmetic of Rajbhandari et al., "ZeRO" (2020): 2 bytes a weight in bfloat16; trained, 2 more for its
gradient, 8 for Adam's two moments, 4 for the copy. What is added stands for a short example's activations: no rule
knows an example's length, so that on top of it comes all that `account` says of long ones.
"""

from dataclasses import dataclass

from pipeline.memory.run import Method

GB = 10**9
SIZES_BILLIONS = (0.5, 1.5, 3.0, 7.0, 14.0, 32.0, 70.0)
_PER_BILLION_GB = {"lora": 2, "full": 12}
_MORE_GB = {"lora": 3, "full": 4}
_MASTER_WEIGHTS_GB = 4  # per billion: 4 bytes each
_OF_LORA = (1 / 3, 1 / 2)


@dataclass(frozen=True)
class Rule:
    """What a rule of thumb says, in bytes; where it says one figure, both are it."""

    low_bytes: int
    high_bytes: int


def rule_of_thumb(method: Method, parameters: float, *, master_weights: bool = False) -> Rule:
    """What the rule says of training a model of so many parameters on short examples.

    Args:
        master_weights: full fine-tuning keeps a copy of the weights in float32.
    """
    if method == "qlora":
        lora = rule_of_thumb("lora", parameters).high_bytes
        low, high = (round(lora * share) for share in _OF_LORA)
        return Rule(low, high)
    slope = _PER_BILLION_GB[method] + _MASTER_WEIGHTS_GB * (method == "full" and master_weights)
    said = round(slope * parameters + _MORE_GB[method] * GB)
    return Rule(said, said)


def table() -> list[dict[str, float | Rule]]:
    """The rules' table: a row for each size, `billions` and the Rule of each method."""
    return [
        {
            "billions": billions,
            "qlora": rule_of_thumb("qlora", billions * GB),
            "lora": rule_of_thumb("lora", billions * GB),
            "full": rule_of_thumb("full", billions * GB),
            "full, master weights": rule_of_thumb("full", billions * GB, master_weights=True),
        }
        for billions in SIZES_BILLIONS
    ]
