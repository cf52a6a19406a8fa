"""Tiny random models on Qwen3's real vocabulary, and the embedded base, each sliced once for all tests."""

from pathlib import Path
from typing import Any

import pytest

from pipeline.bases import embedded
from pipeline.records import Base, Language
from pipeline.settings import Vocabulary
from pipeline.storage import Workspace, fingerprint, user_cache
from pipeline.vocabulary import reading, slice_base
from pipeline.vocabulary.keep import Alphabet, by_script, kept_characters
from pipeline.vocabulary.reading import Encoders
from pipeline.vocabulary.tokenizer import SourceTokenizer, write_sliced_tokenizer
from tests.qwen3_tokenizer import QWEN3_6, ROWS, write_qwen3_tokenizer
from tests.tiny_llama import write_base

FEW = 70  # random strings, ten of each kind, where the proof itself is not the question
TEXTS: dict[Language, list[str]] = {
    "ca": ["La memòria de l'any: 12 col·laboracions, 1.250 € i «tot plegat» — què més?\n\n\n3. Fi"],
    "es": ["¿Qué quedó pendiente? El 37,5 % de las 1.204 acciones; véase §4.2 (página 7º).\r\n\tAsí fue…"],
    "en": [
        "def f(x): return x**2  # O(n) ≤ ∑ᵢ xᵢ → ∞\n",
        "We don't know; they've said “it's fine” 👍🏽 at 10:30.",
    ],
}


