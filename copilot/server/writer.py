"""What drafting asks of whatever writes: a stream of text that can be stopped and that says how it ended."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, Self

from pipeline.records import Message


@dataclass(frozen=True)
class Piece:
    """Some text, and in the last piece of a stream how it ended.

    `finish` is "stop" when the writer had no more to say, "length" when it was cut off at `max_tokens`: such
    a text is not whole. A stream that breaks off has no last piece: it raises.
    """

    text: str
    finish: Literal["stop", "length"] | None = None


class TextStream(Protocol):
    """Pieces as they are written. Closing it (from any thread, at any time) makes the writer stop writing."""

    def __iter__(self) -> Self: ...

    def __next__(self) -> Piece: ...

    def close(self) -> None:
        """Stop. A thread that waits for the next piece sees the stream end, without a last piece."""
        ...


class Writer(Protocol):
    """Writes what messages ask for."""

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
    ) -> TextStream:
        """Begin to write.

        Args:
            messages: the prompt, as turns of a chat.
            model: the base or an adapter, by the name under which it is served.
            max_tokens: most tokens to write.
            temperature: 0: always the likeliest token.
            seed: same seed, same text, as far as the server can promise it.
            stop: texts at which to stop; they are not part of what is written.
            repetition_penalty: above 1: tokens said already become less likely.

        Raises:
            UserError: prompt and answer do not fit, no such model, wrong key (here, before all writing).
            TransientError: the writer cannot be reached (here), or broke off (while the stream is read).
        """
        ...
