"""What the page asks of the machinery behind it: `copilot.service` answers with vLLM, tests with a script."""

from typing import Literal, NamedTuple, Protocol

from copilot.server.writer import Writer
from pipeline.bases.tokens import Tokens
from pipeline.settings import Windows


class Status(NamedTuple):
    """How the model is: "off" when none was asked for. `line` is one plain sentence on it, or empty."""

    state: Literal["starting", "ready", "failed", "off"]
    line: str = ""


class Serving(NamedTuple):
    """A writer, and the name under which it writes with the adapter (or the base) that serves now."""

    writer: Writer
    model: str


class Reading(NamedTuple):
    """The base's tokenizer, and the windows that the adapter was trained with."""

    tokens: Tokens
    windows: Windows


class Engine(Protocol):
    """All methods may be called from any thread, often, and answer at once."""

    def status(self) -> Status:
        """How the model is at this moment."""
        ...

    def serving(self) -> Serving:
        """Who writes at this moment, in one answer: what it holds belongs together.

        Raises:
            TransientError: nobody, the status is not "ready".
        """
        ...

    def reading(self) -> Reading:
        """How the model reads; there also when nobody writes."""
        ...
