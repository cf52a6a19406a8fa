"""Slicing a base's vocabulary to what an office writes: smaller, and reads and writes the same.

    base ── tokenizer.json ── choice: which tokens? ──> tokenizer: the same with those only ──┐
     │                          │    by script (keep)                                         │
     │                          │    by usage (usage)                                         ├── proof
     │                      old id -> new id                                                  │
     └── weights ── embedding, head ──┴──> checkpoint: their rows only; all else linked ──────┘
                                           configuration: rows and ids

The sliced base is a folder in Hugging Face's format like any other: trained on, served, and named by its
adapters. Knows nothing of reports or training; imports torch only to compare what small models compute.
"""

from pipeline.vocabulary.proof import Proof, load_proof
from pipeline.vocabulary.slicing import slice_base
from pipeline.vocabulary.told import table

__all__ = ["Proof", "load_proof", "slice_base", "table"]
