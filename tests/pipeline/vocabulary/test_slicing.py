"""From base to sliced base, on tiny models with Qwen3's real vocabulary and on the embedded one."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pipeline.records import Base, Language
from pipeline.settings import Vocabulary
from pipeline.storage import Workspace
from pipeline.vocabulary import load_proof, slice_base, slicing

pytestmark = pytest.mark.slow


def load_json(base: Base, name: str) -> Any:
    return json.loads((Path(base.path) / name).read_text("utf-8"))


def model_of(base: Base) -> Any:
    import torch
    from transformers import AutoModelForCausalLM

    return AutoModelForCausalLM.from_pretrained(base.path, dtype=torch.float32).eval()


def tokenizer_of(base: Base) -> Any:
    from transformers import AutoTokenizer

    return AutoTokenizer.from_pretrained(base.path)


def test_record_and_proof_say_what_was_done(tiny_qwen3: Base, sliced_qwen3: Base) -> None:
    assert (sliced_qwen3.rows, sliced_qwen3.rows % 128) == (104_064, 0)
    assert (sliced_qwen3.name, sliced_qwen3.sliced_from) == ("owner/tiny-qwen3-104064", tiny_qwen3.id)
    proof = load_proof(sliced_qwen3)
    assert (proof.base, proof.rows_before, proof.rows_after) == (sliced_qwen3.name, 151_936, 104_064)
    assert proof.bytes_saved == (151_936 - 104_064) * 32 * 2 * 2  # width, bfloat16, embedding and head
    assert proof.path == sliced_qwen3.path and proof.tokens_kept == 104_064
    assert {name: (p.pieces, p.differing, p.identical) for name, p in proof.languages.items()} == {
        "ca": (1, 0, 1), "es": (1, 0, 1), "en": (2, 0, 1),
    }  # fmt: skip
    assert (proof.method, proof.growth, proof.kept_texts) == ("script", {}, None)
    assert proof.other_scripts["Chinese"].tokens_after > proof.other_scripts["Chinese"].tokens_before
    assert proof.unicode.characters > 140_000 and proof.unicode.same
    assert proof.random.texts == 100_000 and proof.random.same
    assert proof.weights.rows == 2 * 104_064


@pytest.mark.parametrize("kind", ["sliced_qwen3", "sliced_tied", "sliced_nested"])
def test_logits_are_equal_to_the_bit(kind: str, request: pytest.FixtureRequest) -> None:
    proof = load_proof(request.getfixturevalue(kind))
    assert proof.logits is not None and proof.greedy is not None
    assert proof.logits.equal and proof.logits.positions > 50 and proof.logits.tokens == proof.tokens_kept
    assert proof.logits.largest_difference < 0.01  # each model by itself
    assert all(greedy.same == greedy.tokens or greedy.dropped for greedy in proof.greedy.values())


def test_nested_configurations_are_renumbered(tiny_nested: Base, sliced_nested: Base) -> None:
    """Qwen3.6's vocabulary, in a model that also sees."""
    id_map = load_json(sliced_nested, "id_map.json")
    before, after = (load_json(base, "config.json") for base in (tiny_nested, sliced_nested))
    assert sliced_nested.rows % 128 == 0 and sliced_nested.rows < 0.69 * tiny_nested.rows
    assert after["text_config"]["vocab_size"] == sliced_nested.rows
    assert id_map[after["text_config"]["eos_token_id"]] == before["text_config"]["eos_token_id"]
    for name in ("image_token_id", "video_token_id", "vision_start_token_id", "vision_end_token_id"):
        assert id_map[after[name]] == before[name]
    assert after["vision_config"] == before["vision_config"]


def test_ids_are_renumbered_in_every_file(sliced_qwen3: Base) -> None:
    id_map = load_json(sliced_qwen3, "id_map.json")
    assert id_map == sorted(set(id_map)) and len(id_map) == 104_064
    eos, pad = id_map.index(151645), id_map.index(151643)
    assert load_json(sliced_qwen3, "config.json")["vocab_size"] == 104_064
    assert load_json(sliced_qwen3, "config.json")["eos_token_id"] == eos
    generation = load_json(sliced_qwen3, "generation_config.json")
    assert (generation["eos_token_id"], generation["pad_token_id"]) == ([eos, pad], pad)
    tokenizer = tokenizer_of(sliced_qwen3)
    assert (tokenizer.eos_token_id, tokenizer.pad_token_id, len(tokenizer)) == (eos, pad, 104_064)
    assert tokenizer.convert_tokens_to_ids("<think>") == id_map.index(151667)


def test_transformers_reads_and_renders_as_with_the_base(
    tiny_qwen3: Base, sliced_qwen3: Base, texts: dict[Language, list[str]]
) -> None:
    from tokenizers import Tokenizer

    id_map = load_json(sliced_qwen3, "id_map.json")
    old, new = tokenizer_of(tiny_qwen3), tokenizer_of(sliced_qwen3)
    alone = Tokenizer.from_file(f"{sliced_qwen3.path}/tokenizer.json")
    for text in [*texts["ca"], *texts["es"], *texts["en"], "<|im_start|>user\nQuè?<|im_end|>\n<think>\n"]:
        ids = new(text).input_ids
        assert [id_map[i] for i in ids] == old(text).input_ids and alone.encode(text).ids == ids
        assert new.decode(ids) == text
    turns = [{"role": "system", "content": "Escriu."}, {"role": "user", "content": "Objectius"}]
    kwargs = {"tokenize": False, "add_generation_prompt": True, "enable_thinking": False}
    prompt = new.apply_chat_template(turns, **kwargs)
    assert prompt == old.apply_chat_template(turns, **kwargs)
    assert prompt.endswith("<|im_start|>assistant\n<think>\n\n</think>\n\n")
    told = new.apply_chat_template([*turns, {"role": "assistant", "content": "Fet."}], tokenize=False)
    assert told == prompt + "Fet.<|im_end|>\n"


