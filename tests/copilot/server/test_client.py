"""The client against a server of a few lines, in this process: what is sent, understood and stopped."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from copilot.server.client import PromptSize, ServerClient, require_fit
from copilot.server.process import free_port
from copilot.server.refusals import UnknownName, status_error
from copilot.server.writer import Piece
from pipeline.errors import TransientError, UserError
from pipeline.records import Message

MESSAGES = (Message(role="user", content="Write."),)


class Plan:
    """What the server shall answer, and what it saw."""

    def __init__(self) -> None:
        self.events: list[dict | str] = []
        self.hold_after: int | None = None
        self.prompt_tokens: int | None = 10
        self.refusal: tuple[int, str] | None = None
        self.seen: list[tuple[str, dict, dict]] = []
        self.hung_up = threading.Event()

    def bodies(self, path: str) -> list[dict]:
        return [body for seen, _, body in self.seen if seen == path]


def handler(plan: Plan) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_: object) -> None: ...

        def answer(self, status: int, payload: object) -> None:
            body = json.dumps(payload).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def do_GET(self) -> None:
            plan.seen.append((self.path, {k.lower(): v for k, v in self.headers.items()}, {}))
            cards = [
                {"id": "base", "root": "/b", "max_model_len": 100},
                {"id": "one", "root": "/a/one", "parent": "base"},
            ]
            self.answer(200, {"object": "list", "data": [{"object": "model", **card} for card in cards]})

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            plan.seen.append((self.path, {k.lower(): v for k, v in self.headers.items()}, body))
            if self.path == "/tokenize" and plan.prompt_tokens is None:
                self.answer(404, {"detail": "Not Found"})
            elif self.path == "/tokenize":
                self.answer(200, {"count": plan.prompt_tokens, "max_model_len": 100, "tokens": []})
            elif plan.refusal:
                self.answer(plan.refusal[0], {"error": {"message": plan.refusal[1]}})
            elif self.path == "/v1/chat/completions":
                self.stream()
            else:
                self.answer(200, "done")

        def stream(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.end_headers()
            for sent, event in enumerate(plan.events):
                if sent == plan.hold_after:
                    self.connection.recv(1)  # returns when the other side hangs up
                    plan.hung_up.set()
                    return
                data = event if isinstance(event, str) else json.dumps(event)
                self.wfile.write(f"data: {data}\n\n".encode())

    return Handler


@pytest.fixture
def plan() -> Plan:
    return Plan()


@pytest.fixture
def client(plan: Plan) -> Iterator[ServerClient]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler(plan))
    server.block_on_close = False  # a test that failed may have left an answer half sent
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    with ServerClient(f"http://127.0.0.1:{server.server_port}/v1", "secret", max_retries=0) as talking:
        yield talking
    server.shutdown()
    thread.join()
    server.server_close()


def said(text: str, finish: str | None = None) -> dict:
    choice = {"index": 0, "delta": {"content": text}, "finish_reason": finish}
    return {"id": "x", "object": "chat.completion.chunk", "created": 0, "model": "m", "choices": [choice]}


def begin(client: ServerClient, **more):
    return client.stream(MESSAGES, model="base", **{"max_tokens": 20, "temperature": 0.5, **more})


@pytest.mark.parametrize("finish", ["stop", "length"])
def test_pieces_and_how_they_ended(client, plan, finish):
    plan.events = [said(""), said("Un "), said("text"), said("", finish), "[DONE]"]
    assert list(begin(client)) == [Piece("Un "), Piece("text"), Piece("", finish)]


def test_what_is_sent(client, plan):
    plan.events = [said("a", "stop"), "[DONE]"]
    list(begin(client))
    list(begin(client, seed=7, stop=("##",), repetition_penalty=1.2))
    plain, full = plan.bodies("/v1/chat/completions")
    common = {
        "model": "base",
        "messages": [{"role": "user", "content": "Write."}],
        "max_tokens": 20,
        "stream": True,
    }
    common |= {"temperature": 0.5, "chat_template_kwargs": {"enable_thinking": False}}
    assert plain == common | {"min_tokens": 8}
    assert full == common | {"seed": 7, "stop": ["##"], "repetition_penalty": 1.2}
    assert {headers["authorization"] for _, headers, _ in plan.seen} == {"Bearer secret"}
    assert plan.bodies("/tokenize")[0]["chat_template_kwargs"] == {"enable_thinking": False}


def test_a_text_to_go_on_with_is_left_open(client, plan):
    plan.events = [said("a", "stop"), "[DONE]"]
    messages = [*MESSAGES, Message(role="assistant", content="Begun")]
    list(client.stream(messages, model="base", max_tokens=20, temperature=0.5))
    for address in ("/tokenize", "/v1/chat/completions"):
        (sent,) = plan.bodies(address)
        assert sent["continue_final_message"] and sent["add_generation_prompt"] is False and "min_tokens" not in sent


def test_too_long_is_refused_before_it_is_sent(client, plan):
    plan.events = [said("a", "stop"), "[DONE]"]
    plan.prompt_tokens = 81
    with pytest.raises(UserError, match="81 tokens of prompt and 20 to write, where 100 fit"):
        begin(client)
    assert plan.bodies("/v1/chat/completions") == []
    plan.prompt_tokens = 80
    assert list(begin(client)) == [Piece("a", "stop")]


def test_advice_when_there_is_room_and_when_there_is_none():
    require_fit(PromptSize(60, 100), 40)
    with pytest.raises(UserError, match="Ask for at most 40 tokens"):
        require_fit(PromptSize(60, 100), 41)
    with pytest.raises(UserError, match="Shorten the window by 25 tokens"):
        require_fit(PromptSize(120, 100), 5)


def test_another_server_that_cannot_count_still_writes(client, plan):
    plan.prompt_tokens = None
    plan.events = [said("a", "stop"), "[DONE]"]
    assert list(begin(client)) == [Piece("a", "stop")]
    with pytest.raises(UserError, match="no such name"):
        client.stream(MESSAGES, model="other", max_tokens=1, temperature=0)


def test_closing_midway_hangs_up(client, plan):
    plan.events, plan.hold_after = [said("a"), said("b", "stop")], 1
    stream = begin(client)
    assert next(stream) == Piece("a")
    stream.close()
    assert plan.hung_up.wait(5)
    assert list(stream) == []
    stream.close()


def test_closing_while_another_thread_waits(client, plan):
    plan.events, plan.hold_after = [said("a"), said("b", "stop")], 1
    stream, read, first = begin(client), [], threading.Event()

    def reading() -> None:
        for piece in stream:
            read.append(piece)
            first.set()
        read.append("ended well")

    reader = threading.Thread(target=reading, daemon=True)
    reader.start()
    assert first.wait(5)
    reader.join(0.2)  # let it come to where it waits for the network
    stream.close()
    assert plan.hung_up.wait(5)
    reader.join(5)
    assert read == [Piece("a"), "ended well"]


def test_closed_before_begun_asks_nothing(client, plan):
    stream = begin(client)
    stream.close()
    assert list(stream) == []
    assert plan.bodies("/v1/chat/completions") == []


@pytest.mark.parametrize(
    "events",
    [
        [said("a")],
        [said("a"), "[DONE]"],
        [said("a"), said("", "abort"), "[DONE]"],
        [said("a"), {"error": {"message": "EngineCore died", "code": 500}}],
    ],
)
def test_a_text_that_breaks_off_is_never_taken_as_whole(client, plan, events):
    plan.events = events
    stream = begin(client)
    assert next(stream) == Piece("a")
    with pytest.raises(TransientError):
        next(stream)


def test_no_server_is_worth_a_retry():
    nobody = ServerClient(f"http://127.0.0.1:{free_port()}/v1", "k", max_retries=0)
    with nobody, pytest.raises(TransientError, match="no answer"):
        nobody.models()


def test_refusals_arrive_with_the_servers_words(client, plan):
    plan.refusal = (503, "asleep")
    with pytest.raises(TransientError, match="503: asleep"):
        list(begin(client))
    plan.refusal = (400, "no such role")
    with pytest.raises(UserError, match="no such role"):
        list(begin(client))


@pytest.mark.parametrize(
    ("status", "adapter", "kind"),
    [
        (401, None, UserError),
        (404, None, UnknownName),
        (400, None, UserError),
        (429, None, TransientError),
        (500, None, TransientError),
        (500, "a", UserError),
        (503, "a", TransientError),
        (404, "a", UnknownName),
    ],
)
def test_statuses_by_what_to_do(status, adapter, kind):
    assert type(status_error(status, "words", "url", adapter)) is kind


def test_adapters_keep_their_names(client, plan, tmp_path):
    client.load_adapter("two", tmp_path)
    assert plan.bodies("/v1/load_lora_adapter") == [{"lora_name": "two", "lora_path": str(tmp_path)}]
    client.load_adapter("one", "/a/one")
    with pytest.raises(UserError, match="name one is taken"):
        client.load_adapter("one", tmp_path)
    assert len(plan.bodies("/v1/load_lora_adapter")) == 1
    client.unload_adapter("two")
    client.unload_adapter("one")
    assert plan.bodies("/v1/unload_lora_adapter") == [{"lora_name": "one"}]
    plan.refusal = (500, "LoRA rank 128 is greater than 16")
    with pytest.raises(UserError, match="adapter three: LoRA rank 128"):
        client.load_adapter("three", tmp_path)
