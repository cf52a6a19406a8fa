"""`memoria plan`: told, as JSON, drawn; its exit codes; and that it answers without torch."""

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from copilot.cli import app
from pipeline.errors import UserError

FIELDS = {
    "fits", "card", "usable_bytes", "peak_bytes", "host_bytes", "components", "ladder", "longest_context_tokens",
}  # fmt: skip
TOO_LARGE = ("--card", "8", "--method", "lora", "--batch", "4")


def plan(*words: str | Path) -> Result:
    return CliRunner().invoke(app, ["plan", *map(str, words)])


def test_json_tells_what_design_promises_and_the_exit_code_whether_it_fits():
    fits, not_yet = plan("--card", "RTX 4080", "--json"), plan(*TOO_LARGE, "--json")
    assert (fits.exit_code, not_yet.exit_code) == (0, 1)
    for done, answer in ((fits, True), (not_yet, False)):
        said = json.loads(done.stdout)
        assert set(said) >= FIELDS and said["fits"] is answer
        assert sum(said["components"].values()) == said["peak_bytes"]
        assert all({"change", "peak_bytes", "fits"} <= set(rung) for rung in said["ladder"])
    assert json.loads(fits.stdout)["ladder"] == [] and json.loads(not_yet.stdout)["ladder"][-1]["fits"]


def test_options_reach_the_plan():
    asked = ("--card", "24", "--context", "9000", "--json")
    said = json.loads(plan("--model", "qwen3-4b", "--rank", "64", "--method", "lora", *asked).stdout)
    wider = json.loads(plan("--model", "Qwen/Qwen3-4B", *asked).stdout)
    assert (said["model"], said["card"]) == ("Qwen/Qwen3-4B", "a card of 24 GB")
    assert (said["method"], said["context_tokens"]) == ("lora", 9000)
    assert said["components"]["adapter"] == 4 * wider["components"]["adapter"], "rank 64 in place of 16"
    one, twelve = (
        json.loads(plan("--card", "RTX 4080", "--runs", runs, "--months", "6", "--json").stdout)["training_cards"][0]
        for runs in ("1", "12")
    )
    assert twelve["hours"] == pytest.approx(12 * one["hours"])


def test_a_person_is_told_the_verdict_the_bar_the_ladder_and_what_to_paste():
    done = plan(*TOO_LARGE)
    assert done.exit_code == 1 and done.stdout == ""
    head, bar, *lines = done.stderr.splitlines()
    assert "it does not fit" in head and set(bar) == {"█", "│"}
    told = "\n".join(lines)
    assert "not taken: there are no examples yet" in told and "kept activations" in told
    begin = lines.index("The first combination that fits, for memoria.toml:") + 1
    pasted = tomllib.loads("\n".join(lines[begin : begin + 3]))
    assert pasted == {"training": {"gradient_accumulation": 4, "in_parts": "always"}}
    fits = plan("--card", "RTX 4080").stderr
    assert "it fits" in fits and "kWh" in fits and "vllm serve BASE --max-model-len" in fits


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--card", "RTX 9999"), "no card is called"),
        (("--model", "nobody/nothing", "--card", "16"), "neither a folder"),
        (("--method", "magic", "--card", "16"), "qlora, lora, full"),
        (("--card", "16", "--picture", "plan.svg"), "a .html or a .png file"),
    ],
)
def test_what_cannot_be_answered_is_told_in_a_line(words: tuple[str, ...], told: str):
    done = plan(*words)
    assert isinstance(done.exception, UserError) and told in done.exception.line


@pytest.mark.parametrize(("name", "begins"), [("plan.html", b"<!doctype html>"), ("Plan.PNG", b"\x89PNG\r\n")])
def test_a_picture_is_drawn_beside_the_json_and_the_exit_code_stays(tmp_path: Path, name: str, begins: bytes):
    file = tmp_path / "new" / name
    done = plan(*TOO_LARGE, "--picture", file, "--json")
    assert done.exit_code == 1 and file.read_bytes().startswith(begins)
    assert json.loads(done.stdout)["fits"] is False and str(file) in done.stderr


def test_a_picture_that_cannot_be_written_is_told(tmp_path: Path):
    (tmp_path / "file").touch()
    done = plan("--card", "16", "--picture", tmp_path / "file" / "plan.html")
    assert isinstance(done.exception, UserError) and "Choose another file" in done.exception.line


def test_the_command_ends_with_2_where_the_user_must_mend_something(tmp_path: Path):
    words = [sys.executable, "-m", "copilot.cli", "plan", "--card", "RTX 9999"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 2 and done.stderr.startswith("memoria: ") and len(done.stderr.splitlines()) == 1


def test_torch_is_not_imported_to_answer(tmp_path: Path):
    probe = (
        "import sys\nfrom copilot.cli import app\n"
        "try:\n    app(['plan', '--card', 'RTX 4080', '--json', '--picture', 'plan.html'])\n"
        "except SystemExit as ended:\n    assert ended.code == 0\n"
        "print(sorted({'torch', 'transformers', 'peft', 'matplotlib'} & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", probe], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["fits"] is True and done.stderr.splitlines()[-1] == "[]"
