"""From a name to a base: folders, the hub's cache, and what is said where there is no such thing."""

import json
from pathlib import Path
from typing import Any

import pytest
from huggingface_hub import constants

from pipeline.bases import resolve
from pipeline.bases.resolve import base_in, default_model, resolve_base
from pipeline.errors import MemoriaError, TransientError, UserError
from pipeline.storage import Workspace

COMMIT = "0123456789abcdef0123456789abcdef01234567"


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace(tmp_path / "workspace")


@pytest.fixture
def hub_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    return tmp_path / "hub"


def write_model(folder: Path, **config: Any) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(json.dumps({"vocab_size": 480, **config}))
    (folder / "tokenizer.json").write_text("{}")
    (folder / "model.safetensors").write_bytes(b"weights")
    return folder


def write_index(folder: Path, *shards: str) -> None:
    weight_map = {f"layer.{i}": shard for i, shard in enumerate(shards)}
    (folder / "model.safetensors.index.json").write_text(json.dumps({"weight_map": weight_map}))


def test_a_folder_is_used_where_it_lies(tmp_path: Path, workspace: Workspace) -> None:
    folder = write_model(tmp_path / "model")
    base = resolve_base(str(folder), workspace)
    assert (base.name, base.rows, base.path, base.sliced_from) == ("model", 480, str(folder), None)
    assert resolve_base("model", workspace) == base  # from the folder that one works in


def test_a_base_is_named_by_its_content(tmp_path: Path) -> None:
    one = base_in(write_model(tmp_path / "one"), "m")
    same = base_in(write_model(tmp_path / "same"), "m")
    other = base_in(write_model(tmp_path / "other", rope_theta=1), "m")
    assert one.id == same.id != other.id


def test_the_rows_of_a_text_model_within_another_are_found(tmp_path: Path) -> None:
    folder = write_model(tmp_path / "model", vocab_size=None, text_config={"vocab_size": 77})
    assert base_in(folder, "m").rows == 77


@pytest.mark.parametrize(
    ("file", "content", "said"),
    [
        ("config.json", None, "not a model folder: no config.json"),
        ("tokenizer.json", None, "not a model folder: no tokenizer.json"),
        ("model.safetensors", None, r"not a model folder: no \*.safetensors"),
        ("config.json", "{", "config.json: is not JSON"),
        ("config.json", "[]", "config.json: is not a JSON object"),
        ("config.json", "{}", "config.json names no vocab_size"),
        ("model.safetensors.index.json", "{'", "index.json: is not JSON"),
    ],
)
def test_what_a_folder_lacks_is_one_clear_line(file: str, content: str | None, said: str, tmp_path: Path) -> None:
    folder = write_model(tmp_path / "model")
    if content is None:
        (folder / file).unlink()
    else:
        (folder / file).write_text(content)
    with pytest.raises(UserError, match=said):
        base_in(folder, "m")


def test_missing_shards_are_named(tmp_path: Path) -> None:
    folder = write_model(tmp_path / "model")
    write_index(folder, "model.safetensors", *(f"shard-{i}.safetensors" for i in range(5)))
    with pytest.raises(UserError, match="weights are missing: shard-0.*, shard-1.*, shard-2.* and 2 more"):
        base_in(folder, "m")
    write_index(folder, "model.safetensors")
    assert base_in(folder, "m").rows == 480


@pytest.mark.parametrize("name", ["/not/there", "./not-there", "~/not-there", "a/b/c", "plain", "own er/model", "o/-m"])
def test_what_cannot_be_a_model_is_refused_without_asking_the_hub(
    name: str, workspace: Workspace, hub_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("huggingface_hub.HfApi.model_info", lambda *_, **__: pytest.fail("asked the hub"))
    with pytest.raises(UserError, match=r"no such model\. Name a folder, a Hugging Face id"):
        resolve_base(name, workspace)


def test_a_model_in_the_hubs_cache_needs_no_network_and_is_named_by_its_commit(
    workspace: Workspace, hub_cache: Path
) -> None:
    folder = write_model(hub_cache / "models--owner--name" / "snapshots" / COMMIT)
    refs = folder.parents[1] / "refs"
    refs.mkdir()
    (refs / "main").write_text(COMMIT)
    base = resolve_base("owner/name", workspace)
    assert (base.name, base.path) == ("owner/name", str(folder))
    (folder / "model.safetensors").touch()  # times of change say nothing here
    assert base_in(folder, "owner/name").fingerprint == base.fingerprint


def hub_that(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("huggingface_hub.HfApi.model_info", fail)


def response(status: int) -> Any:
    from httpx2 import Request, Response

    return Response(status, request=Request("GET", "https://hub.example/api"))


def hub_errors() -> list[tuple[Exception, type[MemoriaError], str]]:
    from httpx2 import ConnectError, ReadTimeout
    from huggingface_hub.errors import (
        GatedRepoError,
        HfHubHTTPError,
        OfflineModeIsEnabled,
        RepositoryNotFoundError,
        XetDownloadError,
    )

    silent = "the model hub does not answer"
    return [
        (ConnectError("refused"), TransientError, silent),
        (ReadTimeout("late"), TransientError, silent),
        (OfflineModeIsEnabled("offline"), TransientError, silent),
        (XetDownloadError("broken off"), TransientError, silent),
        (HfHubHTTPError("busy", response=response(503)), TransientError, silent),
        (RepositoryNotFoundError("none", response=response(404)), UserError, "no such model on the hub"),
        (GatedRepoError("gated", response=response(403)), UserError, "HF_TOKEN if it is private"),
    ]


@pytest.mark.parametrize(("error", "kind", "said"), hub_errors(), ids=lambda value: type(value).__name__)
def test_what_the_hub_answers_is_told_by_what_to_do(
    error: Exception,
    kind: type[MemoriaError],
    said: str,
    workspace: Workspace,
    hub_cache: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hub_that(error, monkeypatch)
    with pytest.raises(kind, match=said) as caught:
        resolve_base("owner/name", workspace)
    assert caught.value.where == "owner/name"


def test_a_model_that_the_disk_has_no_room_for_is_not_begun(
    workspace: Workspace, hub_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from types import SimpleNamespace

    files = [
        SimpleNamespace(rfilename="model.safetensors", size=10**15),
        SimpleNamespace(rfilename="a.bin", size=1),
    ]
    monkeypatch.setattr("huggingface_hub.HfApi.model_info", lambda *_, **__: SimpleNamespace(siblings=files))
    with pytest.raises(UserError, match=r"no room for owner/name: 1100000\.0 GB needed"):
        resolve_base("owner/name", workspace)


@pytest.mark.parametrize(("cards", "model"), [((), "smollm2"), (("a card",), "Qwen/Qwen3-8B")])
def test_the_default_is_the_small_base_where_there_is_no_card(
    cards: tuple[str, ...], model: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resolve, "cards", lambda: cards)
    assert default_model() == model
