"""Tokenizer files and configurations, renumbered; other kinds of tokenizer, refused."""

import json
from pathlib import Path
from typing import Any

import pytest

from pipeline.errors import UserError
from pipeline.vocabulary.configuration import is_tied, write_sliced_configuration
from pipeline.vocabulary.tokenizer import SourceTokenizer, sliced_document, write_sliced_tokenizer

BYTE_LEVEL = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
ADDED = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}


def document(**changes: Any) -> dict[str, Any]:
    model = {"type": "BPE", "vocab": {"a": 0, "b": 1, "x": 2, "ab": 3, "xa": 4}, "merges": ["x a", "a b"]}
    whole = {
        "added_tokens": [{"id": 5, "content": "<s>", **ADDED}, {"id": 6, "content": "</s>", **ADDED}],
        "normalizer": None,
        "pre_tokenizer": BYTE_LEVEL,
        "post_processor": {
            "type": "Sequence",
            "processors": [
                BYTE_LEVEL,
                {
                    "type": "TemplateProcessing",
                    "single": [{"SpecialToken": {"id": "<s>", "type_id": 0}},
                               {"Sequence": {"id": "A", "type_id": 0}}],
                    "pair": [{"Sequence": {"id": "A", "type_id": 0}},
                             {"Sequence": {"id": "B", "type_id": 1}}],
                    "special_tokens": {"<s>": {"id": "<s>", "ids": [5], "tokens": ["<s>"]}},
                },
            ],
        },
        "decoder": BYTE_LEVEL,
        "padding": {"strategy": "BatchLongest", "direction": "Right", "pad_to_multiple_of": None,
                    "pad_id": 6, "pad_type_id": 0, "pad_token": "</s>"},
    }  # fmt: skip
    return {
        "version": "1.0",
        "truncation": None,
        **whole,
        "model": {**model, **changes.pop("model", {})},
        **changes,
    }


def written(folder: Path, **changes: Any) -> SourceTokenizer:
    (folder / "tokenizer.json").write_text(json.dumps(document(**changes)))
    return SourceTokenizer(folder)


def test_every_id_is_renumbered(tmp_path: Path) -> None:
    from tokenizers import Tokenizer

    source, target = tmp_path / "source", tmp_path / "target"
    source.mkdir()
    target.mkdir()
    decoder = {"5": {"content": "<s>"}, "6": {"content": "</s>"}}
    (source / "tokenizer_config.json").write_text(json.dumps({"added_tokens_decoder": decoder, "eos_token": "</s>"}))
    (source / "added_tokens.json").write_text(json.dumps({"<s>": 5, "</s>": 6}))
    write_sliced_tokenizer(written(source), {0: 0, 1: 1, 3: 2, 5: 3, 6: 4}, target)

    sliced = Tokenizer.from_file(str(target / "tokenizer.json"))
    assert sliced.get_vocab() == {"a": 0, "b": 1, "ab": 2, "<s>": 3, "</s>": 4}
    said = json.loads((target / "tokenizer.json").read_text())["added_tokens"]
    assert [(token["content"], token["id"]) for token in said] == [("<s>", 3), ("</s>", 4)]
    assert sliced.encode("ab").ids == [3, 2]
    assert [e.ids for e in sliced.encode_batch(["ab", "b</s>b"])] == [[3, 2, 4, 4], [3, 1, 4, 1]]
    config = json.loads((target / "tokenizer_config.json").read_text())
    assert config == {
        "added_tokens_decoder": {"3": {"content": "<s>"}, "4": {"content": "</s>"}},
        "eos_token": "</s>",
    }
    assert json.loads((target / "added_tokens.json").read_text()) == {"<s>": 3, "</s>": 4}


def test_the_source_is_not_changed(tmp_path: Path) -> None:
    source = written(tmp_path)
    before = json.dumps(source.document)
    (tmp_path / "target").mkdir()
    write_sliced_tokenizer(source, {0: 0, 5: 1, 6: 2}, tmp_path / "target")
    assert json.dumps(source.document) == before


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"model": {"type": "Unigram", "vocab": [["a", -1.0]], "merges": []}}, "Unigram"),
        ({"model": {"type": "WordPiece", "merges": []}}, "WordPiece"),
        ({"pre_tokenizer": {"type": "Metaspace"}}, "not of bytes"),
        ({"pre_tokenizer": None}, "not of bytes"),
        ({"model": {"byte_fallback": True}}, "not of bytes"),
        ({"model": {"end_of_word_suffix": "</w>"}}, "not of bytes"),
        ({"normalizer": {"type": "Lowercase"}}, "Lowercase"),
        (
            {"normalizer": {"type": "Sequence", "normalizers": [{"type": "NFC"}, {"type": "Strip"}]}},
            "NFC, Strip",
        ),
    ],
)
def test_what_cannot_be_sliced_is_refused(tmp_path: Path, changes: dict[str, Any], said: str) -> None:
    with pytest.raises(UserError, match=rf"tokenizer\.json: .*{said}.*vocabulary\.slice = false"):
        written(tmp_path, **changes)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("tokenizer.model", "only SentencePiece's own file"),
        ("qwen.tiktoken", "only tiktoken's own file"),
        ("vocab.txt", "only WordPiece's own file"),
        ("README.md", r"no tokenizer\.json\. Choose"),
    ],
)
def test_a_folder_without_tokenizer_json_is_told_what_it_has(tmp_path: Path, name: str, said: str) -> None:
    (tmp_path / name).write_bytes(b"")
    with pytest.raises(UserError, match=said):
        SourceTokenizer(tmp_path)


