"""Will it fit? What a training step holds in memory, on any machine, without weights and without a card.

    simulate.py    the peak of the real training code, run on fake tensors
      recipes.py     from a Run to what is simulated
      steps.py       the steps: plain transformers + peft, and ours
      fake.py        a model without weights: NF4 shapes, real modules
      static.py      weights by kind, gradients, the optimiser's state
      live.py        every storage from the op that makes it until it is let go
        places.py      where in the code it was made
        scratch.py     what CUDA kernels take beyond what they return
        trace.py       the peak, and what was alive at it
    account.py     the same in closed form, by kind, within 3%, without torch
      shape.py       a decoder's numbers (models.toml: those of common models)
      run.py         what is trained, and how
      parts.py       what lies there throughout
      whole.py       a step by transformers and peft
      tiles.py       a step in parts
    rules.py       rules of thumb, as others have them

Importing this room imports no torch; its modules that simulate do, the others do not.
"""
