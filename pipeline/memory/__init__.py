"""Will it fit? What a training step holds in memory, on any machine, without weights and without a card.

    simulate.py    the peak of the real training code, run on fake tensors
      fake.py        a model without weights: NF4 shapes, real modules
      steps.py       the steps that are simulated: plain transformers + peft, and ours
      static.py      weights by kind, gradients, the optimiser's state
      live.py        every storage from the op that makes it until it is let go
        places.py      where in the code it was made
        scratch.py     what CUDA kernels take beyond what they return
        trace.py       the peak, and what was alive at it
    formula.py     the same in closed form, within 3%, without torch

Importing this room imports no torch; its modules do, but for the formula.
"""
