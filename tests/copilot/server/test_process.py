"""Starting, adopting, failing and stopping, with a stand-in for vLLM that starts in a tenth of a second."""

import json
import os
import signal
import stat
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from copilot.server import group
from copilot.server.process import Server, clean_environment, last_words
from copilot.server.spec import ServerSpec
from pipeline.errors import FatalError, TransientError
from pipeline.storage import Workspace

SHAPE = {"max_position_embeddings": 64, "num_attention_heads": 2, "num_hidden_layers": 1, "hidden_size": 64}


@pytest.fixture
def spec(tmp_path) -> ServerSpec:
    (tmp_path / "base").mkdir()
    (tmp_path / "base" / "config.json").write_text(json.dumps(SHAPE))
    return ServerSpec(base=tmp_path / "base", name="b", max_model_len=64, card=False)


def behave(spec: ServerSpec, behaviour: str) -> None:
    (spec.base / "config.json").write_text(json.dumps({**SHAPE, "behaviour": behaviour}))


@pytest.fixture
def python(tmp_path) -> Path:
    stand_in = tmp_path / "bin" / "python"
    stand_in.parent.mkdir()
    stand_in.write_text(f'#!/bin/sh\nexec {sys.executable} {Path(__file__).with_name("stand_in.py")} "$@"\n')
    stand_in.chmod(0o755)
    return stand_in


@pytest.fixture
def server(tmp_path):
    served = Server(Workspace(tmp_path / "workspace"))
    yield served
    served.stop()


def test_from_stopped_to_ready_and_back(server, spec, python):
    assert server.status().state == "stopped"
    assert server.start(spec, python).state in ("starting", "ready")
    status = server.wait(20)
    assert (status.state, status.name) == ("ready", "b")
    leader = server._running().leader
    Server(Workspace(server.folder.parent)).stop()
    assert server.status().state == "stopped"
    assert group.members(leader) == []
    server.stop()


def test_the_key_is_no_argument_and_no_ones_else(server, spec, python):
    server.start(spec, python)
    server.wait(20)
    seen = json.loads((spec.base / "seen.json").read_text())
    assert seen["environment"]["VLLM_API_KEY"] == server.key
    assert server.key not in " ".join(seen["words"])
    assert stat.S_IMODE((server.folder / "key").stat().st_mode) == 0o600
    assert stat.S_IMODE(server.log.stat().st_mode) == 0o600


def test_the_same_spec_is_adopted_and_another_replaces_it(server, spec, python):
    first = server.start(spec, python)
    server.wait(20)
    twin = Server(Workspace(server.folder.parent))
    assert twin.start(spec, python).pid == first.pid
    old = server._running().leader
    other = twin.start(replace(spec, max_loras=3), python)
    assert other.pid != first.pid
    assert group.members(old) == []


def test_a_start_that_fails_is_told_by_its_cause(server, spec, python):
    behave(spec, "die")
    server.start(spec, python)
    with pytest.raises(FatalError, match="ValueError: no room for the cache") as caught:
        server.wait(20)
    assert str(server.log) in str(caught.value)
    assert server.status().state == "failed"
    behave(spec, "well")
    server.start(spec, python)
    assert server.wait(20).state == "ready"
    assert "no room" in server.log.with_suffix(".log.1").read_text()


def test_killed_then_started_again(server, spec, python):
    pid = server.start(spec, python).pid
    server.wait(20)
    os.kill(pid, signal.SIGKILL)
    while group.leads(server._running().leader):
        pass
    assert server.status().state == "failed"
    assert server.start(spec, python).pid != pid
    assert server.wait(20).state == "ready"


def test_a_dead_engine_is_a_failure_though_the_process_lives(server, spec, python):
    pid = server.start(spec, python).pid
    server.wait(20)
    (spec.base / "ill").touch()
    assert server.status().state == "failed"
    (spec.base / "ill").unlink()
    (spec.base / "ill").touch()
    assert server.start(spec, python).pid != pid


def test_waiting_has_an_end(server, spec, python):
    behave(spec, "slow")
    server.start(spec, python)
    heard: list[tuple[int, int]] = []
    with pytest.raises(TransientError, match="not ready"):
        server.wait(0, lambda done, total, note="": heard.append((done, total)))
    assert server.status().state == "starting"


OUT_OF_MEMORY = "torch.OutOfMemoryError: b: c"
NO_SUCH_FLAG = "vllm serve: error: unrecognized arguments: --x"


@pytest.mark.parametrize(
    ("log", "words"),
    [
        ("ValueError: a\nmore\n", "ValueError: a"),
        (f"(E pid=1) ERROR 11-30 10:00:00 [core.py:7] {OUT_OF_MEMORY}\nfoo\n", OUT_OF_MEMORY),
        ("ValueError: a\nRuntimeError: Engine core failed. See root cause above. \n", "ValueError: a"),
        (f"usage: vllm\n{NO_SUCH_FLAG}\n", NO_SUCH_FLAG),
        ("INFO: only\n\nlast line\n", "last line"),
        ("\n", "it said nothing"),
    ],
)
def test_last_words(tmp_path, log, words):
    (tmp_path / "log").write_text(log)
    assert last_words(tmp_path / "log") == words


def test_what_leads_another_python_astray_stays_here(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", "/x")
    monkeypatch.setenv("VLLM_PLUGINS", "y")
    monkeypatch.setenv("PATH", "/usr/bin")
    environment = clean_environment(Path("/venv/bin/python"))
    assert environment["PATH"] == "/venv/bin:/usr/bin"
    assert not {"PYTHONPATH", "VLLM_PLUGINS"} & environment.keys()
