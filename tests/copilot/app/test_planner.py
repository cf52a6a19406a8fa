"""The memory planner's page: it answers as `memoria plan` does, and tells what it cannot answer."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest
from fastapi.testclient import TestClient

from copilot.app import create_app
from copilot.app.planner import Planner
from copilot.app.planner_words import planner_words
from copilot.server.scripted import ScriptedWriter
from pipeline.planner.answer import Question, answer
from pipeline.planner.picture import fragment
from pipeline.records import WrittenLanguage
from pipeline.settings import App, Settings
from pipeline.storage import Workspace
from tests.browser.serving import ScriptedEngine, word_tokens
from tests.pipeline.planner.answers import MINE

ASKED = {
    "model": "Qwen/Qwen3-8B", "card": "16", "context": 20_000, "method": "qlora", "batch": 1, "rank": 16, "runs": 1,
    "months": 1,
}  # fmt: skip


@pytest.fixture
def planner(tmp_path: Path) -> Planner:
    return Planner(Workspace(tmp_path), Settings())


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    engine = ScriptedEngine(ScriptedWriter("x"), word_tokens(tmp_path / "tokenizer"))
    settings = Settings(training={"rank": 24, "longest_tokens": 12_345})
    with TestClient(create_app(Workspace(tmp_path / "workspace"), App(), engine, settings)) as client:
        yield client


def test_it_shows_what_the_command_answers(planner: Planner) -> None:
    asked = Question("Qwen/Qwen3-8B", "16", 20_000, rank=16)
    assert _steady(planner.show(**ASKED)) == _steady(fragment(answer(asked, Settings())))
    assert "It does not fit." in planner.show(**{**ASKED, "card": "8", "method": "lora", "batch": 4})


def test_what_is_left_empty_is_as_the_settings_have_it(planner: Planner) -> None:
    shown = planner.show(**{**ASKED, "model": " ", "context": None, "rank": None})
    assert "Qwen/Qwen3-8B with 104,064 rows of vocabulary, QLoRA of rank 16, 24,576 tokens" in shown


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"model": "<img src=x onerror=alert(1)>"}, "Neither a folder"),
        ({"card": "<script>alert(1)</script>"}, "No card is called &lt;script&gt;"),
        ({"method": "magic"}, "There is no such method. Choose one of qlora, lora, full."),
        ({"batch": None}, "Batch has to be a number above 0"),
        ({"context": 0}, "Context has to be a number above 0"),
        ({"months": -1}, "Months has to be a number above 0"),
        ({"rank": 10**30}, "Rank has to be a number above 0, and no more than 1,000,000,000."),
        ({"rank": 1_000}, "vLLM serves adapters up to rank 512, not 1000. Train with a lower rank."),
    ],
)
def test_what_cannot_be_answered_is_a_sentence_in_its_place(planner: Planner, wrong: dict, told: str) -> None:
    shown = planner.show(**{**ASKED, **wrong})
    assert shown.startswith('<p class="no-answer" role="alert">') and told in shown
    assert "<script" not in shown and "<img" not in shown


def test_the_users_examples_are_measured_once_and_again_when_there_are_new_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    measured: list[Workspace] = []
    monkeypatch.setattr("copilot.app.planner.stored_lengths", lambda place: measured.append(place) or MINE)
    workspace = Workspace(tmp_path)
    planner = Planner(workspace, Settings())
    assert "120 examples: half of them" in planner.show(**ASKED)
    planner.show(**{**ASKED, "card": "8"})
    assert measured == [workspace]
    with workspace.build("examples", "newer", {}):
        pass
    planner.show(**ASKED)
    assert len(measured) == 2


def test_it_stands_beside_the_drafting_page_and_each_has_its_own_fields(client: TestClient) -> None:
    moved = client.get("/plan", follow_redirects=False)
    assert moved.status_code == 307 and moved.headers["location"] == "plan/"
    page = client.get("/plan/")
    assert page.status_code == 200 and "default-src 'self'" in page.headers["content-security-policy"]
    assert re.findall(r"<(?:script|link|img|iframe)[^>]+(?:src|href)=[\"']?(https?:|//)", page.text) == []
    config, drafting = client.get("/plan/config").json(), client.get("/config").json()
    assert config["stylesheets"] == [] and not config["analytics_enabled"] and config["footer_links"] == []
    ids, others = ({part["props"].get("elem_id") for part in each["components"]} for each in (config, drafting))
    assert "answer" in ids - others and "editor" in others - ids and "planner" in others
    assert client.get("/page/planner.css").status_code == 200
    assert set(config["i18n_translations"]) == {"ca", "es", "en"}


def test_its_fields_begin_with_the_settings_in_force_and_ask_the_planner(client: TestClient) -> None:
    config = client.get("/plan/config").json()
    (asking,) = (each for each in config["dependencies"] if len(each["inputs"]) == len(ASKED))
    parts = {part["id"]: part["props"] for part in config["components"]}
    begins = [parts[place]["value"] for place in asking["inputs"]]
    assert begins[2] == 12_345 and begins[5] == 24 and all(parts[place]["interactive"] for place in asking["inputs"])
    changed = {place for place, event in asking["targets"] if event == "change"}
    assert changed == set(asking["inputs"]), "every field"
    asked = {"fn_index": asking["id"], "data": list(ASKED.values()), "session_hash": "s"}
    (shown,) = client.post("/plan/gradio_api/run/predict", json=asked).json()["data"]
    assert "It fits." in shown


def test_its_words_are_there_in_each_language() -> None:
    english, *others = (planner_words(language) for language in get_args(WrittenLanguage))
    for words in others:
        assert set(words) == set(english)
    assert all(planner_words(language)["plan_title"] for language in get_args(WrittenLanguage))


def _steady(shown: str) -> str:
    """Without what depends on how much of the machine's memory is free at that moment."""
    return re.sub(r"<li>The longest example.*?</li>|points=\".*?\"", "", shown)
