"""Every test in a folder of its own, away from the user's settings; and the golden files."""

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from tests.road import Page, Road, begin

GOLDEN = Path(__file__).parent / "golden"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--regenerate-golden",
        action="store_true",
        help="write the golden files anew (look at the difference before you commit it)",
    )


def pytest_configure() -> None:
    os.environ["HF_HUB_OFFLINE"] = "1"  # read when huggingface_hub is imported: a fixture would come too late
    # Where other programs work beside the tests, time says nothing of the code.
    settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings.load_profile("untimed")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """With several workers, the longest begin."""
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: not _walks(item.nodeid))


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """With several workers, tests that share what is costly to make go to one: those of a folder, those of the road."""
    from xdist.scheduler import LoadScopeScheduling

    class ByFolder(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return "road" if _walks(nodeid) else nodeid.split("::")[0].rpartition("/")[0]

    return ByFolder(config, log)


def _walks(nodeid: str) -> bool:
    return nodeid.startswith(("tests/test_road.py", "tests/browser/test_story_real.py"))


@pytest.fixture(autouse=True)
def away_from_the_user(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No MEMORIA_ variable but the cache, and an empty folder to work in: no stray memoria.toml."""
    for name in os.environ:
        if name.upper().startswith("MEMORIA_") and name != "MEMORIA_CACHE":
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Compare a text with the file of that name in tests/golden, or write it with --regenerate-golden."""

    def check(name: str, text: str) -> None:
        file = GOLDEN / name
        if request.config.getoption("--regenerate-golden"):
            file.write_text(text, "utf-8")
        assert text == file.read_text("utf-8")

    return check


@pytest.fixture(scope="session")
def road(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Road]:
    """The road walked once for all slow tests: sample reports, the flow from ingest to verdict, a champion."""
    from data.sample import write_samples

    here = begin(tmp_path_factory.mktemp("road"))
    samples = [str(path) for path in write_samples(here.folder / "archive")]
    walked = here.memoria("flows", "run", "retrain", *samples)
    assert walked.returncode == 0, walked.stderr
    (adapter,) = json.loads(here.memoria("adapters", "list", "--json").stdout)
    if adapter["state"] != "champion":  # a few steps need not be enough to win; what follows needs an adapter
        here.memoria("adapters", "promote", adapter["id"])
    yield here
    here.memoria("serve", "--stop")


@pytest.fixture(scope="session")
def page(road: Road) -> Iterator[Page]:
    """The drafting page on that workspace, with the real model behind it."""
    opened = road.page("app")
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def served_app_url(page: Page) -> str:
    """Where the page is."""
    return page.url
