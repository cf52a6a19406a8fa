"""Writing one section: the window of what stands before it, the writer's stream, the text kept as it comes.

    project.sections() ──> window_of ──> render ──> writer.stream ──> DraftEvent, DraftEvent, ... ──> whole
                           pipeline.windows                 │                                          stopped
                           (as in training)                 └── saved every second and at the end      clipped
                                                                                                       failed

Knows nothing of pages or servers: the writer and the name of its model are given.
"""

import threading
import time
import uuid
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Literal

from copilot.library import Conflict, Origin, Project
from copilot.server.writer import TextStream, Writer
from pipeline.bases.tokens import Tokens
from pipeline.errors import MemoriaError, TransientError
from pipeline.records import Message, Section, Window
from pipeline.settings import App, Windows
from pipeline.windows import Plan, brief_of, plan_of, render
from pipeline.windows import window_of as section_window

SAVE_EVERY_SECONDS = 1.0
Stage = Literal["reading", "writing", "whole", "stopped", "clipped", "failed"]
ENDS: frozenset[Stage] = frozenset({"whole", "stopped", "clipped", "failed"})


@dataclass(frozen=True)
class DraftEvent:
    """How far a draft is.

    Attributes:
        stage: "reading" until the first word; then "writing"; at the end "whole", "stopped" (by the person),
            "clipped" (at the most tokens allowed: it may be gone on with) or "failed" (`note` says why).
        text: the whole text so far.
        version: the library's version that holds what was saved of it.
        first_word_seconds: time from the request to the first word.
    """

    stage: Stage
    text: str = ""
    version: int = 0
    note: str = ""
    first_word_seconds: float | None = None


class Stop:
    """Lets another thread end a stream, before it begins or while it waits for a word."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._stream: TextStream | None = None
        self.asked = False

    def ask(self) -> None:
        """End the stream."""
        with self._lock:
            self.asked = True
            stream = self._stream
        if stream is not None:
            stream.close()

    def attach(self, stream: TextStream) -> None:
        """Tell which stream is meant."""
        with self._lock:
            self._stream, asked = stream, self.asked
        if asked:
            stream.close()


@dataclass(frozen=True)
class Request:
    """What is asked for: a section, with a remark for this time, anew or on from where its text stops."""

    key: str
    instruction: str = ""
    go_on: bool = False


@dataclass(frozen=True)
class Means:
    """What one draft is written with, from its first word to its last."""

    writer: Writer
    model: str
    tokens: Tokens
    windows: Windows
    app: App
    clock: Callable[[], float] = field(default=time.monotonic)


def window_of(project: Project, key: str, tokens: Tokens, windows: Windows) -> Window:
    """What the model sees of the sections before `key`."""
    sections, plan, place = standing(project, key)
    return section_window(sections, plan, place, tokens, windows)


def messages_of(project: Project, request: Request, window: Window) -> tuple[Message, ...]:
    """The prompt of a draft: as in training, with what the person asks for as guidance."""
    _, plan, place = standing(project, request.key)
    written = project.entry(request.key).text if request.go_on else ""
    return render(window, brief_of(plan, place, request.instruction), written)


def standing(project: Project, key: str) -> tuple[list[Section], Plan, int]:
    """The report's sections as they stand, what is known of it besides their text, and the place of `key`."""
    entries, sections, facts = project.outline(), project.sections(), project.facts()
    place = [entry.key for entry in entries].index(project.entry(key).key)
    guidance = {i: entry.guidance for i, entry in enumerate(entries)}
    return sections, plan_of(sections, project.title, project.language, guidance=guidance, facts=facts), place


def draft_section(project: Project, request: Request, means: Means, stop: Stop | None = None) -> Generator[DraftEvent]:
    """Write a section, and keep what is written in the library as it comes.

    The text before stays in the history. Closing the iterator stops the writer, too; what there is by then is
    kept. A failure is the last event, not an exception; text written up to it is kept.
    """
    stop = stop or Stop()
    try:
        started = _Draft(project, request, means)
    except MemoriaError as error:
        yield DraftEvent("failed", note=error.line)
        return
    yield started.event("reading")
    try:
        stream = started.begin()
        stop.attach(stream)
        try:
            yield from started.follow(stream)
        finally:
            stream.close()
            started.keep()
    except MemoriaError as error:
        yield started.event("failed", error.line)


class _Draft:
    """A draft in the making: its text, and what of it is in the library."""

    def __init__(self, project: Project, request: Request, means: Means) -> None:
        self.project, self.request, self.means = project, request, means
        before = project.latest(request.key)
        self.version = before.version
        self.text = f"{before.text.rstrip()} " if request.go_on and before.text.strip() else ""
        self.sitting = f"draft-{uuid.uuid4().hex}"
        self.finish: Literal["whole", "stopped", "clipped"] = "stopped"
        self.first_word_seconds: float | None = None
        self.model = means.model
        self.window = window_of(project, request.key, means.tokens, means.windows)
        self._kept: tuple[str, str] | None = None

    def event(self, stage: Stage, note: str = "") -> DraftEvent:
        return DraftEvent(stage, self.text, self.version, note, self.first_word_seconds)

    def begin(self) -> TextStream:
        app = self.means.app
        self.began = self.means.clock()
        return self.means.writer.stream(
            messages_of(self.project, self.request, self.window),
            model=self.model,
            max_tokens=app.draft_tokens,
            temperature=app.temperature,
            repetition_penalty=app.repetition_penalty,
        )

    def follow(self, stream: TextStream) -> Iterator[DraftEvent]:
        saved = self.began
        for piece in stream:
            now = self.means.clock()
            if piece.text:
                self._add(piece.text, now)
            if now - saved >= SAVE_EVERY_SECONDS:
                self.keep()
                saved = now
            if piece.finish:
                self.finish = "whole" if piece.finish == "stop" else "clipped"
                break
            yield self.event("writing")
        self.text = self.text.rstrip()
        self.keep()
        if self.finish == "whole" and not self.text:
            raise TransientError("the model wrote nothing", fix="generate again, or tell it what to say")
        yield self.event(self.finish)

    def keep(self) -> None:
        """Save what there is.

        Raises:
            Conflict: a person has changed the section meanwhile; what there is was put beside their text.
        """
        text = self.text.rstrip()
        if self.first_word_seconds is None or (text, self.finish) == self._kept:
            return
        self._kept = text, self.finish
        origin = Origin(self.window, self.model, self.request.instruction.strip() or None)
        save = partial(self.project.save_text, version=self.version, finish=self.finish, origin=origin)
        try:
            self.version = save(self.request.key, text, sitting=self.sitting).version
        except Conflict:
            self.project.set_aside(self.request.key, text, sitting=self.sitting)
            raise

    def _add(self, text: str, now: float) -> None:
        if self.first_word_seconds is None:
            self.first_word_seconds = now - self.began
        self.text = (self.text + text).lstrip() if not self.text.strip() else self.text + text