@pytest.fixture(scope="session")
def qwen3(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with Qwen3's tokenizer alone."""
    folder = tmp_path_factory.mktemp("qwen3-tokenizer")
    write_qwen3_tokenizer(folder)
    return folder


@pytest.fixture(scope="session")
def qwen3_6(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with Qwen3.6's tokenizer alone."""
    folder = tmp_path_factory.mktemp("qwen3.6-tokenizer")
    write_qwen3_tokenizer(folder, QWEN3_6)
    return folder


def cut_to_latin(tokenizer: Path, folder: Path) -> Encoders:
    """A tokenizer, and the same cut to Latin script, in `folder`."""
    source = SourceTokenizer(tokenizer)
    kept = by_script(source.vocabulary, Alphabet(kept_characters(["Latin"], form=source.form)))
    id_map = sorted(source.tokens[token] for token in kept | source.added.keys())
    write_sliced_tokenizer(source, {old: new for new, old in enumerate(id_map)}, folder)
    return Encoders(tokenizer, folder, id_map)


@pytest.fixture(scope="session")
def latin(qwen3: Path, tmp_path_factory: pytest.TempPathFactory) -> Encoders:
    return cut_to_latin(qwen3, tmp_path_factory.mktemp("qwen3-latin"))


@pytest.fixture(scope="session")
def latin_6(qwen3_6: Path, tmp_path_factory: pytest.TempPathFactory) -> Encoders:
    return cut_to_latin(qwen3_6, tmp_path_factory.mktemp("qwen3.6-latin"))


@pytest.fixture(scope="session")
def tiny_qwen3(tmp_path_factory: pytest.TempPathFactory, qwen3: Path) -> Base:
    """Qwen3-shaped, untied, in several files."""
    import torch
    from transformers import GenerationConfig, Qwen3Config, Qwen3ForCausalLM

    folder = tmp_path_factory.mktemp("tiny-qwen3")
    config = Qwen3Config(
        vocab_size=ROWS, hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=2,
        num_key_value_heads=1, head_dim=16, tie_word_embeddings=False,
        bos_token_id=151643, eos_token_id=151645,
    )  # fmt: skip
    torch.manual_seed(0)
    model: Any = Qwen3ForCausalLM(config)
    model.to(torch.bfloat16)
    model.generation_config = GenerationConfig(bos_token_id=151643, eos_token_id=[151645, 151643], pad_token_id=151643)
    model.save_pretrained(folder, max_shard_size="4MB")
    assert len(list(folder.glob("*.safetensors"))) > 2
    write_qwen3_tokenizer(folder)
    return Base(name="owner/tiny-qwen3", fingerprint=fingerprint(folder), rows=ROWS, path=str(folder))


@pytest.fixture(scope="session")
def tiny_tied(tmp_path_factory: pytest.TempPathFactory, qwen3: Path) -> Base:
    """Llama-shaped, tied, in one file, in float32."""
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    folder = tmp_path_factory.mktemp("tiny-tied")
    config = LlamaConfig(
        vocab_size=ROWS, hidden_size=32, intermediate_size=64, num_hidden_layers=1, num_attention_heads=2,
        num_key_value_heads=1, tie_word_embeddings=True,
        bos_token_id=None, eos_token_id=151645, pad_token_id=151643,
    )  # fmt: skip
    torch.manual_seed(1)
    model: Any = LlamaForCausalLM(config)
    model.save_pretrained(folder)
    write_qwen3_tokenizer(folder)
    return Base(name="tiny-tied", fingerprint=fingerprint(folder), rows=ROWS, path=str(folder))


@pytest.fixture(scope="session")
def tiny_nested(tmp_path_factory: pytest.TempPathFactory, qwen3_6: Path) -> Base:
    """Qwen3.5-shaped: the language model is a part of one that also sees, and so is its configuration."""
    import torch
    from transformers import Qwen3_5Config, Qwen3_5ForConditionalGeneration

    folder, rows = tmp_path_factory.mktemp("tiny-nested"), QWEN3_6.rows
    text = {
        "vocab_size": rows, "hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 2, "head_dim": 8,
        "num_attention_heads": 2, "num_key_value_heads": 1, "layer_types": ["linear_attention", "full_attention"],
        "linear_key_head_dim": 8, "linear_value_head_dim": 8, "linear_num_key_heads": 1, "linear_num_value_heads": 2,
        "eos_token_id": 248_046, "rope_parameters": {
            "rope_type": "default", "rope_theta": 10_000.0, "partial_rotary_factor": 0.5, "mrope_section": [1, 1, 0],
        },
    }  # fmt: skip
    vision = {"depth": 1, "hidden_size": 16, "intermediate_size": 16, "num_heads": 2, "out_hidden_size": 16}
    ids: dict[str, Any] = {"image_token_id": 248_056, "video_token_id": 248_057, "vision_start_token_id": 248_053}
    config = Qwen3_5Config(text_config=text, vision_config=vision, vision_end_token_id=248_054, **ids)
    torch.manual_seed(2)
    model: Any = Qwen3_5ForConditionalGeneration(config)
    model.to(torch.bfloat16).save_pretrained(folder)
    for name in ("tokenizer.json", "tokenizer_config.json"):
        (folder / name).write_bytes((qwen3_6 / name).read_bytes())
    return Base(name="owner/tiny-nested", fingerprint=fingerprint(folder), rows=rows, path=str(folder))


@pytest.fixture(scope="session")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    return Workspace(tmp_path_factory.mktemp("workspace"))


@pytest.fixture(scope="session")
def texts() -> dict[Language, list[str]]:
    return TEXTS


@pytest.fixture(scope="session")
def sliced_qwen3(tiny_qwen3: Base, workspace: Workspace) -> Base:
    return slice_base(tiny_qwen3, TEXTS, workspace, Vocabulary())


@pytest.fixture(scope="session")
def sliced_tied(tiny_tied: Base, workspace: Workspace) -> Base:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(reading, "RANDOM_TEXTS", FEW)
        return slice_base(tiny_tied, {}, workspace, Vocabulary())


@pytest.fixture(scope="session")
def sliced_nested(tiny_nested: Base, workspace: Workspace) -> Base:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(reading, "RANDOM_TEXTS", FEW)
        return slice_base(tiny_nested, TEXTS, workspace, Vocabulary())


@pytest.fixture(scope="session")
def tiny_llama(tmp_path_factory: pytest.TempPathFactory) -> Base:
    """480 tokens of Latin script, untied, in float32."""
    return write_base(tmp_path_factory.mktemp("tiny-llama"))


@pytest.fixture
def few_strings(monkeypatch: pytest.MonkeyPatch) -> None:
    """A proof that takes little time."""
    monkeypatch.setattr(reading, "RANDOM_TEXTS", FEW)


@pytest.fixture(scope="session")
def smollm2(workspace: Workspace) -> Base:
    here = user_cache() / Path(embedded.MEMBER).name
    if not here.is_file() and embedded._installed_gguf() is None:
        pytest.skip("the embedded model was never downloaded on this machine")
    return embedded.embedded_base(workspace)
