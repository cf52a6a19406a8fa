"""The whole app without a browser: what it hands out, and that every field of the page can be typed into."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from copilot.app import create_app
from copilot.server.scripted import ScriptedWriter
from pipeline.settings import App
from pipeline.storage import Workspace
from tests.browser.serving import ScriptedEngine, word_tokens


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    engine = ScriptedEngine(ScriptedWriter("x"), word_tokens(tmp_path / "tokenizer"))
    with TestClient(create_app(Workspace(tmp_path / "workspace"), App(), engine)) as client:
        yield client


def test_the_page_loads_nothing_from_elsewhere(client: TestClient) -> None:
    page = client.get("/")
    assert page.status_code == 200 and "img-src 'self' data: blob:" in page.headers["content-security-policy"]
    loaded = re.findall(r"<(?:script|link|img|iframe)[^>]+(?:src|href)=[\"']?(https?:|//)", page.text)
    assert loaded == []
    assert client.get("/config").json()["stylesheets"] == []


def test_nothing_is_told_to_anybody(client: TestClient) -> None:
    config = client.get("/config").json()
    assert not config["analytics_enabled"] and not config["run_history"] and config["footer_links"] == []


def test_every_field_can_be_typed_into_and_speaks_three_languages(client: TestClient) -> None:
    config = client.get("/config").json()
    fields = {part["props"].get("elem_id"): part["props"] for part in config["components"]}
    assert all(fields[name]["interactive"] for name in ("editor", "guidance", "facts", "instruction"))
    assert set(config["i18n_translations"]) == {"ca", "es", "en"}


def test_fonts_style_and_script_come_from_this_host_and_their_licences_with_them(client: TestClient) -> None:
    style = client.get("/page/page.css").text
    fonts = set(re.findall(r"url\((fonts/[^)]+)\)", style))
    assert len(fonts) == 5 and all(client.get(f"/page/{font}").status_code == 200 for font in fonts)
    assert "SIL Open Font License" in client.get("/page/fonts/LICENSE-Inter.txt").text
    assert "SIL Open Font License" in client.get("/page/fonts/LICENSE-SourceSerif4.txt").text
    assert "https:" not in style.replace("http://www.w3.org", "")
    assert client.get("/page/page.js").status_code == 200
