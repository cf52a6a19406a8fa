"""Logits and written text of two models: what is found where they differ."""

import shutil
from pathlib import Path

import pytest

from pipeline.errors import FatalError
from pipeline.records import Base
from pipeline.vocabulary.logits import GREEDY_TOKENS, prove_model
from pipeline.vocabulary.proof import GreedyProof

KEPT = list(range(480))


def changed(base: Base, folder: Path, by: float, row: int) -> Path:
    """The base with one row of its head changed."""
    from safetensors.torch import load_file, save_file

    shutil.copytree(base.path, folder)
    tensors = load_file(folder / "model.safetensors")
    tensors["lm_head.weight"][row] += by
    (folder / "model.safetensors").unlink()
    save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})
    return folder


def test_equal_is_to_the_bit_and_a_long_way_off_is_an_error(tiny_llama: Base, tmp_path: Path) -> None:
    texts = {"ca": ["", "La memòria recull"], "en": ["The partners met in Girona"]}
    same = prove_model(Path(tiny_llama.path), Path(tiny_llama.path), KEPT, texts)
    assert same is not None
    logits, greedy = same
    assert (logits.dtype, logits.tokens, logits.equal, logits.largest_difference) == ("float32", 480, True, 0)
    assert set(greedy) == {"ca", "en"}
    assert all(g == GreedyProof(tokens=GREEDY_TOKENS, same=GREEDY_TOKENS, dropped=False) for g in greedy.values())

    near = prove_model(Path(tiny_llama.path), changed(tiny_llama, tmp_path / "near", 1e-5, 300), KEPT, texts)
    assert near is not None and not near[0].equal and 0 < near[0].largest_difference < 0.01
    far = changed(tiny_llama, tmp_path / "far", 0.1, 300)
    with pytest.raises(FatalError, match="logits differ by"):
        prove_model(Path(tiny_llama.path), far, KEPT, texts)


def test_written_text_is_compared_up_to_the_first_other(
    tiny_llama: Base, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A row of the head grows so large that its token is written at every second place or so."""
    monkeypatch.setattr("pipeline.vocabulary.logits._MOST_ROUNDING", 1e9)
    other = changed(tiny_llama, tmp_path / "other", 100.0, 300)
    found = prove_model(Path(tiny_llama.path), other, KEPT, {})
    assert found is not None and set(found[1]) == {"ca", "es", "en"}  # our own sentences
    for greedy in found[1].values():
        assert greedy.tokens == GREEDY_TOKENS > greedy.same and not greedy.dropped


def test_a_large_model_is_not_loaded(tiny_llama: Base, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pipeline.vocabulary.logits.SMALL_MODEL_BYTES", 1000)
    assert prove_model(Path(tiny_llama.path), Path(tiny_llama.path), KEPT, {}) is None
