"""The road walked by the command, as a user would, on fewer examples than the demo's."""

import os
import re
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from copilot.demo import PROFILE

# Enough to see every stage at work. What the demo's own numbers prove is measured by the demo, not here.
SMALLER: dict[str, dict[str, Any]] = {
    "training": {"most_examples": 24, "gradient_accumulation": 1},
    "evaluation": {
        "most_sections": 12,
        "generated_sections": 2,
        "generated_tokens": 24,
        "margin_unsupported": 1.0,  # two sections say nothing: any difference will do
        "margin_repetition": 1.0,
        "margin_endings": 1.0,
    },
    "app": {"draft_tokens": 120, "temperature": 0.0},  # the likeliest words: the same story every time
}


@dataclass(frozen=True)
class Road:
    """A folder with a memoria.toml and a workspace, and the command in it."""

    folder: Path

    @property
    def workspace(self) -> Path:
        """The workspace that the command makes here."""
        return self.folder / "workspace"

    def memoria(self, *words: str, timeout_seconds: float = 900) -> subprocess.CompletedProcess[str]:
        """Run the command to its end."""
        command = [sys.executable, "-m", "copilot.cli", *words]
        return subprocess.run(command, cwd=self.folder, capture_output=True, text=True, timeout=timeout_seconds)

    def page(self, *words: str) -> "Page":
        """Start a verb that opens the page, and wait for its address."""
        command = [sys.executable, "-m", "copilot.cli", *words, "--no-browser", "--port", "0"]
        process = subprocess.Popen(command, cwd=self.folder, stderr=subprocess.PIPE, text=True, start_new_session=True)
        told: list[str] = []
        assert process.stderr
        for line in process.stderr:
            told.append(line.rstrip("\n"))
            if address := re.search(r"http://127\.0\.0\.1:\d+/", line):
                return Page(process, address[0], told)
        raise AssertionError("\n".join(told))


@dataclass(frozen=True)
class Page:
    """A running page: its process, its address, and what was told before it opened."""

    process: subprocess.Popen[str]
    url: str
    told: list[str]

    def close(self) -> None:
        """Stop it as Ctrl-C would; what does not stop is killed."""
        os.killpg(self.process.pid, signal.SIGINT)
        try:
            self.process.wait(timeout=40)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            raise


def begin(folder: Path) -> Road:
    """A folder whose settings are the demo's, on fewer examples."""
    groups = {**PROFILE}
    for name, values in SMALLER.items():
        groups[name] = {**groups.get(name, {}), **values}
    lines = [f'{name} = "{value}"' for name, value in groups.items() if not isinstance(value, dict)]
    for name, values in groups.items():
        if isinstance(values, dict):
            lines += [f"[{name}]", *(f"{key} = {value}" for key, value in values.items())]
    (folder / "memoria.toml").write_text("\n".join(lines) + "\n", "utf-8")
    return Road(folder)