@pytest.mark.parametrize("kind", ["qwen3", "tied"])
def test_models_compute_the_same(kind: str, request: pytest.FixtureRequest) -> None:
    import torch

    base, sliced = request.getfixturevalue(f"tiny_{kind}"), request.getfixturevalue(f"sliced_{kind}")
    id_map = torch.tensor(load_json(sliced, "id_map.json"))
    old, new = model_of(base), model_of(sliced)
    assert (new.lm_head.weight.data_ptr() == new.model.embed_tokens.weight.data_ptr()) == (kind == "tied")
    for name, tensor in old.state_dict().items():
        wanted = tensor[id_map] if name in ("model.embed_tokens.weight", "lm_head.weight") else tensor
        assert torch.equal(new.state_dict()[name], wanted), name
    ids = torch.randint(0, sliced.rows, (1, 40), generator=torch.Generator().manual_seed(0))
    with torch.no_grad():
        torch.testing.assert_close(new(ids).logits, old(id_map[ids]).logits[..., id_map], rtol=0, atol=1e-5)


def test_made_once_then_found_without_torch(
    tiny_qwen3: Base,
    sliced_qwen3: Base,
    workspace: Workspace,
    texts: dict[Language, list[str]],
    monkeypatch: Any,
) -> None:
    code = (
        "import sys, json\n"
        "from pipeline.records import Base\nfrom pipeline.settings import Vocabulary\n"
        "from pipeline.storage import Workspace\nfrom pipeline.vocabulary import slice_base\n"
        f"base = Base.model_validate_json({tiny_qwen3.model_dump_json()!r})\n"
        f"found = slice_base(base, {texts!r}, Workspace({str(workspace.root)!r}), Vocabulary())\n"
        "assert not {'torch', 'transformers', 'tokenizers'} & sys.modules.keys()\n"
        "print(found.model_dump_json())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert Base.model_validate_json(done.stdout) == sliced_qwen3
    monkeypatch.setattr(slicing, "_make", lambda *_: pytest.fail("made again"))
    assert slice_base(tiny_qwen3, texts, workspace, Vocabulary(slice=False)) == sliced_qwen3


@pytest.mark.usefixtures("few_strings")
def test_texts_bring_their_own_tokens(tiny_tied: Base, sliced_tied: Base, workspace: Workspace) -> None:
    texts: dict[Language, list[str]] = {"en": ["The word 项目 means project.", "plain"]}
    sliced = slice_base(tiny_tied, texts, workspace, Vocabulary())
    assert sliced.id != sliced_tied.id
    old, new = tokenizer_of(tiny_tied), tokenizer_of(sliced)
    assert new.tokenize(texts["en"][0]) == old.tokenize(texts["en"][0])
    assert load_proof(sliced).languages["en"].differing == 0
    assert tokenizer_of(sliced_tied).tokenize(texts["en"][0]) != old.tokenize(texts["en"][0])


@pytest.mark.usefixtures("few_strings")
def test_rows_left_over_are_the_bases_own_then_zeros(tiny_tied: Base, tmp_path: Path) -> None:
    """Padded to 200,000 rows, every one of the 151,669 tokens finds a place."""
    import torch

    sliced = slice_base(tiny_tied, {}, Workspace(tmp_path), Vocabulary(pad_rows_to=100_000))
    assert sliced.rows == 200_000
    assert load_json(sliced, "id_map.json") == list(range(151_669))
    old, new = (model_of(b).model.embed_tokens.weight for b in (tiny_tied, sliced))
    assert torch.equal(new[:151_936], old) and not new[151_936:].any()


def test_embedded_base_writes_the_same(smollm2: Base, workspace: Workspace, texts: dict[Language, list[str]]) -> None:
    """SmolLM2: its special tokens stand first, it lacks some bytes, and it is tied."""
    sliced = slice_base(smollm2, texts, workspace, Vocabulary())
    assert (sliced.rows, load_json(sliced, "config.json")["eos_token_id"]) == (48_768, 2)
    proof = load_proof(sliced)
    assert proof.logits is not None and proof.logits.equal and proof.logits.largest_difference < 0.01
    assert proof.greedy is not None and [(g.same, g.dropped) for g in proof.greedy.values()] == [(16, False)] * 3
    turns = [{"role": "user", "content": "Name three colours, separated by commas."}]
    asked = {"add_generation_prompt": True, "return_tensors": "pt", "return_dict": True}
    written = []
    for base in (smollm2, sliced):
        tokenizer, model = tokenizer_of(base), model_of(base)
        prompt = tokenizer.apply_chat_template(turns, **asked)
        ids = model.generate(**prompt, max_new_tokens=24, do_sample=False)[0]
        written.append(tokenizer.decode(ids))
    assert written[0] == written[1] and written[0].count("<|im_end|>") == 3
