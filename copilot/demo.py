"""The whole road on sample reports, on a machine without a card, then the drafting page.

Its profile fits a small model and a CPU's patience: windows of a few hundred tokens in place of 20,000, short sections
only, and a run of some minutes. Flags, environment and memoria.toml still beat it.
"""

from pathlib import Path
from typing import Any

from copilot.page import serve_page
from copilot.server.environment import start_environment_in_background
from data.sample import generator_digest, write_samples
from pipeline.progress import Teller
from pipeline.records import short
from pipeline.road import Road, ingest_files, retrain
from pipeline.settings import Settings
from pipeline.storage import Workspace

PROFILE: dict[str, Any] = {
    "model": "smollm2",
    "windows": {"budget_tokens": 256},
    # Two reports of each of three languages: as many as a verdict takes.
    "corpus": {"held_out_share": 0.1, "least_held_out": 2, "longest_target_tokens": 288, "shortest_target_tokens": 32},
    "training": {
        "most_examples": 84,
        "gradient_accumulation": 2,
        "learning_rate": 1e-3,
        "longest_tokens": 1024,
        "checkpoint_every_steps": 5,
    },
    # A model this small invents, and so few written sections prove nothing of it: shown, and not guarded.
    "evaluation": {
        "most_sections": 30,
        "generated_sections": 6,
        "generated_tokens": 64,
        "margin_unsupported": 1.0,
        "margin_repetition": 1.0,
        "margin_endings": 1.0,
    },
    "serve": {"max_model_len": 2048},
    "app": {"draft_tokens": 200, "temperature": 0.3, "repetition_penalty": 1.1},
}


def run_demo(settings: Settings, teller: Teller, *, port: int | None = None, browser: bool = True) -> None:
    """All stages, each told in a line; what a run before has finished is found and not done again."""
    vllm = start_environment_in_background()  # downloads while the rest works
    road = Road(settings, teller)
    teller.say(
        f"Demo profile: windows of {settings.windows.budget_tokens} tokens (the product's own are 20,000), "
        f"so that a CPU can train in some minutes."
    )
    ingest_files(road, _samples(settings, teller))
    retrain(road)
    serve_page(settings, vllm.result, teller, port=port, browser=browser)


def _samples(settings: Settings, teller: Teller) -> list[Path]:
    """The sample reports: written once for each version of their generator."""
    workspace, key = Workspace(settings.workspace), short(generator_digest())
    if not workspace.has("samples", key):
        with teller.bar("Writing sample reports") as progress, workspace.build("samples", key, {}) as folder:
            write_samples(folder, progress)
    files = sorted(workspace.open("samples", key).glob("*.docx"))
    teller.say(f"Wrote {len(files)} sample reports to {files[0].parent}.")
    return files
