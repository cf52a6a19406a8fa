"""The check of the card runs here as well, with a model of a few thousand parameters."""

import json
from dataclasses import asdict
from pathlib import Path

import pytest


@pytest.mark.slow
def test_the_check_of_the_card_on_a_cpu(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.gpu import check

    file = tmp_path / "result.json"
    monkeypatch.setattr("sys.argv", ["check.py", str(file), "--tiny"])
    check.main()
    result = json.loads(file.read_text("utf-8"))
    assert result["size"] == json.loads(json.dumps(asdict(check.TINY)))
    assert {"date", "card", "torch", "transformers", "peft", "bitsandbytes"} <= result["machine"].keys()
    for name in ("whole", "in_parts"):
        assert result["gradients"][name]["worst_gradient_relative"] < 1e-5
        assert result["gradients"][name]["loss_relative"] < 1e-6
    assert [found["tokens"] for found in result["long"]] == list(check.TINY.lengths)
    short, long = result["long"]
    assert short["fits"] and long["fits"]
    assert long["simulated"]["peak_bytes"] > short["simulated"]["peak_bytes"] > short["simulated"]["static_bytes"] > 0
    assert long["loss"] == pytest.approx(6.24, abs=0.1), "about ln 512: random weights know nothing"
