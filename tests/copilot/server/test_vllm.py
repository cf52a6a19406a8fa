"""The real vLLM on a tiny random base: it says what transformers says, and comes and goes as it should.

The tests stand in the order in which they may share one server; the last one kills it.
"""

import os
import signal
import stat
import time
import urllib.request
from pathlib import Path

import pytest

from copilot.server import group
from copilot.server.client import ServerClient
from copilot.server.process import Server
from copilot.server.spec import ServerSpec
from pipeline.errors import TransientError, UserError
from pipeline.records import Message
from pipeline.storage import Workspace

pytestmark = pytest.mark.slow

MESSAGES = (
    Message(role="system", content="You write reports."),
    Message(role="user", content="The second year."),
)
OTHERS = (Message(role="user", content="Objectius del projecte"),)


def said_by_transformers(base: Path, adapter: Path | None, messages: tuple[Message, ...], tokens: int) -> str:
    """Greedy decoding in float32, thinking off."""
    import torch
    from peft import PeftModel
    from transformers import AutoModelForCausalLM, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(base)
    model = AutoModelForCausalLM.from_pretrained(base, dtype=torch.float32)
    if adapter is not None:
        model = PeftModel.from_pretrained(model, adapter)
    turns = [{"role": m.role, "content": m.content} for m in messages]
    prompt = tokenizer.apply_chat_template(
        turns, add_generation_prompt=True, enable_thinking=False, return_tensors="pt", return_dict=True
    )
    answer = model.generate(**prompt, max_new_tokens=tokens, do_sample=False)
    return tokenizer.decode(answer[0, prompt["input_ids"].shape[1] :], skip_special_tokens=True)


def say(client: ServerClient, model: str, messages: tuple[Message, ...] = MESSAGES, tokens: int = 24, **more):
    """All of a greedy answer, and how it ended."""
    pieces = list(client.stream(messages, model=model, max_tokens=tokens, temperature=0, **more))
    return "".join(p.text for p in pieces), pieces[-1].finish


def metric(server: Server, name: str) -> float:
    """The sum of one of vLLM's counters or gauges over its labels."""
    address = server.status().url.removesuffix("/v1") + "/metrics"
    lines = urllib.request.urlopen(address).read().decode().splitlines()
    return sum(float(line.split()[-1]) for line in lines if line.startswith(f"vllm:{name}{{"))


def test_base_says_what_transformers_says(client, base):
    text, finish = say(client, "tiny")
    assert text == said_by_transformers(base, None, MESSAGES, 24)
    assert finish == "length"


def test_hot_adapter_says_what_peft_says(client, base, adapter):
    before, _ = say(client, "tiny")
    client.load_adapter("tuned-1", adapter)
    client.load_adapter("tuned-1", adapter)
    for messages in (MESSAGES, OTHERS):
        text, _ = say(client, "tuned-1", messages)
        assert text == said_by_transformers(base, adapter, messages, 24)
    assert say(client, "tuned-1")[0] != before
    assert say(client, "tiny")[0] == before
    assert {m.name: m.parent for m in client.models()} == {"tiny": None, "tuned-1": "tiny"}


def test_adapter_that_cannot_be_served_is_refused_and_harms_nothing(client, base, adapter, wide_adapter):
    with pytest.raises(UserError, match="refused adapter too-wide.*rank"):
        client.load_adapter("too-wide", wide_adapter)
    with pytest.raises(UserError, match="taken by another"):
        client.load_adapter("tuned-1", wide_adapter)
    assert say(client, "tuned-1")[0] == said_by_transformers(base, adapter, MESSAGES, 24)


def test_stop_text_ends_a_whole_answer(client):
    full, _ = say(client, "tiny")
    text, finish = say(client, "tiny", stop=[full[10:14]])
    assert (text, finish) == (full[: full.index(full[10:14])], "stop")


def test_closing_midway_stops_the_server(client, server):
    before = metric(server, "generation_tokens_total")
    stream = client.stream(OTHERS, model="tiny", max_tokens=400, temperature=0)
    assert next(stream).text
    assert metric(server, "num_requests_running") == 1
    stream.close()
    with pytest.raises(StopIteration):
        next(stream)
    deadline = time.monotonic() + 30
    while metric(server, "num_requests_running") > 0:
        assert time.monotonic() < deadline, "the server goes on writing for nobody"
    assert metric(server, "generation_tokens_total") - before < 400


def test_prompt_that_does_not_fit_is_refused(client):
    size = client.prompt_size(MESSAGES, "tiny")
    assert size.max_model_len == 512  # the base's own limit, though more was asked for
    room = size.max_model_len - size.tokens
    with pytest.raises(UserError, match=f"Ask for at most {room} tokens"):
        client.stream(MESSAGES, model="tiny", max_tokens=room + 1, temperature=0)
    with pytest.raises(UserError, match="Shorten the window"):
        client.stream((Message(role="user", content="any " * 600),), model="tiny", max_tokens=1, temperature=0)
    assert say(client, "tiny", tokens=room)[1] == "length"


def test_unloaded_adapter_is_unknown(client, adapter):
    client.load_adapter("tuned-2", adapter)
    client.unload_adapter("tuned-2")
    client.unload_adapter("tuned-2")
    with pytest.raises(UserError, match="tuned-2"):
        client.stream(MESSAGES, model="tuned-2", max_tokens=4, temperature=0)


def test_key_is_private_and_asked_for(server):
    assert stat.S_IMODE((server.folder / "key").stat().st_mode) == 0o600
    stranger = ServerClient(server.status().url, "guessed")
    with pytest.raises(UserError, match="key"):
        stranger.models()
    assert server.key not in " ".join(Path(f"/proc/{server.status().pid}/cmdline").read_text().split("\0"))


def test_same_spec_is_adopted_and_a_killed_server_comes_back(server, spec: ServerSpec, python):
    first = server.status()
    again = Server(Workspace(server.folder.parent)).start(spec, python)
    assert (again.pid, again.state) == (first.pid, "ready")

    gone = ServerClient(first.url, server.key, max_retries=0)
    stream = gone.stream(MESSAGES, model="tiny", max_tokens=400, temperature=0)
    assert next(stream).text
    os.kill(first.pid, signal.SIGKILL)
    with pytest.raises(TransientError):
        list(stream)
    assert server.status().state == "failed"

    old = server._running().leader
    server.start(spec, python)
    assert group.members(old) == []
    assert server.wait(timeout_seconds=500).pid != first.pid
    with ServerClient(server.status().url, server.key) as back:
        assert say(back, "tiny")[1] == "length"

    new = server._running().leader
    server.stop()
    assert group.members(new) == []
    assert server.status().state == "stopped"
