"""Answers to be told and drawn: one that fits, one that does not, one that nothing helps."""

from dataclasses import replace

from pipeline.planner.answer import Answer, Question, answer
from pipeline.planner.lengths import Lengths
from pipeline.settings import Settings

HOST = 32 << 30
MINE = Lengths(tuple(range(1_000, 31_000, 250)), estimated=True)


def asked(question: Question, lengths: Lengths | None = None) -> Answer:
    """An answer on a machine with 32 GiB free, whatever this one has."""
    return answer(question, Settings(), lengths, host_free_bytes=HOST)


def fitting(**more) -> Answer:
    return asked(Question("Qwen/Qwen3-8B", **{"card": "RTX 4080", "context": 20_000, **more}))


def too_large(lengths: Lengths | None = None) -> Answer:
    return asked(Question("Qwen/Qwen3-8B", "8", 24_576, "lora", batch=4), lengths)


def hopeless() -> Answer:
    return asked(Question("Qwen/Qwen3-8B", "2", 24_576))


def priced(found: Answer) -> Answer:
    """The same, every card at 1 an hour and 100 a month, but for the smallest, which has no price."""
    cards = sorted(found.cards, key=lambda card: card.memory_mib)
    prices = {"price_per_hour": 1.0, "price_per_month": 100.0}
    return replace(found, cards=[cards[0], *(card.model_copy(update=prices) for card in cards[1:])])
