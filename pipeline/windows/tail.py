"""Policy `tail`: the latest text, word for word.

sections    1            2             3                     kept: the end of what came before
            ·············|·········■■■■|■■■■■■■■■■■■
"""

from pipeline.settings import Windows
from pipeline.windows.keeping import Keeping
from pipeline.windows.plan import Need

RECENT = "recent"


def tail(keeping: Keeping, need: Need, settings: Windows) -> None:
    """Keep the latest pieces, one before the other, until one does not fit."""
    keep_recent(keeping, keeping.left)


def keep_recent(keeping: Keeping, budget: int) -> None:
    """Keep the latest pieces, one before the other, for at most `budget` tokens; what is kept already costs nothing.

    A piece that is too much for all of the budget, as a row of a table may be, is passed over.
    """
    reserve = keeping.left - budget
    for section in range(len(keeping.earlier) - 1, keeping.open_from - 1, -1):
        pieces = range(len(keeping.earlier[section].pieces) - 1, -1, -1)
        if not pieces and not keeping.keep_heading(section, reserve):
            return
        for piece in pieces:
            if not keeping.keep(section, piece, RECENT, reserve) and keeping.cost(section, piece) <= budget:
                return
