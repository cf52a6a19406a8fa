"""QLoRA: an Example set and a base in, an Adapter out.

Examples ── choose ──> order of a run          order.py
         ── encode ──> token ids, loss mask    encode.py
Base ───── load ────> NF4 weights, frozen      model.py
         + LoRA ────> what is trained          model.py
             │
             └── loop.py ── checkpoints (checkpoint.py), log and curve (log.py) ──> Adapter
"""

from pipeline.training.runs import load_trained, train
from pipeline.training.told import TrainDocument

__all__ = ["TrainDocument", "load_trained", "train"]
