"""A writer that says what it is told: for tests, and for work on the app without a model."""

import re
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from copilot.server.writer import Piece
from pipeline.records import Message


class ScriptedStream:
    """Words at a steady pace, until closed."""

    def __init__(self, pieces: Sequence[Piece], delay_seconds: float) -> None:
        self._pieces = iter(pieces)
        self._delay_seconds = delay_seconds
        self.closed = threading.Event()

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Piece:
        if self.closed.wait(self._delay_seconds):
            raise StopIteration
        return next(self._pieces)

    def close(self) -> None:
        """Stop, also while another thread waits for the next word."""
        self.closed.set()


@dataclass
class ScriptedWriter:
    """Answers every request with `text`, word by word; `text` may be a function of the messages.

    A word counts as one token: an answer longer than `max_tokens` words ends as a server's would, cut off.

    Attributes:
        calls: what was asked for, in order: the arguments of each `stream`.
        streams: what was handed out, in order.
    """

    text: str | Callable[[Sequence[Message]], str]
    delay_seconds: float = 0.0
    calls: list[dict[str, Any]] = field(default_factory=list)
    streams: list[ScriptedStream] = field(default_factory=list)

    def stream(
        self,
        messages: Sequence[Message],
        *,
        model: str,
        max_tokens: int,
        temperature: float,
        seed: int | None = None,
        stop: Sequence[str] = (),
        repetition_penalty: float = 1.0,
    ) -> ScriptedStream:
        """Begin to say the text (see `Writer.stream`); what the script cannot heed is only noted."""
        said = {
            "messages": tuple(messages),
            "model": model,
            "max_tokens": max_tokens,
            "temperature": temperature,
        }
        self.calls.append({**said, "seed": seed, "stop": tuple(stop), "repetition_penalty": repetition_penalty})
        text = self.text if isinstance(self.text, str) else self.text(messages)
        words = re.findall(r"\S+\s*|\s+", text)
        whole = len(words) <= max_tokens
        last = Piece("", "stop" if whole else "length")
        self.streams.append(ScriptedStream([*map(Piece, words[:max_tokens]), last], self.delay_seconds))
        return self.streams[-1]
