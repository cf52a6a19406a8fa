"""From base to sliced base, on tiny models with Qwen3's real vocabulary and on the embedded one."""

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
    assert (sliced_qwen3.rows, sliced_qwen3.rows % 128) == (103_808, 0)
    assert (sliced_qwen3.name, sliced_qwen3.sliced_from) == ("owner/tiny-qwen3-103808", tiny_qwen3.id)
    proof = load_proof(sliced_qwen3)
    assert (proof.base, proof.rows_before, proof.rows_after) == (sliced_qwen3.name, 151_936, 103_808)
    assert proof.bytes_saved == (151_936 - 103_808) * 32 * 2 * 2  # width, bfloat16, embedding and head
    assert proof.path == sliced_qwen3.path and proof.tokens_kept == 103_808
    assert {name: (p.pieces, p.differing) for name, p in proof.languages.items()} == {
        "ca": (1, 0), "es": (1, 0), "en": (2, 0),
    }  # fmt: skip
    assert proof.other_scripts["Chinese"].tokens_after > proof.other_scripts["Chinese"].tokens_before
    assert proof.unicode.characters > 140_000 and proof.unicode.same
    assert proof.logits is not None and proof.logits.largest_difference < 0.01 and proof.logits.positions > 100


def test_ids_are_renumbered_in_every_file(sliced_qwen3: Base) -> None:
    id_map = load_json(sliced_qwen3, "id_map.json")
    assert id_map == sorted(set(id_map)) and len(id_map) == 103_808
    eos, pad = id_map.index(151645), id_map.index(151643)
    assert load_json(sliced_qwen3, "config.json")["vocab_size"] == 103_808
    assert load_json(sliced_qwen3, "config.json")["eos_token_id"] == eos
    generation = load_json(sliced_qwen3, "generation_config.json")
    assert (generation["eos_token_id"], generation["pad_token_id"]) == ([eos, pad], pad)
    tokenizer = tokenizer_of(sliced_qwen3)
    assert (tokenizer.eos_token_id, tokenizer.pad_token_id, len(tokenizer)) == (eos, pad, 103_808)
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
        f"found = slice_base(base, {{'ca': ['Text.']}}, Workspace({str(workspace.root)!r}), Vocabulary())\n"
        "assert not {'torch', 'transformers', 'tokenizers'} & sys.modules.keys()\n"
        "print(found.model_dump_json())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert Base.model_validate_json(done.stdout) == sliced_qwen3
    monkeypatch.setattr(slicing, "_make", lambda *_: pytest.fail("made again"))
    assert slice_base(tiny_qwen3, texts, workspace, Vocabulary(slice=False)) == sliced_qwen3


def test_texts_bring_their_own_tokens(tiny_tied: Base, sliced_tied: Base, workspace: Workspace) -> None:
    texts: dict[Language, list[str]] = {"en": ["The word 项目 means project.", "plain"]}
    sliced = slice_base(tiny_tied, texts, workspace, Vocabulary())
    assert sliced.id != sliced_tied.id
    old, new = tokenizer_of(tiny_tied), tokenizer_of(sliced)
    assert new.tokenize(texts["en"][0]) == old.tokenize(texts["en"][0])
    assert load_proof(sliced).languages["en"].differing == 0
    assert tokenizer_of(sliced_tied).tokenize(texts["en"][0]) != old.tokenize(texts["en"][0])


def test_rows_left_over_are_the_bases_own_then_zeros(tiny_tied: Base, tmp_path: Path) -> None:
    """Padded to 200,000 rows, every one of the 151,669 tokens finds a place."""
    import torch

    sliced = slice_base(tiny_tied, {}, Workspace(tmp_path), Vocabulary(pad_rows_to=100_000))
    assert sliced.rows == 200_000
    assert load_json(sliced, "id_map.json") == list(range(151_669))
    old, new = (model_of(b).model.embed_tokens.weight for b in (tiny_tied, sliced))
    assert torch.equal(new[:151_936], old) and not new[151_936:].any()


def test_a_failure_leaves_no_base(tiny_tied: Base, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    workspace = Workspace(tmp_path)
    monkeypatch.setattr(slicing, "by_script", lambda vocabulary, alphabet: {t for t in vocabulary if len(t) == 1})
    monkeypatch.setattr(slicing, "fill", lambda kept, *_: kept)
    with pytest.raises(FatalError, match="reads 1 of 1 en texts otherwise"):
        slice_base(tiny_tied, {"en": ["words"]}, workspace, Vocabulary())
    assert workspace.keys("bases") == []


def test_a_base_without_a_proof_is_told(tiny_tied: Base) -> None:
    with pytest.raises(FatalError, match="no proof"):
        load_proof(tiny_tied)


def test_too_few_rows_are_refused(tiny_tied: Base, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="more tokens than"):
        slice_base(tiny_tied.model_copy(update={"rows": 151_000}), {}, Workspace(tmp_path), Vocabulary())


def test_embedded_base_writes_the_same(smollm2: Base, workspace: Workspace, texts: dict[Language, list[str]]) -> None:
    """SmolLM2: its special tokens stand first, it lacks some bytes, and it is tied."""
    sliced = slice_base(smollm2, texts, workspace, Vocabulary())
    assert (sliced.rows, load_json(sliced, "config.json")["eos_token_id"]) == (48_768, 2)
    proof = load_proof(sliced)
    assert proof.logits is not None and proof.logits.largest_difference < 0.01
    turns = [{"role": "user", "content": "Name three colours, separated by commas."}]
    asked = {"add_generation_prompt": True, "return_tensors": "pt", "return_dict": True}
    written = []
    for base in (smollm2, sliced):
        tokenizer, model = tokenizer_of(base), model_of(base)
        prompt = tokenizer.apply_chat_template(turns, **asked)
        ids = model.generate(**prompt, max_new_tokens=24, do_sample=False)[0]
        written.append(tokenizer.decode(ids))
    assert written[0] == written[1] and written[0].count("<|im_end|>") == 3
