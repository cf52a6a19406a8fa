"""What the page asks of the machinery behind it: `copilot.service` answers with vLLM, tests with a script."""

from typing import Literal, NamedTuple, Protocol

from copilot.server.writer import Writer
from pipeline.bases.tokens import Tokens


class Status(NamedTuple):
    """How the model is: "off" when none was asked for. `line` is one plain sentence on it, or empty."""

    state: Literal["starting", "ready", "failed", "off"]
    line: str = ""


class Engine(Protocol):
    """All methods may be called from any thread, often, and answer at once."""

    def status(self) -> Status:
        """How the model is at this moment."""
        ...

    def writer(self) -> Writer:
        """Who writes. Only asked for when the status is "ready"."""
        ...

    def model(self) -> str:
        """The name under which new requests find the adapter (or the base) that serves now."""
        ...

    def tokens(self) -> Tokens:
        """The tokenizer of the base; there also when the model is not."""
        ...
