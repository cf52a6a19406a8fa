"""Weights: the right rows to the bit in every number type, and the rest untouched."""

import json
import os
from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from safetensors.torch import load_file, save_file

from pipeline.errors import FatalError, UserError
from pipeline.vocabulary import checkpoint
from pipeline.vocabulary.checkpoint import runs, shards_of, slice_weights
from pipeline.vocabulary.weights import prove_weights

ROWS = 11


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """Three files: embedding beside another weight, other weights only, head with a bias."""
    torch.manual_seed(0)
    folder = tmp_path / "source"
    folder.mkdir()
    other = torch.randn(3, 7).to(torch.bfloat16)
    embedding = torch.randn(ROWS, 5).to(torch.bfloat16)
    save_file({"model.embed_tokens.weight": embedding, "model.a": other}, folder / "model-1.safetensors")
    save_file({"model.b": torch.randn(4, 4)}, folder / "model-2.safetensors", metadata={"format": "pt"})
    head = {
        "lm_head.weight": torch.randn(ROWS, 5).half(),
        "lm_head.bias": torch.randn(ROWS),
        "z": torch.tensor(3),
    }
    save_file(head, folder / "model-3.safetensors", metadata={"format": "pt"})
    weights = {f"model-{i}.safetensors": list(load_file(folder / f"model-{i}.safetensors")) for i in (1, 2, 3)}
    total = sum(t.nbytes for file in weights for t in load_file(folder / file).values())
    numbers = sum(t.numel() for file in weights for t in load_file(folder / file).values())
    index = {
        "metadata": {"total_size": total, "total_parameters": numbers},
        "weight_map": {name: file for file, names in weights.items() for name in names},
    }
    (folder / checkpoint.INDEX).write_text(json.dumps(index))
    return folder


@pytest.fixture
def target(tmp_path: Path) -> Path:
    (tmp_path / "target").mkdir()
    return tmp_path / "target"


def everything(folder: Path) -> dict[str, torch.Tensor]:
    return {name: tensor for file in sorted(folder.glob("*.safetensors")) for name, tensor in load_file(file).items()}


def test_rows_are_cut_and_the_rest_is_the_same(source: Path, target: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoint, "_BLOCK_BYTES", 7)  # a border within every row
    kept = [0, 1, 2, 5, 4, 10]
    sizes = slice_weights(source, target, kept, ROWS, tied=False)
    before, after = everything(source), everything(target)
    assert before.keys() == after.keys()
    for name, tensor in before.items():
        wanted = tensor[kept] if name.startswith(("model.embed_tokens", "lm_head")) else tensor
        assert after[name].dtype == tensor.dtype and torch.equal(after[name], wanted)
    assert sizes.before == sum(t.nbytes for t in before.values())
    assert sizes.after == sum(t.nbytes for t in after.values())
    index = json.loads((target / checkpoint.INDEX).read_text())
    assert index["weight_map"] == json.loads((source / checkpoint.INDEX).read_text())["weight_map"]
    assert index["metadata"]["total_size"] == sizes.after
    assert index["metadata"]["total_parameters"] == sum(t.numel() for t in after.values())


def test_rows_without_a_source_are_zeros(source: Path, target: Path) -> None:
    slice_weights(source, target, [3, None, None, 4], ROWS, tied=False)
    head = everything(target)["lm_head.weight"]
    assert torch.equal(head[[0, 3]], everything(source)["lm_head.weight"][[3, 4]]) and not head[1:3].any()


