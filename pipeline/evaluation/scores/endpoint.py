"""A model behind an OpenAI-compatible address, for the judge: asked once, the likeliest answer, in full."""

from collections.abc import Callable, Sequence

from pipeline.errors import TransientError, UserError
from pipeline.records import Message

_MOST_TOKENS = 1024  # a model that thinks aloud needs them; only its last line counts
_SECONDS = 300.0
_INSTALL = "pip install 'memoria[app]'"
_CHECK = "check the judge's address, key and model"


def asking(url: str, model: str, api_key: str | None) -> Callable[[Sequence[Message]], str]:
    """What `model` answers to some messages. May be called from several threads.

    Args:
        url: up to and with /v1, as OpenAI's clients want it.

    Raises:
        UserError: the package openai is missing.
    """
    try:
        import openai
    except ImportError as error:
        raise UserError("a judge is asked through the package openai, which is missing", fix=_INSTALL) from error

    client = openai.OpenAI(base_url=url, api_key=api_key or "none", timeout=_SECONDS, max_retries=3)

    def ask(messages: Sequence[Message]) -> str:
        """The answer.

        Raises:
            TransientError: the server cannot be reached, is busy or fails, after three more tries.
            UserError: it refuses the request.
        """
        said: list[openai.types.chat.ChatCompletionMessageParam] = [
            {"role": "system", "content": message.content}
            if message.role == "system"
            else {"role": "user", "content": message.content}
            for message in messages
        ]
        try:
            answer = client.chat.completions.create(
                messages=said, model=model, temperature=0, max_tokens=_MOST_TOKENS, seed=0
            )
        except (openai.APIConnectionError, openai.RateLimitError, openai.InternalServerError) as error:
            raise TransientError(f"the judge does not answer ({type(error).__name__})", where=url) from error
        except openai.APIStatusError as error:
            raise UserError(f"the judge refuses ({error.status_code})", where=url, fix=_CHECK) from error
        return answer.choices[0].message.content or "" if answer.choices else ""

    return ask
