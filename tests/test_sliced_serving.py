"""The sliced SmolLM2 and its trained adapter, served by a real vLLM: it says what transformers and peft say."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from copilot.server.client import LEAST_TOKENS, ServerClient
from copilot.server.process import Server
from pipeline.adapters import Registry
from pipeline.records import Adapter, Message
from pipeline.storage import Workspace
from tests.road import Page, Road

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1500)]

ADAPTED = "champion-once-more"
PROMPTS = {
    "in a kept script": "Escriu una frase sobre la inundació del 12 de març de 2024.",
    "in a dropped script": "请用一句话介绍这个项目：共 24 个月，12 个工作坊。",
    "with emoji and signs": "Resume: 🌍 → 1.250 € (α = 0,05) ✅",
}


@pytest.fixture(scope="module")
def adapter(road: Road) -> Adapter:
    (champion,) = Registry(Workspace(road.workspace)).champions()
    return champion


@pytest.fixture(scope="module")
def client(road: Road, page: Page, adapter: Adapter) -> Iterator[ServerClient]:
    served = Server(Workspace(road.workspace))
    served.wait(timeout_seconds=500)
    talking = ServerClient(served.status().url, served.key)
    talking.load_adapter(ADAPTED, Path(adapter.path))
    yield talking
    talking.unload_adapter(ADAPTED)
    talking.close()


@pytest.fixture(scope="module")
def reference(adapter: Adapter) -> Any:
    """(messages, adapter on?, most tokens) -> (text, whether it ended by itself), greedily in float32."""
    import torch
    from peft import PeftModel
    from transformers import AutoModelForCausalLM, AutoTokenizer

    assert Path(adapter.base_path).name.startswith("smollm2") and "sliced" in adapter.base_path
    tokenizer = AutoTokenizer.from_pretrained(adapter.base_path)
    model = AutoModelForCausalLM.from_pretrained(adapter.base_path, dtype=torch.float32)
    tuned = PeftModel.from_pretrained(model, adapter.path).eval()

    def say(messages: tuple[Message, ...], *, with_adapter: bool, most: int) -> tuple[str, bool]:
        turns = [{"role": m.role, "content": m.content} for m in messages]
        prompt = tokenizer.apply_chat_template(turns, add_generation_prompt=True, return_tensors="pt", return_dict=True)
        if with_adapter:
            answer = tuned.generate(**prompt, max_new_tokens=most, min_new_tokens=LEAST_TOKENS, do_sample=False)
        else:
            with tuned.disable_adapter():
                answer = tuned.generate(**prompt, max_new_tokens=most, min_new_tokens=LEAST_TOKENS, do_sample=False)
        ids = answer[0, prompt["input_ids"].shape[1] :]
        # The last token may end within a character: vLLM waits for the rest of it, transformers shows a mark.
        return tokenizer.decode(ids, skip_special_tokens=True).rstrip("\ufffd"), int(ids[-1]) == tokenizer.eos_token_id

    return say


def base_name(client: ServerClient) -> str:
    """What vLLM calls the bare base."""
    return next(model.name for model in client.models() if model.parent is None)


def said(client: ServerClient, model: str, messages: tuple[Message, ...], most: int) -> tuple[str, str | None]:
    """vLLM's greedy answer, and how it ended."""
    pieces = list(client.stream(messages, model=model, max_tokens=most, temperature=0))
    return "".join(piece.text for piece in pieces), pieces[-1].finish


@pytest.mark.parametrize("prompt", PROMPTS.values(), ids=PROMPTS.keys())
@pytest.mark.parametrize("with_adapter", [False, True], ids=["bare", "adapter"])
def test_greedy_text_is_that_of_transformers(
    client: ServerClient, reference: Any, prompt: str, with_adapter: bool
) -> None:
    model = ADAPTED if with_adapter else base_name(client)
    messages = (Message(role="user", content=prompt),)
    text, _ = said(client, model, messages, 32)
    assert text and text == reference(messages, with_adapter=with_adapter, most=32)[0]


def test_the_end_of_a_turn_stops_where_it_should(client: ServerClient, reference: Any) -> None:
    messages = (Message(role="user", content="In one short sentence: what is the capital of France?"),)
    expected, ended = reference(messages, with_adapter=False, most=200)
    assert ended, "the model goes on: ask it something shorter"
    assert said(client, base_name(client), messages, 200) == (expected, "stop")
