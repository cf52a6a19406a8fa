"""Slicing by usage: what is kept, that it reads alike, and what it costs on text that was not counted."""

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.settings import Vocabulary
from pipeline.vocabulary.keep import byte_of, close, fill
from pipeline.vocabulary.reading import Encoders
from pipeline.vocabulary.texts import FOLDS, Texts
from pipeline.vocabulary.tokenizer import (
    SourceTokenizer,
    encode_all,
    encoder_of,
    load_encoder,
    sliced_document,
    write_sliced_tokenizer,
)
from pipeline.vocabulary.usage import Usage, by_usage
from tests.pipeline.vocabulary.random_bpe import KEPT, OTHER, bpe, spell, vocabularies
from tests.tiny_llama import write_tokenizer

VOCABULARY = [*byte_of(), "ab", "Ġab", "12", "...", "ĊĊ", spell("é"), spell("漢"), spell("»")]


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> SourceTokenizer:
    folder = tmp_path_factory.mktemp("tiny")
    write_tokenizer(folder)
    return SourceTokenizer(folder)


def test_what_is_used_often_enough_is_kept_and_always_bytes_digits_and_punctuation() -> None:
    always = {*byte_of(), "12", "...", "ĊĊ", spell("»")}
    assert by_usage({}, VOCABULARY, 1) == always
    assert by_usage({"ab": 2, spell("漢"): 3, "<s>": 9}, VOCABULARY, 3) == always | {spell("漢")}
    assert by_usage({"ab": 2, spell("漢"): 3, "<s>": 9}, VOCABULARY, 2) == always | {"ab", spell("漢")}


@settings(max_examples=200)
@given(vocabularies(), st.lists(st.text(KEPT + OTHER), max_size=6), st.integers(1, 3), st.integers(0, 4), st.booleans())
def test_text_whose_tokens_are_kept_is_encoded_alike_and_all_text_comes_back(
    made: tuple[dict[str, int], list[tuple[str, str]]], texts: list[str], floor: int, more: int, whole: bool
) -> None:
    vocabulary, merges = made
    if whole:  # tokens that no merges make: they stand for whole pieces
        vocabulary = {**vocabulary, **{spell(KEPT + OTHER[:1]): len(vocabulary), spell(OTHER): len(vocabulary) + 1}}
    base = bpe(vocabulary, merges, whole)
    counts = Counter(token for text in texts for token in base.encode(text).tokens)
    kept = fill(close(by_usage(counts, vocabulary, floor), merges), vocabulary, merges, more)
    new_ids = {token: i for i, token in enumerate(sorted(kept, key=vocabulary.__getitem__))}
    sliced = bpe(new_ids, [(a, b) for a, b in merges if {a, b, a + b} <= kept], whole)
    for text in [*texts, KEPT + OTHER[:1], OTHER]:
        tokens = base.encode(text).tokens
        assert (sliced.encode(text).tokens == tokens) == kept.issuperset(tokens)
        assert sliced.decode(sliced.encode(text).ids) == text
    if floor == 1:
        assert all(kept.issuperset(base.encode(text).tokens) for text in texts)


def test_qwen3_reads_what_it_was_cut_for_alike(qwen3: Path, tmp_path: Path, texts: dict[str, list[str]]) -> None:
    source = SourceTokenizer(qwen3)
    cut_for = Texts({**texts, "el": ["Η έκθεση: 24 μήνες."]}, kept=["这份报告"])
    id_map, rows = source.padded(Usage(source, cut_for, Vocabulary(method="usage")).tokens(), 128)
    write_sliced_tokenizer(source, {old: new for new, old in enumerate(id_map)}, tmp_path)
    encoders = Encoders(qwen3, tmp_path, id_map)
    assert rows == 6_528 and encoders.compare(list(cut_for)).differing == 0
    unseen = encoders.compare(["Una memòria que ningú no ha comptat.", "Отчёт"])
    assert (unseen.differing, unseen.with_dropped) == (2, 2) and unseen.tokens_after > unseen.tokens
    assert encoders.round_trip(["Una memòria que ningú no ha comptat.", "Отчёт 这份"]).same


def test_growth_is_measured_on_sources_that_were_not_counted(tiny: SourceTokenizer) -> None:
    """By hand: with every fold in turn left out, its texts are read with the tokens of the others."""
    reports = {
        "ca": ["La memòria recull l'activitat", "El consorci", "La memòria"],
        "en": ["The partners met in Girona", "The table"],
    }
    usage = Usage(tiny, Texts(reports), Vocabulary(method="usage"))
    encoder = load_encoder(tiny.file.parent)
    before = {name: sum(map(len, encode_all(encoder, pieces))) for name, pieces in reports.items()}
    after = {"ca": 0, "en": 0}
    pieces = [(name, piece) for name, its in reports.items() for piece in its]
    for left_out in pieces:
        rest = Counter(t for one in pieces if one != left_out for t in encoder.encode(one[1]).tokens)
        kept = close(by_usage(rest, tiny.vocabulary, 1) | tiny.always_kept, tiny.merges)
        ids = {tiny.tokens[token] for token in fill(kept, tiny.vocabulary, tiny.merges, -(len(kept)) % 128)}
        document = sliced_document(tiny, {old: new for new, old in enumerate(sorted(ids))})
        after[left_out[0]] += len(encoder_of(document).encode(left_out[1]).ids)
    assert after["ca"] > before["ca"]
    assert usage.growth(before) == {name: pytest.approx(after[name] / before[name] - 1, abs=1e-6) for name in before}


def test_sources_stay_together(tiny: SourceTokenizer) -> None:
    """Two sections that use the same words: as one report they are unseen together, apart one teaches the other."""
    reports = {"ca": ["La memòria recull", "La memòria recull", "12"]}
    before = {"ca": 100}
    together = Usage(tiny, Texts(reports, {"ca": ["a", "a", "b"]}), Vocabulary(method="usage")).growth(before)
    apart = Usage(tiny, Texts(reports, {"ca": ["a", "b", "c"]}), Vocabulary(method="usage")).growth(before)
    assert together["ca"] > apart["ca"]
    assert Usage(tiny, Texts(reports, {"ca": ["a", "a", "a"]}), Vocabulary(method="usage")).growth(before) == {}


def test_texts_to_keep_and_extra_characters_know_no_floor(tiny: SourceTokenizer) -> None:
    floor = Vocabulary(method="usage", usage_floor=9, extra_characters="ó")
    without = Usage(tiny, Texts({"en": ["The partners"]}), floor).tokens()
    kept = Usage(tiny, Texts({"en": ["The partners"]}, kept=["The partners"]), floor).tokens()
    used = set(load_encoder(tiny.file.parent).encode("The partners").tokens)
    assert kept >= used and not without >= used
    assert spell("ó") in tiny.vocabulary and spell("ó") in without


@given(st.lists(st.sampled_from("abcdefghij"), min_size=1, max_size=30))
def test_folds_are_even_and_do_not_hang_on_the_order(sources: list[str]) -> None:
    texts = Texts({"ca": sources}, {"ca": sources})
    fold_of = dict(zip(sources, texts.folds["ca"], strict=True))
    sizes = Counter(fold_of.values())
    assert max(sizes.values()) - min(sizes.get(fold, 0) for fold in range(FOLDS)) <= 1
    backwards = Texts({"en": sources[::-1]}, {"en": sources[::-1]})
    assert dict(zip(sources[::-1], backwards.folds["en"], strict=True)) == fold_of
