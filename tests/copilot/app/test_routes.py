"""The plain routes: saving, conflicts, what other sites may not do, downloads."""

import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from docx import Document
from fastapi import FastAPI
from fastapi.testclient import TestClient

from copilot.app.desk import Desk
from copilot.app.engine import Status
from copilot.app.routes import add_routes
from copilot.drafting import Means, Request
from copilot.library import Heading, Library, Project
from copilot.server.scripted import ScriptedWriter
from pipeline.settings import App
from pipeline.storage import Workspace
from tests.browser.serving import ScriptedEngine, word_tokens


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return Library(Workspace(tmp_path))


@pytest.fixture
def project(library: Library) -> Project:
    return library.create_project("Final report", "en", [Heading(1, "Summary"), Heading(1, "Budget")])


@pytest.fixture
def engine(tmp_path: Path) -> ScriptedEngine:
    return ScriptedEngine(ScriptedWriter("Some words.", delay_seconds=0.01), word_tokens(tmp_path / "t"))


@pytest.fixture
def desk() -> Desk:
    return Desk()


@pytest.fixture
def client(library: Library, desk: Desk, engine: ScriptedEngine) -> Iterator[TestClient]:
    app = FastAPI()
    add_routes(app, library, desk, engine)
    with TestClient(app) as client:
        yield client


def address(project: Project, what: str = "text") -> str:
    return f"/api/projects/{project.id}/sections/{project.outline()[0].key}/{what}"


def test_saving_and_both_ways_out_of_a_conflict(client: TestClient, project: Project) -> None:
    first = client.put(address(project), json={"text": "One", "version": 0, "sitting": "a"})
    assert first.status_code == 200
    assert first.json() == {"version": 1, "state": "draft", "words": 1}
    stale = {"text": "Two", "version": 0, "sitting": "b"}
    refused = client.put(address(project), json=stale)
    assert refused.status_code == 409 and refused.json()["version"] == 1
    key = project.outline()[0].key
    client.put(address(project), json={**stale, "keep": "theirs"})
    assert project.latest(key).text == "One" and "Two" in {v.text for v in project.history(key)}
    client.put(address(project), json={**stale, "keep": "mine"})
    assert project.latest(key).text == "Two"
    assert {v.text for v in project.history(key)} == {"One", "Two"}


def test_lines_are_merged(client: TestClient, project: Project) -> None:
    facts = f"/api/projects/{project.id}/facts"
    client.put(facts, json={"text": "a", "base": ""})
    assert client.put(facts, json={"text": "b", "base": ""}).json() == {"text": "b\na"}
    assert client.put(address(project, "guidance"), json={"text": "x", "base": ""}).json() == {"text": "x"}
    assert project.outline()[0].guidance == "x"


def test_another_site_may_not_write_and_every_answer_is_guarded(client: TestClient, project: Project) -> None:
    forged = client.put(
        address(project),
        json={"text": "x", "version": 0, "sitting": "a"},
        headers={"Origin": "http://evil.example"},
    )
    assert forged.status_code == 403 and project.history(project.outline()[0].key) == []
    own = client.put(
        address(project),
        json={"text": "x", "version": 0, "sitting": "a"},
        headers={"Origin": "http://testserver"},
    )
    assert own.status_code == 200
    for answer in (own, forged, client.get("/page/page.css"), client.get("/nowhere")):
        assert "connect-src 'self'" in answer.headers.get("content-security-policy", "") or answer is forged


def test_what_is_wrong_is_told(client: TestClient, project: Project) -> None:
    lost = client.put("/api/projects/none/facts", json={"text": "a", "base": ""})
    assert lost.status_code == 404 and "no such project" in lost.json()["detail"]
    assert client.put(address(project), json={"text": "x", "version": -1, "sitting": "a"}).status_code == 422


def test_downloads(client: TestClient, project: Project) -> None:
    key = project.outline()[0].key
    saved = project.save_text(key, "Accepted.", version=0, sitting="a")
    project.accept(key, version=saved.version, sitting="a")
    word = client.get(f"/export/{project.id}.docx")
    assert "Final%20report.docx" in word.headers["content-disposition"]
    assert "Accepted." in [p.text for p in Document(io.BytesIO(word.content)).paragraphs]
    assert "Accepted." in client.get(f"/export/{project.id}.md").text
    assert client.get(f"/export/{project.id}.exe").status_code == 404


def test_a_draft_can_be_looked_at_from_any_place_in_it(
    client: TestClient, desk: Desk, project: Project, engine: ScriptedEngine
) -> None:
    key = project.outline()[0].key
    assert client.get(address(project, "writing")).json()["stage"] == "none"
    means = Means(*engine.serving(), *engine.reading(), App())
    job = desk.start(project, Request(key), means)
    assert desk.writing(project.id) == {key}
    job.wait(10)
    said = client.get(address(project, "writing"), params={"after": 5}).json()
    assert said == {"running": False, "stage": "whole", "text": "words.", "length": 11}
    assert desk.writing(project.id) == set()


def test_the_model_is_told_as_it_is(client: TestClient, engine: ScriptedEngine) -> None:
    assert client.get("/api/model").json() == {"state": "ready", "model": "rural-health-3"}
    engine.state = Status("starting", "wait")
    assert client.get("/api/model").json() == {"state": "starting", "model": ""}


@pytest.mark.parametrize("origin", ["http://elsewhere", "null", "http://[x", "file://", "testserver"])
def test_nothing_but_the_page_itself_may_write(client: TestClient, project: Project, origin: str) -> None:
    body = {"text": "One", "version": 0, "sitting": "a"}
    assert client.put(address(project), json=body, headers={"origin": origin}).status_code == 403
    assert client.put(address(project), json=body, headers={"origin": "http://testserver"}).status_code == 200


@pytest.mark.parametrize(
    "body",
    [
        b'{"text": "a \\ud800", "version": 0, "sitting": "a"}',
        b'{"text": "a", "version": 0, "sitting": "\\ud800"}',
        b'{"text": "a", "version": %d, "sitting": "a"}' % 10**30,
        b'{"text": ["secret words"], "version": 0, "sitting": "a"}',
        b"\xff{",
    ],
)
def test_a_wrong_request_is_told_without_what_it_held(client: TestClient, project: Project, body: bytes) -> None:
    answer = client.put(address(project), content=body, headers={"content-type": "application/json"})
    assert answer.status_code in (400, 422)
    assert isinstance(answer.json()["detail"], str) and "secret words" not in answer.text
    assert client.put(address(project), content=body).status_code in (400, 422), "of no type"
