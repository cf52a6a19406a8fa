"""What a model server's refusals mean, as errors of ours: by what the caller should do about them."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import openai

from pipeline.errors import MemoriaError, TransientError, UserError


class UnknownName(UserError):
    """The server has no such model, adapter or route."""


@contextmanager
def told_plainly(url: str, *, adapter: str | None = None) -> Iterator[None]:
    """Turn the openai package's errors into ours.

    Args:
        url: the server, for the text of the error.
        adapter: the adapter that the request is about, if it is about one.

    Raises:
        UserError: the key, the name or the request itself is wrong.
        TransientError: no answer, or none now.
    """
    try:
        yield
    except openai.APIConnectionError as error:
        fix = "see `memoria serve --status`"
        raise TransientError(f"no answer from the model server ({error})", where=url, fix=fix) from error
    except openai.APIStatusError as error:
        raise status_error(error.status_code, server_words(error), url, adapter) from error
    except openai.APIError as error:  # an error in the midst of a stream
        raise TransientError(f"the model server broke off ({error.message})", where=url) from error


def status_error(status: int, words: str, url: str, adapter: str | None = None) -> MemoriaError:
    """What an HTTP status means. 500 is for the user where vLLM so refuses an adapter: the server is well."""
    if status in (401, 403):
        return UserError("the model server does not accept the key", where=url, fix="set serve.api_key")
    if status == 404:
        return UnknownName(f"the model server knows no such name: {words}", where=url)
    if adapter is not None and (status == 500 or 400 <= status < 408):
        return UserError(f"the model server refused adapter {adapter}: {words}", where=url)
    if status < 500 and status not in (408, 409, 425, 429):
        return UserError(f"the model server refused the request: {words}", where=url)
    return TransientError(f"the model server cannot answer now ({status}: {words})", where=url)


def server_words(error: openai.APIStatusError) -> str:
    """The message inside an error answer, in the forms that servers send it."""
    body: Any = error.body
    if isinstance(body, dict):
        inner = body.get("error", body)
        body = inner.get("message", inner) if isinstance(inner, dict) else inner
    return str(body or error.message)[:300]