@pytest.mark.parametrize(
    "changes",
    [
        {"model": {"vocab": [["a", 0]]}},
        {"model": {"merges": ["xa"]}},
        {"model": {"merges": [["x", "a", "b"]]}},
        {"model": {"merges": None}},
        {"added_tokens": [{"content": "<s>"}]},
        {"pre_tokenizer": [BYTE_LEVEL]},
    ],
)
def test_a_broken_tokenizer_is_told_in_one_line(tmp_path: Path, changes: dict[str, Any]) -> None:
    with pytest.raises(UserError, match=r"tokenizer\.json: is no sound tokenizer\. Fetch the model again$"):
        written(tmp_path, **changes)


def test_the_oldest_files_do_not_name_their_kind(tmp_path: Path) -> None:
    whole = document()
    del whole["model"]["type"]
    (tmp_path / "tokenizer.json").write_text(json.dumps(whole))
    assert SourceTokenizer(tmp_path).merges == [("x", "a"), ("a", "b")]
    del whole["model"]["merges"]
    (tmp_path / "tokenizer.json").write_text(json.dumps(whole))
    with pytest.raises(UserError, match="of no known kind"):
        SourceTokenizer(tmp_path)


def test_an_id_that_no_token_has_is_told(tmp_path: Path) -> None:
    source = written(tmp_path, padding={"pad_id": 99, "pad_token": "x"})
    with pytest.raises(UserError, match=r"tokenizer\.json: names the token id 99"):
        sliced_document(source, {0: 0, 5: 1, 6: 2})


def test_what_a_file_beside_it_adds_is_always_kept_or_told(tmp_path: Path) -> None:
    """tokenizer_config.json may call a word of the vocabulary an added token; one that is nowhere would be lost."""
    source = written(tmp_path)
    (tmp_path / "tokenizer_config.json").write_text(json.dumps({"added_tokens_decoder": {"4": {"content": "xa"}}}))
    assert source.always_kept == {"xa"}
    (tmp_path / "added_tokens.json").write_text(json.dumps({"<s>": 5, "<new>": 7}))
    with pytest.raises(UserError, match=r"added_tokens\.json: names the token id 7, which tokenizer\.json does not"):
        _ = written(tmp_path).always_kept


def test_normal_form_is_found_in_a_sequence(tmp_path: Path) -> None:
    assert written(tmp_path, normalizer={"type": "Sequence", "normalizers": [{"type": "NFKC"}]}).form == "NFKC"


def test_added_and_unknown_tokens_stay_whatever_their_script(tmp_path: Path) -> None:
    added = [{"id": 4, "content": "xa", **ADDED}, {"id": 7, "content": "<z>", **ADDED}]
    source = written(tmp_path, added_tokens=added, model={"unk_token": "b"})
    assert source.always_kept == {"xa", "b"}


def test_configuration_is_renumbered_at_every_depth(tmp_path: Path) -> None:
    config = {
        "vocab_size": 10, "eos_token_id": [9, 7], "bos_token_id": None, "pad_token_id": -1, "hidden_size": 10,
        "text_config": {"vocab_size": 10, "eos_token_id": 9, "tie_word_embeddings": False},
        "vision_config": {"vocab_size": 3}, "architectures": ["X"], "image_token_index": 7,
    }  # fmt: skip
    (tmp_path / "config.json").write_text(json.dumps(config))
    (tmp_path / "generation_config.json").write_text(json.dumps({"suppress_tokens": [7], "pad_token_id": 9}))
    target = tmp_path / "target"
    target.mkdir()
    write_sliced_configuration(tmp_path, target, {7: 2, 9: 3}, 10, 4)
    assert json.loads((target / "config.json").read_text()) == {
        **config, "vocab_size": 4, "eos_token_id": [3, 2], "image_token_index": 2,
        "text_config": {"vocab_size": 4, "eos_token_id": 3, "tie_word_embeddings": False},
    }  # fmt: skip
    assert json.loads((target / "generation_config.json").read_text()) == {
        "suppress_tokens": [2],
        "pad_token_id": 3,
    }


def test_configuration_that_names_no_token_is_refused(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(json.dumps({"vocab_size": 10, "eos_token_id": 8}))
    with pytest.raises(UserError, match="token id 8"):
        write_sliced_configuration(tmp_path, tmp_path, {7: 2}, 10, 4)


@pytest.mark.parametrize(
    ("config", "tied"),
    [
        ({}, True),
        ({"tie_word_embeddings": False}, False),
        ({"tie_word_embeddings": True, "text_config": {"tie_word_embeddings": False}}, True),
        ({"text_config": {"tie_word_embeddings": False}}, False),
        ({"text_config": {}}, True),
    ],
)
def test_a_nested_model_may_say_inside_that_it_is_tied(tmp_path: Path, config: dict[str, Any], tied: bool) -> None:
    (tmp_path / "config.json").write_text(json.dumps(config))
    assert is_tied(tmp_path) is tied
