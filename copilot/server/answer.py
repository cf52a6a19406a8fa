"""One answer of a model server on its way here, piece by piece, until it ends or is stopped."""

import contextlib
import socket
import threading
from collections.abc import Generator
from typing import Any, Literal, Self, cast

import httpx2
import openai

from copilot.server.refusals import told_plainly
from copilot.server.writer import Piece
from pipeline.errors import MemoriaError, TransientError


class ServerStream:
    """A `TextStream` over HTTP. Reading is for one thread; `close` may come from any."""

    def __init__(self, client: openai.OpenAI, url: str, request: dict[str, Any]) -> None:
        self._client, self._url, self._request = client, url, request
        self._state = threading.Lock()
        self._closed = False
        self._response: httpx2.Response | None = None
        self._pieces = self._read()

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Piece:
        try:
            return next(self._pieces)
        except MemoriaError:
            if self._closed:  # the broken connection is our own doing
                raise StopIteration from None
            raise

    def close(self) -> None:
        """Stop: the server sees the connection end, and stops writing."""
        with self._state:
            self._closed = True
            if self._response is not None:
                _hang_up(self._response)
        with contextlib.suppress(ValueError):  # another thread is reading: it sees the end by itself
            self._pieces.close()

    def _read(self) -> Generator[Piece, None, None]:
        if self._closed:
            return
        with (
            told_plainly(self._url),
            self._client.chat.completions.create(stream=True, **self._request) as answer,
        ):
            with self._state:
                self._response = answer.response
                if self._closed:  # while the request was on its way
                    return
            for event in answer:
                for choice in event.choices:
                    piece = _piece(choice.delta.content or "", choice.finish_reason, self._url)
                    if piece.text or piece.finish:
                        yield piece
                    if piece.finish:
                        return
        raise TransientError("the text broke off", where=self._url, fix="ask for it again")


def _piece(text: str, finish: str | None, url: str) -> Piece:
    if finish not in (None, "stop", "length"):
        raise TransientError(f"the model server ended the text early ({finish})", where=url)
    return Piece(text, cast(Literal["stop", "length"] | None, finish))


def _hang_up(response: httpx2.Response) -> None:
    """End a connection that another thread may be reading from.

    Closing the file descriptor would not wake that thread, nor tell the server: the system keeps the
    connection while somebody waits on it. Shutting it down does both.
    """
    connection = response.extensions["network_stream"].get_extra_info("socket")
    with contextlib.suppress(OSError):  # it has ended by itself
        connection.shutdown(socket.SHUT_RDWR)
