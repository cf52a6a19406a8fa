"""`memoria slice`: the proof as a table and as JSON, on a tiny model."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from copilot.cli import app
from pipeline.vocabulary import reading
from tests.tiny_llama import write_base


@pytest.fixture
def office(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str | Path]:
    """The options for a workspace with two reports, and for a tiny base."""
    monkeypatch.setattr(reading, "RANDOM_TEXTS", 70)
    write_base(tmp_path / "tiny")
    texts = {
        "ca": "La memòria recull l'activitat del projecte i tot el que s'ha fet a les escoles durant l'any.",
        "en": "The partners met in Girona and told each other what they had done in the schools this year.",
    }
    for language, text in texts.items():
        (tmp_path / f"{language}.md").write_text(f"# 1 Part\n\n{text}\n\n# 2 Part\n\n{text}\n")
    options: list[str | Path] = ["--workspace", tmp_path / "workspace", "--model", tmp_path / "tiny"]
    assert run("ingest", *(tmp_path / f"{language}.md" for language in texts), *options[:2]).exit_code == 0
    return options


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(app, [str(word) for word in words])


def sliced(office: list[str | Path]) -> dict[str, Any]:
    done = run("slice", *office, "--json")
    assert done.exit_code == 0, done.output
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def test_json_has_the_fields_that_are_promised(office: list[str | Path]) -> None:
    told = sliced(office)
    assert told["base"] == f"tiny-{told['rows_after']}" and told["rows_before"] == 480 > told["rows_after"] - 128
    assert told["bytes_saved"] == (480 - told["rows_after"]) * 64 * 4 * 2
    assert {name: (its["pieces"], its["differing"]) for name, its in told["languages"].items()} == {
        "ca": (2, 0),
        "en": (2, 0),
    }
    assert Path(told["path"], "model.safetensors").is_file()


def test_a_person_is_shown_the_proof_and_where_it_lies(office: list[str | Path]) -> None:
    done = run("slice", *office)
    shown = " ".join(done.stderr.split())
    assert done.exit_code == 0 and done.stdout == ""
    assert "0 of 4 pieces of the reports are read differently" in shown
    assert "reports: Catalan │ 2 pieces" in shown and "equal to the bit" in shown
    assert sliced(office)["path"] in done.stderr.splitlines()


def test_the_method_is_a_setting_and_growth_is_of_whole_reports(
    office: list[str | Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    by_script = sliced(office)
    monkeypatch.setenv("MEMORIA_VOCABULARY__METHOD", "usage")
    monkeypatch.setenv("MEMORIA_VOCABULARY__PAD_ROWS_TO", "1")
    by_usage = sliced(office)
    assert (by_script["growth"], by_usage["method"]) == ({}, "usage")
    assert by_usage["path"] != by_script["path"] and by_usage["rows_after"] < by_script["rows_after"]
    # A report's second section says what its first one does: were sections dealt out, nothing would grow.
    assert min(by_usage["growth"].values()) > 0.1
    assert {its["differing"] for its in by_usage["languages"].values()} == {0}


def test_switched_off_it_says_so(office: list[str | Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMORIA_VOCABULARY__SLICE", "false")
    done = run("slice", *office)
    assert done.exit_code != 0 and "vocabulary.slice: slicing is switched off" in str(done.exception)
