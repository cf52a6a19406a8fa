"""Slicing a base's vocabulary to the scripts that an office writes: smaller, and reads and writes the same.

    base ── tokenizer.json ── keep: which tokens? ──> tokenizer: the same with those only ──┐
     │                             │                                                        ├── proof
     │                         old id -> new id                                             │
     └── weights ── embedding, head ──┴──> checkpoint: their rows only; all else linked ────┘
                                           configuration: rows and ids

The sliced base is a folder in Hugging Face's format like any other: trained on, served, and named by its
adapters. Knows nothing of reports or training; imports torch only to compare the logits of a small model.
"""

from pipeline.vocabulary.proof import Proof, load_proof
from pipeline.vocabulary.slicing import slice_base

__all__ = ["Proof", "load_proof", "slice_base"]
