"""Models' numbers: from a config, from a folder, from the table; and what is refused."""

import json
from dataclasses import replace

import pytest

from pipeline.errors import UserError
from pipeline.memory.shape import known_shapes, read_shape, shape_of

QWEN3_8B = {
    "model_type": "qwen3",
    "hidden_act": "silu",
    "hidden_size": 4096,
    "intermediate_size": 12_288,
    "num_hidden_layers": 36,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "head_dim": 128,
    "vocab_size": 151_936,
    "tie_word_embeddings": False,
    "max_position_embeddings": 40_960,
}
PUBLISHED_BILLIONS = {  # on the models' own pages
    "Qwen/Qwen3-0.6B": 0.6, "Qwen/Qwen3-1.7B": 1.7, "Qwen/Qwen3-4B": 4.0, "Qwen/Qwen3-8B": 8.2,
    "Qwen/Qwen3-14B": 14.8, "Qwen/Qwen3-32B": 32.8, "Qwen/Qwen2.5-0.5B": 0.49, "Qwen/Qwen2.5-1.5B": 1.54,
    "Qwen/Qwen2.5-3B": 3.09, "Qwen/Qwen2.5-7B": 7.61, "Qwen/Qwen2.5-14B": 14.7, "Qwen/Qwen2.5-32B": 32.5,
    "Qwen/Qwen2.5-72B": 72.7, "meta-llama/Llama-3.2-1B": 1.23, "meta-llama/Llama-3.2-3B": 3.21,
    "meta-llama/Llama-3.1-8B": 8.03, "meta-llama/Llama-3.1-70B": 70.6, "mistralai/Mistral-7B-v0.3": 7.25,
    "HuggingFaceTB/SmolLM2-135M": 0.135, "HuggingFaceTB/SmolLM2-360M": 0.362, "HuggingFaceTB/SmolLM2-1.7B": 1.71,
}  # fmt: skip


@pytest.mark.parametrize("name", PUBLISHED_BILLIONS)
def test_parameters_are_as_published(name):
    assert read_shape(name).parameters == pytest.approx(PUBLISHED_BILLIONS[name] * 1e9, rel=0.015)


def test_every_known_model_is_published_with_a_count():
    counted = {read_shape(name).name for name in PUBLISHED_BILLIONS}
    assert {shape.name for shape in known_shapes()} - counted == {"Qwen/Qwen3-4B-Instruct-2507"}


def test_a_config_and_the_table_say_the_same():
    assert shape_of(QWEN3_8B, "Qwen/Qwen3-8B") == read_shape("Qwen/Qwen3-8B")


def test_what_a_config_leaves_out_is_as_transformers_has_it():
    llama = {key: value for key, value in QWEN3_8B.items() if key not in ("head_dim", "num_key_value_heads")}
    shape = shape_of({**llama, "model_type": "llama"})
    assert (shape.head_dim, shape.kv_heads, shape.head_norms, shape.biases) == (128, 32, False, False)
    assert shape_of({**QWEN3_8B, "model_type": "qwen2"}).biases


def test_the_text_model_of_one_that_sees():
    nested = {"model_type": "sees", "tie_word_embeddings": False, "text_config": QWEN3_8B, "vision_config": {}}
    assert shape_of(nested) == shape_of(QWEN3_8B)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"num_experts": 128}, "mixture of experts"),
        ({"is_encoder_decoder": True}, "encoder"),
        ({"layer_types": ["linear_attention", "full_attention"]}, "linear_attention"),
        ({"hidden_act": "gelu_new"}, "gelu_new"),
        ({"hidden_size": None, "vocab_size": None}, "hidden_size, vocab_size"),
    ],
)
def test_what_is_no_dense_decoder_is_refused(changed, said):
    with pytest.raises(UserError, match=said):
        shape_of({**QWEN3_8B, **changed})


def test_a_folder(tmp_path):
    (tmp_path / "config.json").write_text(json.dumps(QWEN3_8B), "utf-8")
    assert replace(read_shape(str(tmp_path)), name="Qwen/Qwen3-8B") == read_shape("Qwen/Qwen3-8B")
    (tmp_path / "config.json").write_text("{", "utf-8")
    with pytest.raises(UserError, match=r"config\.json: is not JSON"):
        read_shape(str(tmp_path))
    (tmp_path / "config.json").unlink()
    with pytest.raises(UserError, match=r"no config\.json"):
        read_shape(str(tmp_path))


def test_a_model_in_the_hub_s_cache(tmp_path, monkeypatch):
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    repo = tmp_path / "models--someone--Own-8B"
    (repo / "refs").mkdir(parents=True)
    (repo / "refs" / "main").write_text("c0ffee", "utf-8")
    (repo / "snapshots" / "c0ffee").mkdir(parents=True)
    (repo / "snapshots" / "c0ffee" / "config.json").write_text(json.dumps(QWEN3_8B), "utf-8")
    assert read_shape("someone/Own-8B") == shape_of(QWEN3_8B, "someone/Own-8B")


@pytest.mark.parametrize("said", ["qwen3-8b", "QWEN/QWEN3-8B", "Qwen3-8B-Base"])
def test_case_and_owner_do_not_matter(said):
    assert read_shape(said).name == "Qwen/Qwen3-8B"


def test_an_unknown_name_is_told_near_ones():
    with pytest.raises(UserError, match=r"Qwen/Qwen3-8B.*or a folder"):
        read_shape("Qwen3-9B")
    with pytest.raises(UserError, match="nothing/at/all"):
        read_shape("nothing/at/all")
