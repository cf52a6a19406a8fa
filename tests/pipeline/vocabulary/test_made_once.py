"""A sliced base in the workspace: what names it, when it is made anew, what a crash leaves, what is copied."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pipeline.errors import FatalError, UserError
from pipeline.records import Base, Language
from pipeline.settings import Vocabulary
from pipeline.storage import Workspace
from pipeline.vocabulary import load_proof, slice_base, slicing
from tests.tiny_llama import write_base

pytestmark = pytest.mark.usefixtures("few_strings")
REPORTS: dict[Language, list[str]] = {"ca": ["La memòria recull", "12 tallers"], "en": ["The partners met"]}
USAGE = Vocabulary(method="usage", pad_rows_to=1)


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace(tmp_path / "workspace")


def test_by_script_new_reports_lead_to_the_same_base_and_the_proof_is_of_them(
    tiny_llama: Base, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = slice_base(tiny_llama, {"ca": ["La memòria"]}, workspace, Vocabulary())
    made = load_proof(first)
    monkeypatch.setattr(slicing, "_make", lambda *_: pytest.fail("made again"))
    assert slice_base(tiny_llama, REPORTS, workspace, Vocabulary(usage_floor=7, slice=False)) == first
    proof = load_proof(first)
    assert {name: language.pieces for name, language in made.languages.items()} == {"ca": 1}
    assert {name: language.pieces for name, language in proof.languages.items()} == {"ca": 2, "en": 1}
    assert proof.texts != made.texts
    hung_on_texts = {"languages", "texts"}
    assert proof.model_dump(exclude=hung_on_texts) == made.model_dump(exclude=hung_on_texts)


def test_by_usage_new_tokens_lead_to_another_base_and_used_ones_do_not(tiny_llama: Base, workspace: Workspace) -> None:
    first = slice_base(tiny_llama, REPORTS, workspace, USAGE)
    assert load_proof(first).method == "usage" and 300 < first.rows < 384
    again = slice_base(tiny_llama, {"ca": [*REPORTS["ca"], "La memòria"], "en": REPORTS["en"]}, workspace, USAGE)
    assert again.id == first.id and load_proof(first).languages["ca"].pieces == 3
    words = " ".join(tiny_llama_words())
    other = slice_base(tiny_llama, {**REPORTS, "es": [words]}, workspace, USAGE)
    assert other.id != first.id and other.rows > first.rows
    proof = load_proof(other)
    assert {name: language.differing for name, language in proof.languages.items()} == {"ca": 0, "en": 0, "es": 0}
    assert proof.growth["es"] > 0
    assert slice_base(tiny_llama, REPORTS, workspace, Vocabulary()).id not in (first.id, other.id)


def tiny_llama_words() -> list[str]:
    return ["La entidad ejecutó el presupuesto", "quedó pendiente la auditoría", "Objectiu general", "Deliverable"]


def test_by_usage_a_seldom_used_token_makes_a_difference_that_is_told(tiny_llama: Base, workspace: Workspace) -> None:
    sliced = slice_base(tiny_llama, REPORTS, workspace, Vocabulary(method="usage", usage_floor=2, pad_rows_to=1))
    proof = load_proof(sliced).languages["ca"]
    assert proof.differing == proof.with_dropped > 0
    assert proof.identical == 1 - proof.differing / 2 and proof.tokens_after > proof.tokens
    whole = slice_base(tiny_llama, REPORTS, workspace, USAGE)
    assert load_proof(whole).languages["ca"].differing == 0


def test_texts_to_keep_are_read_alike_whatever_the_floor(
    tiny_llama: Base, workspace: Workspace, tmp_path: Path
) -> None:
    (tmp_path / "words.txt").write_text("La memòria recull l'activitat\n\nThe partners met in Girona")
    settings = Vocabulary(method="usage", usage_floor=99, kept_texts=(tmp_path,), pad_rows_to=1)
    sliced = slice_base(tiny_llama, {}, workspace, settings)
    kept = load_proof(sliced).kept_texts
    assert kept is not None and (kept.pieces, kept.differing) == (2, 0)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "same.md").write_text((tmp_path / "words.txt").read_text())
    moved = settings.model_copy(update={"kept_texts": (elsewhere,)})
    assert slice_base(tiny_llama, {}, workspace, moved).id == sliced.id


CRASH = """
import os, sys
from pipeline.records import Base
from pipeline.settings import Vocabulary
from pipeline.storage import Workspace
from pipeline.vocabulary import reading, slice_base, slicing
reading.RANDOM_TEXTS = 70
setattr(slicing, sys.argv[1], lambda *_: os._exit(9))
slice_base(Base.model_validate_json(sys.argv[2]), {}, Workspace(sys.argv[3]), Vocabulary())
"""


@pytest.mark.slow
@pytest.mark.parametrize("at", ["prove_weights", "write_proof"])
def test_a_crash_leaves_no_half_made_base(tiny_llama: Base, workspace: Workspace, at: str) -> None:
    words = [sys.executable, "-c", CRASH, at, tiny_llama.model_dump_json(), str(workspace.root)]
    assert subprocess.run(words, capture_output=True).returncode == 9
    assert workspace.keys("bases") == [] and len(list((workspace.root / "bases").iterdir())) == 1
    sliced = slice_base(tiny_llama, {}, workspace, Vocabulary())
    assert [place.name for place in (workspace.root / "bases").iterdir()] == [Path(sliced.path).name]
    assert load_proof(sliced).rows_after == sliced.rows


def test_a_misreading_leaves_no_base(tiny_llama: Base, workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "pipeline.vocabulary.choice.by_script", lambda vocabulary, _: {t for t in vocabulary if len(t) == 1}
    )
    monkeypatch.setattr("pipeline.vocabulary.tokenizer.fill", lambda kept, *_: kept)
    with pytest.raises(FatalError, match="reads 1 of 1 en texts otherwise"):
        slice_base(tiny_llama, {"en": ["The partners"]}, workspace, Vocabulary())
    assert workspace.keys("bases") == []


def test_a_misreading_by_usage_is_told_from_a_token_left_out(
    tiny_llama: Base, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A merge is lost, though all its tokens are kept."""
    write = slicing.write_sliced_tokenizer

    def without_merges(source: Any, new_ids: Any, folder: Path) -> None:
        write(source, new_ids, folder)
        document = json.loads((folder / "tokenizer.json").read_text())
        document["model"]["merges"] = document["model"]["merges"][:3]
        (folder / "tokenizer.json").write_text(json.dumps(document))

    monkeypatch.setattr(slicing, "write_sliced_tokenizer", without_merges)
    with pytest.raises(FatalError, match="reads 1 of 1 en texts otherwise"):
        slice_base(tiny_llama, {"en": ["The partners"]}, workspace, USAGE)


