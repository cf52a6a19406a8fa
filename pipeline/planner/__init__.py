"""Will it fit, on which card, and what if not? Advice that stands on the memory room's figures. No torch.

Question ── answer.py ──> Answer
  plan.py        a run on a card: does it fit, the longest example, settings to paste
  rungs.py       the ladder, where it does not
  machine.py     how much memory there really is
    cards.py       cards by name, from deploy/cards.toml and the user's own
  lengths.py     how long the user's own examples are; stored.py: those of a workspace
  cost.py        time and energy of a run
  rent.py        by the hour or by the month; the cheapest card
  serving.py     weights in which format, how many texts at once
    flags.py       of vLLM, for the plan and for the product's own server
  cautions.py    what people should know before they begin
  told.py        for the terminal
  picture.py     as a page: picture_charts.py, picture_tables.py; picture_plot.py: as an image; curve.py: by length
"""
