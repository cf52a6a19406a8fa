"""Held-out sections written by a model server that runs already: the faster way, where there is one.

    evaluation ── base, adapter ──> the server's name for it (an adapter is loaded if it is not) ──> requests at once

An adapter's name is that of its files' path to the server: it must be vLLM, on this machine, with the evaluated base.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Protocol

from copilot.server.client import LEAST_TOKENS, ServedModel, ServerClient
from copilot.server.process import Server
from copilot.server.writer import Writer
from pipeline.adapters import verify
from pipeline.errors import UserError
from pipeline.evaluation import Written
from pipeline.records import Adapter, Base, Example, short
from pipeline.settings import Settings
from pipeline.storage import Workspace


class ModelServer(Writer, Protocol):
    """A writer whose adapters come and go by name."""

    def models(self) -> Sequence[ServedModel]:
        """What is served now."""

    def load_adapter(self, name: str, folder: Path) -> None:
        """Let requests use an adapter by name."""


def adapter_name(adapter: Adapter) -> str:
    """The name under which an adapter is served. Its id is in it, so that a name never means two things."""
    return f"adapter-{short(adapter.id)}"


class ServedSections:
    """Writes sections through a server, several at once; a `pipeline.evaluation.SectionWriter`."""

    def __init__(self, connect: Callable[[], ModelServer], url: str, at_once: int = 8) -> None:
        """
        Args:
            connect: makes the client, when there is something to write.
            at_once: requests on their way at the same time.
        """
        self._connect, self._url, self._at_once = connect, url, at_once

    @property
    def signature(self) -> str:
        """What determines the text besides the contender."""
        return f"model server, temperature 0, seed 0, at least {LEAST_TOKENS} tokens"

    def write(
        self, base: Base, adapter: Adapter | None, examples: Sequence[Example], most_tokens: int
    ) -> Iterator[Written]:
        """Each section, in the order in which they are done.

        Raises:
            UserError: the server serves another base, or a prompt is too long for it.
            FatalError: the adapter's files are not whole.
            TransientError: the server cannot be reached, or broke off.
        """
        server = self._connect()
        model = self._name(server, base, adapter)
        with ThreadPoolExecutor(self._at_once) as threads:
            started = [threads.submit(_write, server, model, example, most_tokens) for example in examples]
            try:
                for done in as_completed(started):
                    yield done.result()
            finally:
                threads.shutdown(cancel_futures=True)

    def _name(self, server: ModelServer, base: Base, adapter: Adapter | None) -> str:
        folder = str(Path(base.path).resolve())
        name = next((model.name for model in server.models() if model.root == folder), None)
        if name is None:
            raise UserError(
                f"the model server does not serve {base.name} from {folder}",
                where=self._url,
                fix="start the workspace's own (memoria serve), or unset evaluation.url",
            )
        if adapter is None:
            return name
        verify(adapter)
        server.load_adapter(adapter_name(adapter), Path(adapter.path))
        return adapter_name(adapter)


def section_writer(settings: Settings) -> ServedSections | None:
    """What the settings name to write held-out sections with; None: nothing, so that transformers do it."""
    url = settings.evaluation.url
    if url is None:
        return None

    def connect() -> ServerClient:
        own = Server(Workspace(settings.workspace))
        key = own.key if own.status().url == url else settings.serve.api_key
        return ServerClient(url, key)

    return ServedSections(connect, url, settings.evaluation.parallel_requests)


def _write(server: ModelServer, model: str, example: Example, most_tokens: int) -> Written:
    pieces = list(server.stream(example.messages, model=model, max_tokens=most_tokens, temperature=0.0, seed=0))
    return Written(
        example=example.id,
        report=example.report,
        language=example.language,
        text="".join(piece.text for piece in pieces).strip(),
        finish="whole" if pieces[-1].finish == "stop" else "clipped",
    )
