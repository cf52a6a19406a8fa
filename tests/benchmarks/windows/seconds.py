"""How long it takes to choose all windows of a report, once its sections are measured: cut and tokenised.

Seconds are of one core, as the process used them: what else the machine does adds little.
"""

from collections.abc import Callable
from dataclasses import dataclass
from time import process_time

from pipeline.bases.tokens import Tokens
from pipeline.settings import Windows
from tests.benchmarks.windows.documents import Document

REPEATS = 3  # the least counts
_LONG_ENOUGH = 25.0  # seconds; after that nothing is repeated


@dataclass(frozen=True)
class Seconds:
    """Seconds of one core for all windows of one document.

    Attributes:
        facts_and_words: for reading them in all sections.
        choosing: for the windows, where these are read.
    """

    sections: int
    tokens: int
    repeats: int
    facts_and_words: float
    choosing: float

    @property
    def in_all(self) -> float:
        """For the windows of sections that are measured, and of which nothing else is known."""
        return self.facts_and_words + self.choosing


def seconds_for(document: Document, count: int, tokens: Tokens, settings: Windows) -> Seconds:
    """For the document `count` times in a row."""
    reading: list[float] = []
    choosing: list[float] = []
    while len(reading) < REPEATS and sum(reading) + sum(choosing) < _LONG_ENOUGH:
        fresh = document.times(count)
        reading.append(_timed(lambda fresh=fresh: [(one.facts, one.index) for one in fresh.measured]))
        choosing.append(_timed(lambda fresh=fresh: fresh.windows(tokens, settings)))
    return Seconds(len(fresh.measured), fresh.tokens, len(reading), min(reading), min(choosing))


def _timed(work: Callable[[], object]) -> float:
    start = process_time()
    work()
    return process_time() - start
