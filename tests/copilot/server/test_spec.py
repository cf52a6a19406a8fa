"""Arguments by hand: what differs between a card and none, and what the base's own shape decides."""

import json
from dataclasses import replace

import pytest

from copilot.server.spec import ServerSpec
from pipeline.errors import UserError
from pipeline.memory.shape import Shape
from pipeline.planner.machine import card_memory
from pipeline.planner.serving import BFLOAT16, plan_serving

QWEN3_8B = {
    "num_hidden_layers": 36, "num_attention_heads": 32, "num_key_value_heads": 8, "head_dim": 128,
    "hidden_size": 4096, "max_position_embeddings": 40960,
}  # fmt: skip


@pytest.fixture
def spec(tmp_path) -> ServerSpec:
    (tmp_path / "config.json").write_text(json.dumps(QWEN3_8B))
    return ServerSpec(base=tmp_path, name="b", max_model_len=20_480, card=False, max_lora_rank=9, threads=3)


def value(arguments: list[str], name: str) -> str:
    return arguments[arguments.index(name) + 1]


def test_no_longer_than_the_base_can_read(spec):
    assert value(spec.arguments(1), "--max-model-len") == "20480"
    assert value(replace(spec, max_model_len=99_999).arguments(1), "--max-model-len") == "40960"


def test_with_and_without_a_card(spec, tmp_path):
    without, with_card = spec.arguments(1), replace(spec, card=True).arguments(1)
    assert value(without, "--dtype") == "float32" and value(with_card, "--dtype") == "bfloat16"
    assert "--enforce-eager" in without and "--enforce-eager" not in with_card
    assert "--kv-cache-memory-bytes" in without and "--kv-cache-memory-bytes" not in with_card
    assert spec.environment(tmp_path)["OMP_NUM_THREADS"] == "3"
    assert "OMP_NUM_THREADS" not in replace(spec, card=True).environment(tmp_path)
    assert value(with_card, "--host") == value(without, "--host") == "127.0.0.1"


def test_rank_is_the_next_that_vllm_has(spec):
    assert value(spec.arguments(1), "--max-lora-rank") == "16"
    with pytest.raises(UserError, match="up to rank 512"):
        replace(spec, max_lora_rank=513).arguments(1)


def test_a_serving_plan_prints_what_the_server_is_started_with(spec):
    shape = Shape(layers=36, hidden=4096, ffn=12_288, heads=32, kv_heads=8, head_dim=128, vocabulary=151_936)
    planned = plan_serving(shape, card_memory("24", ()), BFLOAT16, max_model_len=20_480, rank=9)
    same = replace(spec, card=True, gpu_memory_utilization=planned.gpu_memory_utilization).arguments(1)
    after_the_address = same.index("--max-model-len")
    assert list(planned.flags) == same[after_the_address:-1] and same[-1] == "--disable-uvicorn-access-log"


def test_not_a_model(spec, tmp_path):
    (tmp_path / "config.json").unlink()
    with pytest.raises(UserError, match="config.json"):
        spec.arguments(1)


def test_id_is_of_all_that_matters(spec, tmp_path):
    same = replace(spec, base=tmp_path / "x" / "..")
    assert spec.id == same.id
    changed = [
        replace(spec, name="c"),
        replace(spec, max_loras=9),
        replace(spec, threads=4),
        replace(spec, card=True),
    ]
    assert len({spec.id, *(s.id for s in changed)}) == 5
