"""The whole road with the embedded model, by the command: as a flow first, then every verb on what it made."""

import json
import time
from pathlib import Path

import pytest

from tests.road import Road

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1500)]


def _artifacts(workspace: Path) -> dict[str, int]:
    return {str(m.relative_to(workspace)): m.stat().st_mtime_ns for m in workspace.glob("*/*/manifest.json")}


def _json(road: Road, *words: str, code: int = 0) -> object:
    done = road.memoria(*words, "--json")
    assert done.returncode == code, done.stderr
    return json.loads(done.stdout)


def test_the_flow_made_every_artifact(road: Road):
    kinds = {path.split("/")[0] for path in _artifacts(road.workspace)}
    assert kinds >= {"reports", "bases", "examples", "adapters", "evaluations"}


def test_an_adapter_serves_and_knows_its_lineage(road: Road):
    entry, *others = _json(road, "adapters", "list")
    assert entry["state"] == "champion" and not others
    shown = json.loads(road.memoria("adapters", "show", entry["id"][:12]).stdout)
    assert len(shown["lineage"]["reports"]) == 6  # of 12, two in each language examine
    assert {score["name"] for score in entry["scores"]} >= {"bits_per_byte"}


def test_verbs_find_what_is_made_and_make_nothing_twice(road: Road):
    before = _artifacts(road.workspace)
    sliced = _json(road, "slice")
    assert sliced["rows_after"] < sliced["rows_before"]
    assert {language["differing"] for language in sliced["languages"].values()} == {0}
    trained = _json(road, "train")
    assert trained["steps"] == 24 and trained["loss"]["held_out"] > 0
    done = road.memoria("evaluate", "--json")
    assert done.returncode == (0 if json.loads(done.stdout)["verdict"] == "better" else 1)
    assert _artifacts(road.workspace) == before


def test_a_report_is_shown_by_outline_and_window(road: Road):
    outline = _json(road, "outline", "en-river-restoration-2024.docx")
    assert len(outline["sections"]) >= 120
    target = outline["sections"][90]
    window = _json(road, "window", "en-river-restoration-2024.docx", target["id"][:12], "--budget", "4000")
    assert window["section"] == target["id"] and 2000 < window["used_tokens"] <= 4000
    earlier = [section["id"] for section in outline["sections"][:90]]
    places = [earlier.index(part["section"]) for part in window["parts"]]
    assert places == sorted(places) and places[0] < 80 and places[-1] == 89


def test_a_second_demo_opens_the_page_within_a_minute(road: Road, page):
    begun = time.monotonic()
    again = road.page("demo")
    seconds = time.monotonic() - begun
    again.close()
    assert any("champion already" in line for line in again.told), again.told
    assert seconds < 60
