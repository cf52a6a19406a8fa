"""What the road does by itself between its stages: leaks are refused, or left out and told."""

from pathlib import Path
from typing import Any

import pytest

from pipeline.errors import UserError
from pipeline.progress import Silence
from pipeline.records import Example, Message
from pipeline.road import Road, _places, _without_leaks
from pipeline.settings import Evaluation, Settings
from tests.small_reports import small_report


class Ear(Silence):
    """Hears the lines."""

    def __init__(self) -> None:
        self.heard: list[str] = []

    def say(self, line: str) -> None:
        self.heard.append(line)


def _road(tmp_path: Path, leaks: Any) -> tuple[Road, Ear]:
    ear = Ear()
    return Road(Settings(workspace=tmp_path, evaluation=Evaluation(leaks=leaks)), ear), ear


def _example(section: str, target: str) -> Example:
    messages = (Message(role="user", content="x"),)
    names: dict[str, Any] = {"report": "held", "source_sha256": "0" * 64, "window": "w", "language": "ca"}
    return Example(section=section, target=target, messages=messages, **names)


def test_what_an_adapter_has_seen_is_no_proof(tmp_path: Path) -> None:
    seen = " ".join(f"paraula{i}" for i in range(60))
    taught = [small_report("ca", 1, 3, words=seen)]
    examples = [_example("copied", seen), _example("own", seen.replace("paraula", "altra"))]
    road, _ = _road(tmp_path, "fail")
    with pytest.raises(UserError, match=f"section copied of report held .*{taught[0].id[:12]}"):
        _without_leaks(road, examples, taught, [])
    road, ear = _road(tmp_path, "leave out")
    assert _without_leaks(road, examples, taught, []) == examples[1:]
    assert ear.heard == ["Left out 1 held-out sections that stand in reports trained on."]
    assert _without_leaks(road, examples, [], []) == examples and len(ear.heard) == 1


def test_sections_stand_between_the_beginning_and_the_end() -> None:
    report, alone = small_report("ca", 1, 3), small_report("ca", 2, 1)
    places = _places([report, alone])
    assert [places[section.id] for section in report.sections] == [0, 0.5, 1]
    assert places[alone.sections[0].id] == 0
