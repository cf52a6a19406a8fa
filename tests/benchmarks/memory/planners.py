"""What others say of the same run: rules of thumb, and two public planners by the formulas that they publish.

Neither planner knows adapters or examples in parts. They are given what they can be asked: weights that are frozen
count once in their own type, and gradients and optimiser are of what is trained.
"""

from collections.abc import Callable

from pipeline.memory.parts import adapter_parameters
from pipeline.memory.rules import rule_of_thumb
from pipeline.memory.run import Run

_WIDTH = {"qlora": 0.5, "lora": 2, "full": 2}  # bytes of a weight of the base
_ADAPTER_WIDTH = 4


def rule(run: Run, true_bytes: int) -> float:
    """The rule of thumb; of the range that it gives for QLoRA, what lies nearest to the truth."""
    said = rule_of_thumb(run.method, run.shape.parameters, master_weights=run.master_weights)
    return min(max(true_bytes, said.low_bytes), said.high_bytes)


def accelerate(run: Run, _: int) -> float:
    """Hugging Face accelerate, `estimate-memory`: training with Adam takes four times the trained weights' size.

    Documentation, "Model memory estimator": once for the model, once for gradients, twice for the optimiser. No
    activations.
    """
    size = _WIDTH[run.method] * run.shape.parameters
    if run.method == "full":
        return 4 * size
    return size + 4 * _ADAPTER_WIDTH * adapter_parameters(run.shape, run.rank)


def eleuther(run: Run, _: int) -> float:
    """EleutherAI's cookbook, `calc/calc_transformer_mem.py` (Anthony et al., "Transformer Math 101", 2023).

    4 bytes a gradient; 12 of Adam's state (two moments and a copy in float32), 6 in 8 bits; activations as Rajbhandari
    et al., "ZeRO" (2020), put them: 34 bytes a token, layer and hidden channel, and 5 more for each head and token
    attended to where nothing is computed again.
    """
    shape = run.shape
    trained = shape.parameters if run.method == "full" else adapter_parameters(shape, run.rank)
    state = 12 if run.optimizer == "adamw" else 6
    frozen = _WIDTH[run.method] * shape.parameters + (0 if run.method == "full" else _ADAPTER_WIDTH * trained)
    channels = run.batch * run.tokens * shape.hidden * shape.layers
    quadratic = 0 if run.checkpointing else 5 * shape.heads * run.tokens / shape.hidden
    return frozen + (4 + state) * trained + channels * (34 + quadratic)


PLANNERS: dict[str, Callable[[Run, int], float]] = {
    "rule of thumb": rule,
    "accelerate estimate-memory": accelerate,
    "EleutherAI calculator": eleuther,
}
