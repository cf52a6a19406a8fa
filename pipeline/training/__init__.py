"""QLoRA: an Example set and a base in, an Adapter out.

Examples ── choose ──> order of a run          order.py
         ── encode ──> token ids, loss mask    encode.py
Base ───── load ────> NF4 weights, frozen      model.py, kernels.py, attention.py
         + LoRA ────> what is trained          model.py
             │
             ├── loop.py ── optimiser, held-out looks, checkpoints, log and curve
             │     │ each example: whole, or in parts (computation.py, long/)
             │     │ out of memory: ladder.py, and again (attempts.py)
             └── probe.py ──> Adapter
"""

from pipeline.training.runs import load_trained, train
from pipeline.training.told import TrainDocument

__all__ = ["TrainDocument", "load_trained", "train"]
