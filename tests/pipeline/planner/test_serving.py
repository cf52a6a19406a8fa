"""Serving by hand: bytes of weights, adapters and cache, what fits, how fast, and the words for vLLM."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.errors import UserError
from pipeline.memory.shape import Shape
from pipeline.planner.cards import read_cards
from pipeline.planner.flags import card_flags, engine_flags, served_rank, words
from pipeline.planner.machine import CardMemory, card_memory
from pipeline.planner.serving import (
    BFLOAT16,
    FORMATS,
    FOUR_BITS,
    FP8,
    NF4,
    RUNTIME_BYTES,
    ServingPlan,
    adapters_bytes,
    kv_cache_bytes,
    kv_token_bytes,
    longest_context_tokens,
    plan_serving,
    serving_plans,
    weights_bytes,
)

GIB = 1 << 30
LISTED = read_cards()
QWEN3_8B = Shape(
    layers=36, hidden=4096, ffn=12_288, heads=32, kv_heads=8, head_dim=128, vocabulary=151_936, positions=40_960
)
CONFIG = {
    "num_hidden_layers": 36, "num_attention_heads": 32, "num_key_value_heads": 8, "head_dim": 128,
    "hidden_size": 4096, "max_position_embeddings": 40960,
}  # fmt: skip


def plan(card: str, weights=FP8, **asked) -> ServingPlan:
    return plan_serving(QWEN3_8B, card_memory(card, LISTED), weights, **{"max_model_len": 20_480, **asked})


def value(words: tuple[str, ...], name: str) -> str:
    return words[words.index(name) + 1]


def test_cache_of_qwen3_8b_takes_144_kib_a_token():
    # 2 * 36 layers * 8 heads * 128 * 2 bytes = 147,456 bytes; with a block of 128 tokens to spare
    assert kv_token_bytes(36, 8, 128) == 147_456 == 144 * 1024
    assert kv_cache_bytes(CONFIG, 20_480, sequences=1, element_bytes=2) == 147_456 * (20_480 + 128)


def test_heads_without_grouping_share_the_hidden_size():
    plain = {"num_hidden_layers": 2, "num_attention_heads": 4, "hidden_size": 64}
    assert kv_cache_bytes(plain, 872, sequences=1) == 2 * 2 * 4 * 16 * 4 * 1000


def test_yarn_lengthens_and_llama3_does_not():
    yarn = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32768}
    assert longest_context_tokens({**CONFIG, "rope_scaling": yarn}) == 131_072
    llama3 = {"rope_type": "llama3", "factor": 8.0, "original_max_position_embeddings": 8192}
    assert longest_context_tokens({"max_position_embeddings": 131_072, "rope_parameters": llama3}) == 131_072
    assert longest_context_tokens(CONFIG) == 40_960


def test_weights_by_hand():
    # One layer: q and o 4x4, k and v 4x2, three of 4x8: 144 weights. Embedding and head 2 * 100 * 4; norms 2 * 4 + 4.
    tiny = Shape(1, 4, 8, 2, 1, 2, 100, head_norms=False)
    apart = 2 * (2 * 100 * 4 + 12)
    assert weights_bytes(tiny, BFLOAT16) == 2 * 144 + apart
    assert weights_bytes(tiny, FP8) == 144 + apart
    assert weights_bytes(tiny, NF4) == 144 // 2 + 144 // 16 + apart
    assert weights_bytes(tiny, FOUR_BITS) == round(72 + 144 * 2.5 / 128) + apart
    tied = Shape(1, 4, 8, 2, 1, 2, 100, tied=True, head_norms=False)
    assert weights_bytes(tied, FP8) == 144 + 2 * (100 * 4 + 12)


def test_adapters_by_hand():
    # In and out of each: q and o 4 + 4, k and v 4 + 2, three of 4 + 8; embedding and head 100 + 4.
    tiny = Shape(1, 4, 8, 2, 1, 2, 100)
    assert adapters_bytes(tiny, 8, 3) == 2 * 3 * 8 * (2 * 8 + 2 * 6 + 3 * 12 + 2 * 104)


def test_qwen3_8b_in_16_bits_is_no_model_for_16_gigabytes():
    assert not plan("4080", BFLOAT16).fits
    in_fp8 = plan("4080")
    assert in_fp8.fits and in_fp8.sequences == 1
    assert in_fp8.gpu_memory_utilization == 0.95
    free = 16_376 * 2**20 * 63 / 64 * 0.95 - in_fp8.weights_bytes - in_fp8.adapters_bytes - in_fp8.working_bytes
    assert in_fp8.kv_cache_bytes == pytest.approx(free, abs=2)
    assert in_fp8.longest_tokens == int(free) // 147_456 // 16 * 16
    assert plan("4090", BFLOAT16).fits


def test_the_working_set_is_of_a_batch_of_prompts_and_its_logits():
    small = 2 * 2048 * (2 * 4096 + 3 * 12_288) + 2 * 4 * 8 * 151_936
    assert plan("4090").working_bytes == small + RUNTIME_BYTES
    assert plan("A100 80GB").working_bytes == small + RUNTIME_BYTES
    assert plan("H200").working_bytes == small + 2 * 6144 * (2 * 4096 + 3 * 12_288) + RUNTIME_BYTES


def test_no_faster_than_the_card_reads():
    # Read a token: all but the embedding's other rows, and the cache of a full text.
    read = weights_bytes(QWEN3_8B, FP8) - 2 * 151_936 * 4096
    text = 20_480 * 147_456
    on_a_5090 = plan("5090")
    assert on_a_5090.sequences == 7
    assert on_a_5090.tokens_per_second == pytest.approx(1792e9 / (read + text))
    assert on_a_5090.tokens_per_second_together == pytest.approx(7 * 1792e9 / (read + 7 * text))
    assert plan("16").tokens_per_second is None and "not known" in plan("16").notes[-1]
    assert plan("4080", BFLOAT16).tokens_per_second is None


def test_a_text_is_no_longer_than_the_model_reads():
    asked = plan("H200", max_model_len=99_999)
    assert asked.max_model_len == 40_960 and value(asked.flags, "--max-model-len") == "40960"


def test_no_more_texts_at_once_than_the_server_takes():
    assert plan("H200").sequences == 8
    assert plan("H200", max_num_seqs=3).sequences == 3


def test_keys_and_values_in_8_bits_take_half():
    whole, half = plan("H200"), plan("H200", kv_in_fp8=True)
    assert half.kv_token_bytes == whole.kv_token_bytes // 2 == 73_728
    assert half.longest_tokens == half.kv_cache_bytes // 73_728 // 16 * 16


def test_the_words_for_vllm():
    said = " ".join(plan("4090", NF4, rank=9, kv_in_fp8=True).flags)
    assert said == (
        "--max-model-len 20480 --max-num-seqs 8 --max-lora-rank 16 --max-loras 2 --max-cpu-loras 64 "
        "--generation-config vllm --dtype bfloat16 --gpu-memory-utilization 0.95 --quantization bitsandbytes "
        "--kv-cache-dtype fp8 --enable-lora --enable-prefix-caching"
    )
    assert "--quantization" not in plan("4090", FOUR_BITS).flags
    assert value(plan("4090").flags, "--quantization") == "fp8_per_tensor"


def test_a_card_of_turing_serves_in_float16_and_has_no_fp8_arithmetic():
    on_t4 = plan("T4", FP8)
    assert value(on_t4.flags, "--dtype") == "float16"
    assert any("no FP8 arithmetic" in note for note in on_t4.notes)
    assert any("no FP8 arithmetic" in note for note in plan("3090").notes)
    assert plan("4090").notes == ()


def test_an_older_card_is_not_served_fp8():
    memory = card_memory("A100 80GB", LISTED)
    assert memory.listed is not None
    volta = memory.listed.model_copy(update={"compute_capability": "7.0"})
    old = CardMemory("V100", memory.total_bytes, memory.free_bytes, 0, False, volta, ())
    made = plan_serving(QWEN3_8B, old, FP8, max_model_len=4096)
    assert not made.fits and "from compute capability 7.5; this card has 7.0" in made.notes[0]


def test_vllm_starts_only_within_what_is_free():
    busy = CardMemory("x", 16 * GIB, 12 * GIB, GIB, False, None, ())
    made = plan_serving(QWEN3_8B, busy, NF4, max_model_len=8192)
    assert made.gpu_memory_utilization == 0.74  # (12 - 0.25) of 15.75 is 0.746
    assert made.budget_bytes <= 11.75 * GIB


@given(st.integers(0, 200 * GIB), st.integers(1, 60_000), st.sampled_from(FORMATS), st.booleans())
def test_what_fits_is_what_the_cache_holds(free, length, weights, kv_in_fp8):
    memory = CardMemory("x", 200 * GIB, free, 0, False, None, ())
    made = plan_serving(QWEN3_8B, memory, weights, max_model_len=length, kv_in_fp8=kv_in_fp8)
    taken = made.sequences * made.max_model_len * made.kv_token_bytes
    parts = made.weights_bytes + made.adapters_bytes + made.working_bytes
    assert made.longest_tokens % 16 == 0
    assert not made.fits or parts + taken <= made.budget_bytes <= free
    assert made.fits == (made.longest_tokens >= made.max_model_len) == (made.sequences >= 1)


def test_a_plan_a_format_the_gentlest_first():
    plans = serving_plans(QWEN3_8B, card_memory("4090", LISTED), max_model_len=8192)
    assert [p.format for p in plans] == list(FORMATS)
    assert [p.weights_bytes for p in plans] != sorted(p.weights_bytes for p in plans)  # NF4's scales are larger
    assert plans[0].weights_bytes > plans[1].weights_bytes > max(p.weights_bytes for p in plans[2:])


@pytest.mark.parametrize(("rank", "served"), [(1, 8), (8, 8), (9, 16), (64, 64), (300, 320), (512, 512)])
def test_rank_is_the_next_that_vllm_has(rank, served):
    assert served_rank(rank) == served


def test_no_kernel_for_a_larger_rank():
    with pytest.raises(UserError, match="up to rank 512"):
        served_rank(513)


def test_no_fewer_adapters_in_memory_than_in_a_batch():
    asked = {"max_model_len": 1, "max_num_seqs": 1, "max_lora_rank": 8}
    assert engine_flags(**asked, max_loras=9, max_cpu_loras=2)["max-cpu-loras"] == 9
    assert engine_flags(**asked, max_loras=9, max_cpu_loras=20)["max-cpu-loras"] == 20


def test_flags_as_words():
    assert words(card_flags(gpu_memory_utilization=0.9), "enable-lora") == [
        "--dtype", "bfloat16", "--gpu-memory-utilization", "0.9", "--enable-lora",
    ]  # fmt: skip
