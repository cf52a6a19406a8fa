"""Tiny random models on Qwen3's real vocabulary, and the embedded base, each sliced once for all tests."""

from pathlib import Path
from typing import Any

import pytest

from pipeline.bases import embedded
from pipeline.records import Base, Language
from pipeline.settings import Vocabulary
from pipeline.storage import Workspace, fingerprint, user_cache
from pipeline.vocabulary import slice_base
from pipeline.vocabulary.keep import Alphabet, by_script, kept_characters
from pipeline.vocabulary.proof import Encoders
from pipeline.vocabulary.tokenizer import SourceTokenizer, write_sliced_tokenizer
from tests.qwen3_tokenizer import ROWS, write_qwen3_tokenizer

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
def latin(qwen3: Path, tmp_path_factory: pytest.TempPathFactory) -> Encoders:
    """Qwen3's tokenizer, and the same cut to Latin script."""
    source, folder = SourceTokenizer(qwen3), tmp_path_factory.mktemp("qwen3-latin")
    kept = by_script(source.vocabulary, Alphabet(kept_characters(["Latin"], form=source.form)))
    id_map = sorted(source.tokens[token] for token in kept | source.added.keys())
    write_sliced_tokenizer(source, {old: new for new, old in enumerate(id_map)}, folder)
    return Encoders(qwen3, folder, id_map)


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
    return slice_base(tiny_tied, {}, workspace, Vocabulary())


@pytest.fixture(scope="session")
def smollm2(workspace: Workspace) -> Base:
    here = user_cache() / Path(embedded.MEMBER).name
    if not here.is_file() and embedded._installed_gguf() is None:
        pytest.skip("the embedded model was never downloaded on this machine")
    return embedded.embedded_base(workspace)
