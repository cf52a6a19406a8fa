"""`memoria window`: what the model sees before a section, told, drawn, and as JSON."""

import json
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from copilot.cli import app
from pipeline.errors import UserError
from tests.tiny_llama import write_tokenizer

POLICIES = ("tail", "decay", "select")
ENOUGH = 200  # tokens, for the outline and some text


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> list[str | Path]:
    """The options for a workspace that holds one report, and for a base whose tokens are counted."""
    folder = tmp_path_factory.mktemp("window")
    model, workspace, report = folder / "tiny", folder / "workspace", folder / "report.md"
    write_tokenizer(model)
    (model / "config.json").write_text('{"vocab_size": 480}')
    (model / "model.safetensors").write_bytes(b"")
    parts = (f"# {n} Part\n\nIn {2000 + n} WP{n} cost {n}50 €. " + "It went on as planned. " * 9 for n in range(1, 9))
    report.write_text("\n\n".join(parts) + "\n\n# 9 Bare\n\n# 10 Last\n\nThe end.\n")
    options: list[str | Path] = ["--workspace", workspace, "--model", model]
    assert run("ingest", report, *options).exit_code == 0
    return options


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(app, [str(word) for word in words])


def window(base: list[str | Path], *words: str | Path) -> Result:
    return run("window", "report", "10", *words, *base)


@pytest.mark.parametrize("policy", POLICIES)
def test_json_tells_what_is_kept_where_and_why(base: list[str | Path], policy: str) -> None:
    shown = json.loads(window(base, "--budget", str(ENOUGH), "--policy", policy, "--json").stdout)
    sections = {s["id"]: s for s in json.loads(run("outline", "report", "--json", *base).stdout)["sections"]}
    heads = {"report", "section", "policy", "budget_tokens", "used_tokens", "outline_tokens", "parts"}
    assert set(shown) == heads and shown["policy"] == policy and shown["budget_tokens"] == ENOUGH
    assert shown["used_tokens"] == shown["outline_tokens"] + sum(part["tokens"] for part in shown["parts"]) <= ENOUGH
    assert sections[shown["section"]]["heading"] == "Last" and any(part["spans"] for part in shown["parts"])
    for part in shown["parts"]:
        assert set(part) == {"section", "title", "tokens", "share_kept", "reason", "spans", "text"}
        assert part["title"].endswith(sections[part["section"]]["heading"])
        kept = sum(span["end"] - span["start"] for span in part["spans"])
        assert kept <= len(part["text"]) if part["share_kept"] == 1 else part["text"].count("[…]")
        assert {span["reason"] for span in part["spans"]} <= set(part["reason"].split(", "))


def test_the_terminal_is_told_of_every_earlier_section(base: list[str | Path]) -> None:
    done = window(base, "--budget", str(ENOUGH), "--policy", "tail")
    head, *lines = done.stderr.splitlines()
    assert done.exit_code == 0 and done.stdout == "" and f"of {ENOUGH} tokens (tail)" in head
    assert [line.split("  ")[-2].strip() for line in lines] == [*(f"{n} Part" for n in range(1, 9)), "9 Bare"]
    assert lines[0].startswith("░" * 30) and "█" in lines[-2] and lines[-1].endswith("  9 Bare  (heading only)")


@pytest.mark.parametrize(("name", "begins"), [("seen.html", b"<!doctype html>"), ("Seen.PNG", b"\x89PNG\r\n")])
def test_a_picture_is_drawn_into_the_file_beside_the_json(
    base: list[str | Path], tmp_path: Path, name: str, begins: bytes
) -> None:
    file = tmp_path / "new" / name
    done = window(base, "--picture", file, "--json")
    assert file.read_bytes().startswith(begins)
    assert json.loads(done.stdout)["policy"] == "select" and str(file) in done.stderr


def test_what_is_no_picture_is_told(base: list[str | Path], tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for file, told in (("seen.svg", "ending"), ("seen", "ending"), ("file/seen.html", "Choose another file")):
        done = window(base, "--picture", tmp_path / file)
        assert isinstance(done.exception, UserError) and told in done.exception.line, done
        assert str(tmp_path / file.split("/")[0]) in done.exception.line


def test_a_policy_that_there_is_not_is_told_with_those_that_there_are(base: list[str | Path]) -> None:
    done = window(base, "--policy", "nonsense")
    assert isinstance(done.exception, UserError) and all(policy in done.exception.line for policy in POLICIES)