def test_templates_and_licence_come_along_and_other_spellings_do_not(tmp_path: Path, workspace: Workspace) -> None:
    folder = tmp_path / "base"
    base = write_base(folder)
    templates = folder / "additional_chat_templates"
    templates.mkdir()
    for name in ("chat_template.jinja", "additional_chat_templates/tools.jinja", "LICENSE", "special_tokens_map.json"):
        (folder / name).write_text("{}")
    for name in ("vocab.json", "merges.txt", "pytorch_model.bin.index.json", "notes.md"):
        (folder / name).write_text("{}")
    (folder / "onnx").mkdir()
    sliced = Path(slice_base(base, {}, workspace, Vocabulary()).path)
    assert {file.name for file in sliced.iterdir()} == {
        "additional_chat_templates", "chat_template.jinja", "LICENSE", "special_tokens_map.json",
        "config.json", "generation_config.json", "tokenizer.json", "tokenizer_config.json",
        "model.safetensors", "id_map.json", "proof.json", "manifest.json",
    }  # fmt: skip
    assert (sliced / "additional_chat_templates" / "tools.jinja").read_text() == "{}"


@pytest.mark.parametrize("name", ["tokenizer.json", "tokenizer_config.json", "config.json", "generation_config.json"])
@pytest.mark.parametrize("text", ["{", "[]", '{"a": \udce9}'])
def test_broken_files_are_told_in_one_line(tmp_path: Path, workspace: Workspace, name: str, text: str) -> None:
    base = write_base(tmp_path / "base")
    (Path(base.path) / name).write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(UserError, match=rf"{name.replace('.', '[.]')}: is no (sound )?JSON( object)?\. Fetch"):
        slice_base(base, {}, workspace, Vocabulary())
    assert workspace.keys("bases") == []


def test_a_base_without_a_proof_is_told(tiny_llama: Base) -> None:
    with pytest.raises(FatalError, match="no proof"):
        load_proof(tiny_llama)


def test_a_model_that_transformers_does_not_know_is_told(tmp_path: Path, workspace: Workspace) -> None:
    base = write_base(tmp_path / "base")
    file = Path(base.path) / "config.json"
    file.write_text(file.read_text().replace('"llama"', '"of_tomorrow"'))
    with pytest.raises(UserError, match=r"transformers cannot load this model: .*of_tomorrow"):
        slice_base(base, {}, workspace, Vocabulary())
    assert workspace.keys("bases") == []


def test_by_usage_there_must_be_texts(tiny_llama: Base, workspace: Workspace) -> None:
    with pytest.raises(UserError, match="no texts to choose tokens by.*memoria ingest"):
        slice_base(tiny_llama, {"ca": [""]}, workspace, USAGE)


def test_too_few_rows_are_refused(tiny_llama: Base, workspace: Workspace) -> None:
    with pytest.raises(UserError, match="more tokens than"):
        slice_base(tiny_llama.model_copy(update={"rows": 400}), {}, workspace, Vocabulary())
