"""Drafting with a scripted writer: how it ends, what is kept, and that the prompt is the one of training."""

import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from copilot.drafting import DraftEvent, Means, Request, Stop, draft_section, messages_of, window_of
from copilot.library import Heading, Library, Project
from copilot.server.scripted import ScriptedWriter
from copilot.server.writer import Piece
from pipeline.bases.tokens import Tokens
from pipeline.errors import TransientError
from pipeline.settings import App, Windows
from pipeline.storage import Workspace
from pipeline.windows import Brief, build_windows, plan_of, render
from tests.browser.serving import word_tokens

TEXT = "The mobile unit visited fourteen villages in the year."


@pytest.fixture(scope="module")
def tokens(tmp_path_factory: pytest.TempPathFactory) -> Tokens:
    return word_tokens(tmp_path_factory.mktemp("tokenizer"))


@pytest.fixture
def project(tmp_path: Path) -> Project:
    project = Library(Workspace(tmp_path)).create_project(
        "Final report", "en", [Heading(1, "Summary"), Heading(1, "Context", "1"), Heading(1, "Results", "2")]
    )
    for entry, text in zip(project.outline(), ("A year of visits.", "Three villages.\n\n- one\n- two"), strict=False):
        project.save_text(entry.key, text, version=0, sitting="tab")
    project.save_facts("14 villages\n184,500 EUR", base="")
    return project


def means(writer: Any, tokens: Tokens, **app: Any) -> Means:
    return Means(writer, "adapter-7", tokens, Windows(), App(**app))


def last_key(project: Project) -> str:
    return project.outline()[-1].key


def test_a_whole_draft_is_kept_with_what_it_was_written_from(project: Project, tokens: Tokens) -> None:
    writer, key = ScriptedWriter(TEXT), last_key(project)
    events = list(draft_section(project, Request(key, "be brief"), means(writer, tokens, temperature=0.3)))
    assert [e.stage for e in events][0] == "reading" and events[-1].stage == "whole"
    texts = [e.text for e in events]
    assert all(after.startswith(before) for before, after in zip(texts, texts[1:], strict=False))
    kept = project.latest(key)
    assert (kept.text, kept.finish, kept.adapter, kept.instruction) == (
        TEXT,
        "whole",
        "adapter-7",
        "be brief",
    )
    assert kept.version == events[-1].version and kept.window is not None
    assert project.window(kept.window).parts == window_of(project, key, tokens, Windows()).parts
    assert writer.calls[0]["model"] == "adapter-7" and writer.calls[0]["temperature"] == 0.3


def test_the_prompt_is_the_one_that_training_renders(project: Project, tokens: Tokens) -> None:
    key = last_key(project)
    project.save_guidance(key, "Name the villages.", base="")
    writer = ScriptedWriter(TEXT)
    list(draft_section(project, Request(key, "shorter"), means(writer, tokens)))
    sections = project.sections()
    as_in_training = list(build_windows(sections, plan_of(sections, project.title, "en"), tokens, Windows()))[-1]
    brief = Brief(
        report_title="Final report",
        section_title="2 Results",
        language="en",
        guidance="Name the villages.\nshorter",
        facts=("14 villages", "184,500 EUR"),
    )
    assert writer.calls[0]["messages"] == render(as_in_training, brief)
    assert "Three villages." in writer.calls[0]["messages"][1].content


def test_a_draft_cut_off_at_its_limit_can_be_gone_on_with(project: Project, tokens: Tokens) -> None:
    key = last_key(project)
    events = list(draft_section(project, Request(key), means(ScriptedWriter(TEXT), tokens, draft_tokens=4)))
    assert events[-1].stage == "clipped" and project.latest(key).finish == "clipped"
    assert project.latest(key).text == "The mobile unit visited"
    writer = ScriptedWriter("fourteen villages.")
    events = list(draft_section(project, Request(key, go_on=True), means(writer, tokens)))
    assert events[-1].text == "The mobile unit visited fourteen villages." == project.latest(key).text
    assert [m.role for m in writer.calls[0]["messages"]] == ["system", "user", "assistant"]
    assert writer.calls[0]["messages"][2].content == "The mobile unit visited"


def test_an_empty_answer_is_told(project: Project, tokens: Tokens) -> None:
    key = last_key(project)
    *_, last = draft_section(project, Request(key), means(ScriptedWriter(""), tokens))
    assert last.stage == "failed" and "wrote nothing" in last.note
    assert project.latest(key).version == 0


