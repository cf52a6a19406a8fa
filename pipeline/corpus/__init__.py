"""Reports in, Examples out: hold-out (holdout.py), training pairs (examples.py), a watch on both (leak.py, runs.py)."""

from pipeline.corpus.examples import ExampleNote, ExampleSet, build_examples, describe_examples, load_examples
from pipeline.corpus.holdout import hold_out
from pipeline.corpus.leak import Leak, find_leaks, refuse_leaks

__all__ = [
    "ExampleNote",
    "ExampleSet",
    "Leak",
    "build_examples",
    "describe_examples",
    "find_leaks",
    "hold_out",
    "load_examples",
    "refuse_leaks",
]
