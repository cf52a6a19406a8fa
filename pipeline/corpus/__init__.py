"""Reports in, Examples out: the hold-out (holdout.py) and the training pairs (examples.py)."""

from pipeline.corpus.examples import ExampleSet, build_examples, load_examples
from pipeline.corpus.holdout import hold_out

__all__ = ["ExampleSet", "build_examples", "hold_out", "load_examples"]
