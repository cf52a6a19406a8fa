"""Reports in, Examples out: the hold-out (holdout.py) and the training pairs (examples.py)."""

from pipeline.corpus.examples import ExampleNote, ExampleSet, build_examples, describe_examples, load_examples
from pipeline.corpus.holdout import hold_out

__all__ = ["ExampleNote", "ExampleSet", "build_examples", "describe_examples", "hold_out", "load_examples"]
