"""A writer over HTTP: vLLM, or any other OpenAI-compatible server; and vLLM's adapters, by name.

It knows nothing of processes, workspaces or reports. Importing it imports the `openai` package (0.9 s).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlsplit

import httpx2
import openai

from copilot.server.answer import ServerStream
from copilot.server.refusals import told_plainly
from pipeline.errors import UserError
from pipeline.records import Message

CONNECT_TIMEOUT_SECONDS = 10.0
LOOPBACK = ("127.0.0.1", "localhost", "::1")
LEAST_TOKENS = 8  # a small model now and then ends before it began; only vLLM knows how to forbid it
NO_THINKING = {"enable_thinking": False}


@dataclass(frozen=True)
class ServedModel:
    """A name that requests may use; where the server tells: the folder behind it, and an adapter's base."""

    name: str
    root: str | None = None
    parent: str | None = None
    max_model_len: int | None = None


@dataclass(frozen=True)
class PromptSize:
    """Tokens of a prompt in the server's own chat template, and the most it takes with the answer."""

    tokens: int
    max_model_len: int


class ServerClient:
    """Talks to one server. Safe to use from several threads; a `Writer`."""

    def __init__(
        self, url: str, api_key: str | None = None, *, timeout_seconds: float = 600.0, max_retries: int = 2
    ) -> None:
        """
        Args:
            url: base address of the API, with /v1.
            api_key: its key, if it asks for one.
            timeout_seconds: longest silence, between two pieces or before the first (reading a long prompt
                takes minutes on a CPU).
            max_retries: further tries, after pauses, for a request that could not be sent. A begun stream is
                never tried again.
        """
        self.url = url.rstrip("/")
        # A proxy from the environment has no business between us and our own machine.
        own_machine = urlsplit(self.url).hostname in LOOPBACK
        self._openai = openai.OpenAI(
            base_url=self.url,
            api_key=api_key or "none",
            max_retries=max_retries,
            timeout=httpx2.Timeout(timeout_seconds, connect=CONNECT_TIMEOUT_SECONDS),
            http_client=openai.DefaultHttpxClient(trust_env=not own_machine),
        )

    def close(self) -> None:
        """Give the connections back."""
        self._openai.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def models(self) -> tuple[ServedModel, ...]:
        """What is served now: the base first, then adapters.

        Raises:
            UserError: the key is wrong.
            TransientError: the server cannot be reached.
        """
        with told_plainly(self.url):
            listed = self._openai.models.list().data
        # Beyond the OpenAI fields, vLLM tells these three.
        cards = [(card.id, card.model_extra or {}) for card in listed]
        return tuple(ServedModel(n, x.get("root"), x.get("parent"), x.get("max_model_len")) for n, x in cards)

    def prompt_size(self, messages: Sequence[Message], model: str) -> PromptSize | None:
        """How long a prompt is for this server; None if the server cannot tell (it is not vLLM)."""
        asked = {"model": model, "messages": _plain(messages), **_template(messages)}
        beside = self.url.removesuffix("/v1") + "/tokenize"
        try:
            with told_plainly(self.url):
                answer: Any = self._openai.post(beside, body=asked, cast_to=object)
        except UserError:
            if model in {m.name for m in self.models()}:
                return None
            raise
        if not isinstance(answer, dict) or not {"count", "max_model_len"} <= answer.keys():
            return None
        return PromptSize(tokens=answer["count"], max_model_len=answer["max_model_len"])

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
    ) -> ServerStream:
        """Begin to write (see `Writer.stream`). The request is sent when the first piece is asked for.

        Raises:
            UserError: prompt and answer together are longer than the server takes, or it knows no such model;
                nothing was asked to be written.
        """
        size = self.prompt_size(messages, model)
        beyond = _template(messages)
        if size is not None:
            require_fit(size, max_tokens)
            # A text that is gone on with may well be at its end; and vLLM heeds no stop text before this many tokens.
            if messages[-1].role != "assistant" and not stop:
                beyond["min_tokens"] = min(LEAST_TOKENS, max_tokens)
        if repetition_penalty != 1.0:
            beyond["repetition_penalty"] = repetition_penalty
        request = {
            "messages": _plain(messages),
            "model": model,
            "max_tokens": max_tokens,
            "temperature": temperature,
            "seed": seed if seed is not None else openai.omit,
            "stop": list(stop) or openai.omit,
            "extra_body": beyond,
        }
        return ServerStream(self._openai, self.url, request)

    def load_adapter(self, name: str, folder: Path) -> None:
        """Let requests use an adapter by name. Nothing happens if this very folder bears the name already.

        A name stands for one content for ever, and the folder stays until after `unload_adapter`: the server
        keeps what it computed under a name, and reads the folder again when it had to make room.

        Raises:
            UserError: the name is taken by another folder, or the server refused the adapter.
            TransientError: the server cannot be reached.
        """
        path = str(Path(folder).resolve())
        taken = {m.name: m.root for m in self.models()}
        if name in taken:
            if taken[name] == path:
                return
            raise UserError(
                f"the name {name} is taken by another model",
                where=taken[name],
                fix="give the adapter a name of its own",
            )
        with told_plainly(self.url, adapter=name):
            self._openai.post("/load_lora_adapter", body={"lora_name": name, "lora_path": path}, cast_to=str)

    def unload_adapter(self, name: str) -> None:
        """Let no further request use an adapter. Nothing happens if it is not loaded."""
        if name in {m.name for m in self.models()}:
            with told_plainly(self.url, adapter=name):
                self._openai.post("/unload_lora_adapter", body={"lora_name": name}, cast_to=str)


def require_fit(size: PromptSize, max_tokens: int) -> None:
    """Refuse what the server would refuse, or cut off without a word.

    Raises:
        UserError: prompt and answer together exceed what the server takes.
    """
    room = size.max_model_len - size.tokens
    if max_tokens <= room:
        return
    fix = f"ask for at most {room} tokens" if room > 0 else f"shorten the window by {max_tokens - room} tokens"
    raise UserError(
        f"too long for the model server: {size.tokens} tokens of prompt and {max_tokens} to write, "
        f"where {size.max_model_len} fit together",
        fix=fix,
    )


def _template(messages: Sequence[Message]) -> dict[str, Any]:
    """How the prompt is made of the turns: thinking off; an assistant's turn at the end is gone on with, not closed."""
    going_on = {"continue_final_message": True, "add_generation_prompt": False}
    return {"chat_template_kwargs": NO_THINKING} | (going_on if messages[-1].role == "assistant" else {})


def _plain(messages: Sequence[Message]) -> list[dict[str, str]]:
    return [{"role": m.role, "content": m.content} for m in messages]