def test_other_files_are_linked_or_copied(source: Path, target: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slice_weights(source, target, [1], ROWS, tied=False)
    assert (target / "model-2.safetensors").samefile(source / "model-2.safetensors")
    assert not (target / "model-1.safetensors").samefile(source / "model-1.safetensors")

    def refuse(*_: object) -> None:
        raise OSError(checkpoint.errno.EXDEV, "another disk")

    monkeypatch.setattr(os, "link", refuse)
    (target / "copied").mkdir()
    slice_weights(source, target / "copied", [1], ROWS, tied=False)
    assert (target / "copied/model-2.safetensors").read_bytes() == (source / "model-2.safetensors").read_bytes()


def test_a_hub_cache_of_links_is_read_through(source: Path, target: Path, tmp_path: Path) -> None:
    snapshot = tmp_path / "snapshot"
    snapshot.mkdir()
    for file in source.iterdir():
        (snapshot / file.name).symlink_to(file)
    slice_weights(snapshot, target, [1], ROWS, tied=False)
    assert not any(file.is_symlink() for file in target.iterdir())


@pytest.mark.parametrize(
    ("tensors", "said"),
    [
        ({"model.strange": torch.zeros(ROWS, 2)}, "model.strange"),
        ({"model.strange": torch.zeros(2, ROWS)}, "model.strange"),
        ({"visual.embed_tokens.weight": torch.zeros(4, 2)}, "visual.embed_tokens.weight"),
    ],
)
def test_unknown_weights_are_refused(source: Path, target: Path, tensors: dict[str, torch.Tensor], said: str) -> None:
    save_file(tensors, source / "model-4.safetensors")
    (source / checkpoint.INDEX).unlink()
    with pytest.raises(UserError, match=said):
        slice_weights(source, target, [1], ROWS, tied=False)


def test_missing_parts_are_refused(source: Path, target: Path) -> None:
    (source / "model-3.safetensors").unlink()
    with pytest.raises(UserError, match=r"no safetensors weights model-3\.safetensors"):
        slice_weights(source, target, [1], ROWS, tied=True)
    (source / checkpoint.INDEX).unlink()
    with pytest.raises(UserError, match="no head"):
        slice_weights(source, target, [1], ROWS, tied=False)
    slice_weights(source, target, [1], ROWS, tied=True)
    (source / "model-1.safetensors").unlink()
    with pytest.raises(UserError, match="no embedding"):
        slice_weights(source, target, [1], ROWS, tied=True)
    (source / "model-2.safetensors").unlink()
    with pytest.raises(UserError, match="no safetensors"):
        slice_weights(source, target, [1], ROWS, tied=True)


def test_only_the_models_own_files_are_read(source: Path, target: Path) -> None:
    """The same weights in another format, or an adapter's, may lie beside those that the index names."""
    save_file({"tok_embeddings.weight": torch.zeros(ROWS, 5)}, source / "consolidated.safetensors")
    slice_weights(source, target, [1], ROWS, tied=False)
    assert sorted(file.name for file in target.glob("*.safetensors")) == [f"model-{i}.safetensors" for i in (1, 2, 3)]
    alone = source.parent / "alone"
    alone.mkdir()
    for name in ("model", "adapter_model"):
        save_file({"wte.weight": torch.zeros(ROWS, 5)}, alone / f"{name}.safetensors")
    assert shards_of(alone) == [alone / "model.safetensors"]


def test_a_tied_head_that_is_stored_all_the_same_is_cut_too(tmp_path: Path, target: Path) -> None:
    embedding = torch.randn(ROWS, 5)
    save_file({"wte.weight": embedding, "lm_head.weight": embedding.clone()}, tmp_path / "model.safetensors")
    slice_weights(tmp_path, target, [3, 9], ROWS, tied=True)
    written = load_file(target / "model.safetensors")
    assert torch.equal(written["wte.weight"], embedding[[3, 9]]) and torch.equal(
        written["lm_head.weight"], embedding[[3, 9]]
    )


def test_weights_are_read_again_and_found_to_be_the_bases(source: Path, target: Path) -> None:
    rows = [0, 4, 10, None]
    slice_weights(source, target, rows, ROWS, tied=False)
    proof = prove_weights(source, target, rows, ROWS)
    names = {"model.embed_tokens.weight": 5 * 2, "lm_head.weight": 5 * 2, "lm_head.bias": 4}
    rest = 3 * 7 * 2 + 8  # model.a, and z; model-2 is a link
    assert (proof.rows, proof.tensors, proof.compared_bytes) == (12, 6, 4 * sum(names.values()) + rest)


@pytest.mark.parametrize(
    ("name", "place"),
    [("model.embed_tokens.weight", 3), ("model.embed_tokens.weight", -1), ("model.a", 2), ("lm_head.bias", 1)],
)
def test_one_wrong_number_is_found(source: Path, target: Path, name: str, place: int) -> None:
    rows = [0, 4, 10, None]
    slice_weights(source, target, rows, ROWS, tied=False)
    file = next(f for f in sorted(target.glob("*.safetensors")) if name in load_file(f))
    tensors = load_file(file)
    tensors[name].view(-1)[place] += 1
    file.unlink()
    save_file(tensors, file)
    with pytest.raises(FatalError, match=rf"not the base's: {name}"):
        prove_weights(source, target, rows, ROWS)


def test_rows_in_another_order_are_found(source: Path, target: Path) -> None:
    slice_weights(source, target, [4, 0], ROWS, tied=False)
    with pytest.raises(FatalError, match="not the base's"):
        prove_weights(source, target, [0, 4], ROWS)


@pytest.mark.parametrize("length", [0, 5, 40, -1])
def test_a_cut_file_is_refused(source: Path, target: Path, length: int) -> None:
    file = source / "model-2.safetensors"
    file.write_bytes(file.read_bytes()[:length])
    with pytest.raises(UserError, match=r"model-2.safetensors: is .*Fetch"):
        slice_weights(source, target, [1], ROWS, tied=False)


def test_no_room_is_told_before_anything_is_written(
    source: Path, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda _: type("Usage", (), {"free": 100})())
    with pytest.raises(UserError, match="sliced base"):
        slice_weights(source, target, [1], ROWS, tied=False)
    assert not list(target.iterdir())


@given(st.lists(st.none() | st.integers(0, 9)))
def test_runs_are_the_rows_again_and_no_two_join(rows: list[int | None]) -> None:
    found = list(runs(rows))
    assert [None if first is None else first + i for first, n in found for i in range(n)] == rows
    for (a, n), (b, _) in zip(found, found[1:], strict=False):
        assert (a is None) != (b is None) or (a is not None and a + n != b)
