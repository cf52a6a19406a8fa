"""Drafts being written now. They go on when the page that asked for them is closed; any page may look."""

import logging
import threading
from dataclasses import replace

from copilot.drafting import ENDS, DraftEvent, Means, Request, Stop, draft_section
from copilot.library import Project
from pipeline.errors import TransientError

log = logging.getLogger(__name__)


class Job:
    """One draft, written in a thread of its own."""

    def __init__(self, project: Project, request: Request, means: Means) -> None:
        self.event = DraftEvent("reading")
        self._stop = Stop()
        self._thread = threading.Thread(target=self._run, args=(project, request, means), daemon=True)
        self._thread.start()

    @property
    def running(self) -> bool:
        """Is it still being written?"""
        return self.event.stage not in ENDS

    def stop(self) -> None:
        """End it; what there is stays."""
        self._stop.ask()

    def wait(self, timeout_seconds: float | None = None) -> None:
        """Until it has ended."""
        self._thread.join(timeout_seconds)

    def _run(self, project: Project, request: Request, means: Means) -> None:
        try:
            for event in draft_section(project, request, means, self._stop):
                self.event = event
        except Exception as error:  # a bug of ours: the page must not wait for ever
            log.exception("draft of section %s in project %s", request.key, project.id)
            self.event = replace(self.event, stage="failed", note=f"{type(error).__name__}: {error}")


class Desk:
    """All drafts of this server, by project and section; the last of each section is kept for later."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._jobs: dict[tuple[str, str], Job] = {}

    def start(self, project: Project, request: Request, means: Means) -> Job:
        """Begin a draft.

        Raises:
            TransientError: this section is being written already.
        """
        place = (project.id, request.key)
        with self._lock:
            if place in self._jobs and self._jobs[place].running:
                raise TransientError("this section is being written already", fix="stop it first")
            self._jobs[place] = Job(project, request, means)
            return self._jobs[place]

    def job(self, project: str, key: str) -> Job | None:
        """The last draft of a section since the server started."""
        with self._lock:
            return self._jobs.get((project, key))

    def writing(self, project: str) -> set[str]:
        """Keys of the project's sections that are being written."""
        with self._lock:
            return {key for (owner, key), job in self._jobs.items() if owner == project and job.running}

    def stop(self) -> None:
        """End all drafts, and wait until what there is was kept."""
        with self._lock:
            jobs = list(self._jobs.values())
        for job in jobs:
            job.stop()
        for job in jobs:
            job.wait(10)
