"""What the page's actions answer, without a browser."""

import re
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from copilot.app.actions import Actions, View
from copilot.app.desk import Desk
from copilot.app.engine import Reading, Status
from copilot.app.words import words_of
from copilot.library import Library
from copilot.server.scripted import ScriptedWriter
from pipeline.errors import UserError
from pipeline.records import Block, Characters, Report, Section
from pipeline.settings import App
from pipeline.storage import Workspace
from tests.browser.serving import ScriptedEngine, word_tokens

SAY = words_of("en")


def past_report() -> Report:
    block = Block(kind="paragraph", text="Old")
    sections = tuple(
        Section(document="d", position=i, level=level, heading=title, path=(title,), blocks=(block,))
        for i, (level, title) in enumerate(((1, "Context"), (2, "Partners")))
    )
    read = Characters(visible=6, read=6)
    return Report(
        file="a",
        source_sha256="0",
        reader="r",
        title="Past",
        language="en",
        sections=sections,
        characters=read,
    )


@pytest.fixture
def engine(tmp_path: Path) -> ScriptedEngine:
    return ScriptedEngine(ScriptedWriter("Some words.", delay_seconds=0.01), word_tokens(tmp_path / "t"))


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return Library(Workspace(tmp_path))


@pytest.fixture
def desk() -> Iterator[Desk]:
    desk = Desk()
    yield desk
    desk.stop()


@pytest.fixture
def actions(library: Library, desk: Desk, engine: ScriptedEngine) -> Actions:
    past = past_report()
    opened = {past.id: past}
    return Actions(library, desk, engine, lambda: [(past.title, past.id)], opened.get, App())


@pytest.fixture
def view(actions: Actions) -> View:
    place = actions.create("Report", "en", "Summary\nBudget\nEnd", "")
    return actions.show(SAY, replace(place, sitting="tab"))


def test_an_empty_shelf_asks_for_a_report(actions: Actions) -> None:
    view = actions.load(SAY, "tab", "?project=gone&section=gone")
    assert view.asking and not view.place.project and view.text == ""


def test_a_lost_address_leads_to_what_there_is(actions: Actions, view: View) -> None:
    again = actions.load(SAY, "tab", f"?project={view.place.project}&section=gone")
    assert (again.place.project, again.place.section) == (view.place.project, view.place.section)
    assert again.place.turn > view.place.turn


def test_accepting_leads_to_the_next_that_is_not_accepted(actions: Actions, library: Library, view: View) -> None:
    project = library.open(view.place.project)
    keys = [entry.key for entry in project.outline()]
    for key in keys:
        project.save_text(key, "Text", version=0, sitting="tab")
    visited = [view.place.section]
    for _ in range(3):
        view = actions.accept(SAY, actions.show(SAY, view.place).place)
        visited.append(view.place.section)
    assert visited == [*keys, keys[-1]] and view.toast == ""


def test_nothing_to_accept_is_told_and_the_place_stays(actions: Actions, view: View) -> None:
    told = actions.accept(SAY, view.place)
    assert "no text to accept" in told.toast and told.place.section == view.place.section


def test_generating_and_going_back(
    actions: Actions, library: Library, desk: Desk, engine: ScriptedEngine, view: View
) -> None:
    may_write = threading.Event()
    engine.writing.text = lambda messages: "Some words." if may_write.wait(10) else ""
    project, key = library.open(view.place.project), view.place.section
    saved = project.save_text(key, "By hand", version=0, sitting="tab")
    started = actions.generate(SAY, replace(view.place, version=saved.version), "shorter")
    assert started.place.writing and not started.can_go_back
    assert "being written already" in actions.generate(SAY, view.place, "").toast
    job = desk.job(project.id, key)
    assert job is not None
    may_write.set()
    job.wait(10)
    written = actions.show(SAY, started.place)
    assert (written.text, written.place.writing, written.can_go_back) == ("Some words.", False, True)
    assert "rural-health-3" in written.note and "shorter" in written.note
    assert actions.go_back(SAY, written.place).text == "By hand"


def test_the_open_text_is_checked_against_facts_guidance_and_other_sections(
    actions: Actions, library: Library, view: View, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = library.open(view.place.project)
    first, second, _ = (entry.key for entry in project.outline())
    assert view.check == ""
    project.save_facts("Staff: 1,200 EUR", base="")
    project.save_text(second, "340 pupils took part.", version=0, sitting="tab")
    project.save_text(first, "Staff cost €1,200 for 340 pupils and 15 teachers.", version=0, sitting="tab")
    shown = actions.show(SAY, replace(view.place, section=first)).check
    assert re.findall("<mark>(.+?)</mark>", shown) == ["15"]
    assert re.findall("<th><bdi>(.+?)</bdi></th><td>(.+?)</td>", shown) == [
        ("€1,200", "your facts"),
        ("340", "<bdi>Budget</bdi>"),
    ]

    def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("copilot.app.actions.check_section", broken)
    unchecked = actions.show(SAY, replace(view.place, section=first))
    assert SAY["check_failed"] in unchecked.check and unchecked.text.startswith("Staff cost")


def test_the_window_shows_the_sections_before_the_open_one(actions: Actions, library: Library, view: View) -> None:
    project = library.open(view.place.project)
    first, second, last = (entry.key for entry in project.outline())
    project.save_text(first, "Twelve schools took part.", version=0, sitting="tab")
    assert SAY["window_empty"] in actions.show(SAY, view.place).window
    shown = actions.show(SAY, replace(view.place, section=last)).window
    titles = re.findall(r'<li [^>]*title="([^"]+)"', shown)
    assert titles == ["Summary", "Budget"]
    assert "100%" in shown and SAY["reason_all_of_it_fits"] in shown and SAY["no_text"] in shown


def test_without_a_tokenizer_the_window_says_why(
    actions: Actions, engine: ScriptedEngine, view: View, monkeypatch: pytest.MonkeyPatch
) -> None:
    def reading() -> Reading:
        raise UserError("no base here")

    monkeypatch.setattr(engine, "reading", reading)
    assert "no base here" in actions.show(SAY, view.place).window


def test_without_a_model_the_page_says_so(actions: Actions, engine: ScriptedEngine, view: View) -> None:
    engine.state = Status("failed", "the server ended")
    told = actions.generate(SAY, view.place, "")
    assert "the server ended" in told.toast and not told.ready and not told.place.writing


def test_a_past_reports_outline_can_be_taken(actions: Actions, library: Library) -> None:
    ((title, report),) = actions.outlines()
    assert title == "Past" and actions.outline_text(report) == "Context\n  Partners"
    place = actions.create("New", "ca", actions.outline_text(report), report)
    assert library.open(place.project).source == report
    assert actions.outline_text("gone") == ""
    with pytest.raises(UserError, match="no title"):
        actions.create(" ", "ca", "A", "")