def test_stop_keeps_what_there_is(project: Project, tokens: Tokens) -> None:
    key, stop = last_key(project), Stop()
    writer = ScriptedWriter(TEXT, delay_seconds=0.005)
    for event in draft_section(project, Request(key), means(writer, tokens), stop):
        if event.text.count(" ") == 3:
            threading.Thread(target=stop.ask).start()
    assert event.stage == "stopped" and writer.streams[0].closed.is_set()
    assert 0 < len(event.text) < len(TEXT) and TEXT.startswith(event.text)
    assert (project.latest(key).text, project.latest(key).finish) == (event.text, "stopped")


def test_stop_before_the_first_word_leaves_the_section_alone(project: Project, tokens: Tokens) -> None:
    key, stop = last_key(project), Stop()
    stop.ask()
    events = list(draft_section(project, Request(key), means(ScriptedWriter(TEXT), tokens), stop))
    assert events[-1].stage == "stopped" and project.history(key) == []


def test_a_reader_who_leaves_stops_the_writer_and_keeps_the_text(project: Project, tokens: Tokens) -> None:
    key, writer = last_key(project), ScriptedWriter(TEXT)
    events = draft_section(project, Request(key), means(writer, tokens))
    for _ in range(4):
        event = next(events)
    events.close()
    assert writer.streams[0].closed.is_set()
    assert (project.latest(key).text, project.latest(key).finish) == (event.text.rstrip(), "stopped")


class Breaking:
    """A writer whose server goes away after a few words, or before them."""

    def __init__(self, words: Sequence[str], before: bool = False) -> None:
        self.words, self.before = words, before

    def stream(self, messages: Any, **settings: Any) -> Any:
        if self.before:
            raise TransientError("the model server cannot be reached", fix="try again")
        return BreakingStream(iter(self.words))


class BreakingStream:
    def __init__(self, words: Iterator[str]) -> None:
        self.words = words

    def __iter__(self) -> "BreakingStream":
        return self

    def __next__(self) -> Piece:
        for word in self.words:
            return Piece(word)
        raise TransientError("the text broke off", fix="ask for it again")

    def close(self) -> None:
        pass


def test_a_server_that_breaks_off_costs_no_word(project: Project, tokens: Tokens) -> None:
    key = last_key(project)
    events = list(draft_section(project, Request(key), means(Breaking(["The ", "mobile ", "unit"]), tokens)))
    assert events[-1] == DraftEvent(
        "failed", "The mobile unit", 1, "the text broke off. Ask for it again", events[-1].first_word_seconds
    )
    assert (project.latest(key).text, project.latest(key).finish) == ("The mobile unit", "stopped")


def test_a_server_that_is_away_leaves_the_text_alone(project: Project, tokens: Tokens) -> None:
    key = last_key(project)
    project.save_text(key, "By hand", version=0, sitting="tab")
    events = list(draft_section(project, Request(key), means(Breaking([], before=True), tokens)))
    assert events[-1].stage == "failed" and "cannot be reached" in events[-1].note
    assert [v.text for v in project.history(key)] == ["By hand"]


def test_the_text_before_stays_in_the_history(project: Project, tokens: Tokens) -> None:
    key = last_key(project)
    project.save_text(key, "By hand", version=0, sitting="tab")
    list(draft_section(project, Request(key), means(ScriptedWriter(TEXT), tokens)))
    assert [v.text for v in project.history(key)] == [TEXT, "By hand"]


def test_text_is_saved_while_it_is_written(project: Project, tokens: Tokens) -> None:
    key, ticks = last_key(project), iter(range(1000))
    by_second = Means(ScriptedWriter(TEXT), "base", tokens, Windows(), App(), clock=lambda: 0.6 * next(ticks))
    behind = []
    for event in draft_section(project, Request(key), by_second):
        if event.stage == "writing":
            behind.append(len(event.text.rstrip()) - len(project.latest(key).text))
    assert 0 in behind[1:4] and max(behind[3:]) <= len("fourteen villages")


def test_what_a_person_writes_meanwhile_wins_and_the_draft_is_kept_beside_it(project: Project, tokens: Tokens) -> None:
    key = last_key(project)
    ticks = iter(range(1000))
    slow = Means(ScriptedWriter(TEXT), "base", tokens, Windows(), App(), clock=lambda: 2.0 * next(ticks))
    for event in draft_section(project, Request(key), slow):
        if event.text == "The mobile ":
            project.save_text(key, "By hand", version=project.latest(key).version, sitting="tab")
    assert event.stage == "failed" and "changed elsewhere" in event.note
    assert project.latest(key).text == "By hand"
    assert "The mobile unit" in [v.text for v in project.history(key)]


def test_going_on_with_nothing_is_beginning(project: Project, tokens: Tokens) -> None:
    window = window_of(project, project.outline()[0].key, tokens, Windows())
    assert len(messages_of(project, Request(last_key(project), go_on=True), window)) == 2
