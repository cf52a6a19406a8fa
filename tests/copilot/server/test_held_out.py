"""Held-out sections by a model server: which model is asked, how, and what comes of the answer."""

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from copilot.server.client import ServedModel
from copilot.server.held_out import ServedSections, section_writer
from copilot.server.writer import Piece
from pipeline.errors import FatalError, UserError
from pipeline.records import Adapter, Base, Example, Message
from pipeline.settings import Evaluation, Settings
from pipeline.storage import file_sha256


class Scripted:
    """A server that says its model's name and the prompt, once so many requests wait for it."""

    def __init__(self, root: str, together: int = 1) -> None:
        self.root, self.adapters, self.asked = root, dict[str, Path](), list[dict[str, Any]]()
        self._together = threading.Barrier(together, timeout=10)

    def models(self) -> Sequence[ServedModel]:
        return [ServedModel("first", self.root)]

    def load_adapter(self, name: str, folder: Path) -> None:
        self.adapters[name] = folder

    def stream(self, messages: Sequence[Message], **how: Any) -> Any:
        self._together.wait()
        self.asked.append(how)
        told = messages[-1].content
        return iter([Piece(f" {how['model']}: "), Piece(told), Piece("", "length" if told == "long" else "stop")])


def _example(told: str) -> Example:
    return Example(
        report="r",
        source_sha256="0" * 64,
        section=told,
        window="w",
        language="ca",
        messages=(Message(role="user", content=told),),
        target="x",
    )


@pytest.fixture
def base(tmp_path: Path) -> Base:
    return Base(name="tiny", fingerprint="f", rows=9, path=str(tmp_path))


@pytest.fixture
def adapter(tmp_path: Path, base: Base) -> Adapter:
    for name in ("adapter_config.json", "adapter_model.safetensors"):
        (tmp_path / name).write_text("{}")
    return Adapter(
        base=base.id,
        base_path=base.path,
        examples="e",
        windows={},
        settings="s",
        run="r",
        weights_sha256=file_sha256(tmp_path / "adapter_model.safetensors"),
        path=str(tmp_path),
        created="2026-11-30T00:00:00+00:00",
    )


def test_each_contender_is_asked_by_its_name(tmp_path: Path, base: Base, adapter: Adapter) -> None:
    server = Scripted(str(tmp_path))
    sections = ServedSections(lambda: server, "http://here/v1")
    examples = [_example("short"), _example("long")]
    bare = {w.example: w for w in sections.write(base, None, examples, 24)}
    assert bare[examples[0].id].text == "first: short"
    assert [bare[e.id].finish for e in examples] == ["whole", "clipped"]
    assert server.adapters == {}
    (written,) = sections.write(base, adapter, examples[:1], 24)
    name = f"adapter-{adapter.id[:12]}"
    assert (written.text, server.adapters) == (f"{name}: short", {name: tmp_path})
    assert all(how["temperature"] == 0 and how["max_tokens"] == 24 for how in server.asked)


def test_sections_are_asked_for_at_the_same_time(tmp_path: Path, base: Base) -> None:
    """The server answers none before four wait."""
    server = Scripted(str(tmp_path), together=4)
    examples = [_example(str(i)) for i in range(8)]
    written = list(ServedSections(lambda: server, "http://here/v1", at_once=4).write(base, None, examples, 8))
    assert {w.example for w in written} == {example.id for example in examples}


def test_another_base_is_not_taken_for_this_one(base: Base) -> None:
    sections = ServedSections(lambda: Scripted("/another/base"), "http://here/v1")
    with pytest.raises(UserError, match="does not serve tiny from .*memoria serve"):
        list(sections.write(base, None, [_example("x")], 8))


def test_an_adapter_that_is_not_whole_is_not_loaded(tmp_path: Path, base: Base, adapter: Adapter) -> None:
    (tmp_path / "adapter_model.safetensors").write_text("something else")
    with pytest.raises(FatalError):
        list(ServedSections(lambda: Scripted(str(tmp_path)), "here").write(base, adapter, [_example("x")], 8))


def test_settings_name_the_server() -> None:
    assert section_writer(Settings()) is None
    assert section_writer(Settings(evaluation=Evaluation(url="http://127.0.0.1:9/v1"))) is not None
