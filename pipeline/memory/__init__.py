"""Will it fit? What a training step holds in memory, on any machine, without weights and without a card.

    simulate.py    the peak of the real training code, run on fake tensors
      fake.py        a model without weights: NF4 shapes, real modules
      steps.py       the steps that are simulated: plain transformers + peft, and ours
      static.py      weights by kind, gradients, the optimiser's state
      live.py        every storage from the op that makes it until it is let go
        places.py      where in the code it was made
        scratch.py     what CUDA kernels take beyond what they return
        trace.py       the peak, and what was alive at it
    account.py     the same in closed form, by kind, within 3%, without torch; the longest example that fits
      shape.py       a decoder's numbers (models.toml: those of common models)
      run.py         what is trained, and how
      formula.py     the terms

Importing this room imports no torch; its modules do, but for the last four.
"""
