"""Which tokens are kept, and that nothing kept is read otherwise, on random vocabularies and on Qwen3's."""

import unicodedata
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tokenizers import pre_tokenizers

from pipeline.errors import UserError
from pipeline.vocabulary.keep import (
    Alphabet,
    by_script,
    byte_of,
    close,
    fill,
    kept_characters,
    spelled,
    token_bytes,
)
from pipeline.vocabulary.reading import Encoders
from tests.pipeline.vocabulary.random_bpe import KEPT, OTHER, bpe, spell, vocabularies

LATIN = kept_characters(["Latin"])


def test_bytes_are_spelled_as_byte_level_tokenizers_do() -> None:
    assert sorted(byte_of().values()) == list(range(256))
    assert set(byte_of()) == set(pre_tokenizers.ByteLevel.alphabet())
    assert pre_tokenizers.ByteLevel(add_prefix_space=False).pre_tokenize_str("é\n")[0][0] == spell("é")
    assert token_bytes("Ġé") is not None and token_bytes("▁") is None


@pytest.mark.parametrize("kept", ["ñç·’—…€™½²≤∑→ﬁ\u0301\u00a0\t\n", "aZ09_{}\\", "ƏƟḿ", "👍🏽", "𝛼\ufeff\ufffd"])
def test_latin_and_shared_characters_are_kept(kept: str) -> None:
    assert LATIN.issuperset(kept)


@pytest.mark.parametrize("dropped", "γЖ漢かカ한اאक。、「」・\u3000！Ａ｡")
def test_other_scripts_and_their_punctuation_are_not(dropped: str) -> None:
    assert dropped not in LATIN


def test_east_asian_scripts_take_their_forms_along() -> None:
    assert kept_characters(["Han"]).issuperset("漢。！\u3000") and "Ж" not in kept_characters(["Han"])


def test_extra_characters_are_kept() -> None:
    assert kept_characters(["Latin"], "γ！") - LATIN == {"γ", "！"}


def test_unknown_script_is_refused() -> None:
    with pytest.raises(UserError, match=r"vocabulary.scripts.*Klingon"):
        kept_characters(["Latin", "Klingon"])


@pytest.mark.parametrize("form", ["NFC", "NFD", "NFKC", "NFKD"])
def test_normalising_stays_within_what_is_kept(form: str) -> None:
    kept = kept_characters(["Latin"], form=form)  # type: ignore[arg-type]
    marks = [c for c in kept if unicodedata.combining(c)]
    bases = [c for c in kept if unicodedata.normalize("NFD", c) == c]
    assert kept.issuperset("".join(unicodedata.normalize(form, c) for c in kept))  # type: ignore[arg-type]
    pairs = "\n".join(base + mark for mark in marks[:80] for base in bases[:2000])
    assert kept.issuperset(unicodedata.normalize(form, pairs))  # type: ignore[arg-type]


def test_alphabet_is_exact() -> None:
    """Against every substring of every text of three kept characters, and against all bytes nearby."""
    text = [a + b + c for a in KEPT for b in KEPT for c in KEPT]
    inside = {e[m:n] for e in map(str.encode, text) for m in range(len(e)) for n in range(m + 1, len(e) + 1)}
    other = {e[m:n] for o in OTHER for k in KEPT for e in [(k + o + k).encode()]
             for m in range(len(e)) for n in range(m + 1, len(e) + 1)}  # fmt: skip
    alphabet = Alphabet(KEPT)
    assert {piece for piece in inside | other if alphabet.holds(piece)} == inside
    assert len(other - inside) > 50


def test_characters_without_all_their_bytes_are_left_out() -> None:
    assert spelled("aé€", {spell(b"a"), spell(b"\xc3"), spell(b"\xa9"), "Ġx"}) == {"a", "é"}


def test_closing_takes_the_parts_of_parts_in_every_derivation() -> None:
    merges = [("a", "b"), ("ab", "c"), ("b", "c"), ("a", "bc"), ("x", "y")]
    assert close({"abc"}, merges) == {"abc", "ab", "a", "b", "c", "bc"}


def test_filling_takes_low_ids_first_and_none_without_its_parts() -> None:
    vocabulary = {"a": 0, "b": 1, "x": 2, "xa": 3, "ab": 4, "abx": 5}
    merges = [("x", "a"), ("a", "b"), ("ab", "x")]
    assert fill({"a", "b"}, vocabulary, merges, 2) == {"a", "b", "x", "xa"}
    assert fill({"a", "b"}, {t: i for t, i in vocabulary.items() if t != "x"}, merges, 9) == {"a", "b", "ab"}


@settings(max_examples=300)
@given(
    vocabularies(),
    st.lists(st.text(KEPT), max_size=8),
    st.text(KEPT + OTHER),
    st.booleans(),
    st.integers(0, 5),
)
def test_kept_text_is_encoded_alike_and_all_text_comes_back(
    made: tuple[dict[str, int], list[tuple[str, str]]],
    kept_texts: list[str],
    used: str,
    whole: bool,
    more: int,
) -> None:
    vocabulary, merges = made
    base = bpe(vocabulary, merges, whole)
    by_rule = by_script(vocabulary, Alphabet(KEPT))
    assert close(by_rule, merges) == by_rule
    kept = close(by_rule | set(base.encode(used).tokens), merges)
    kept = fill(kept, vocabulary, merges, more)
    new_ids = {token: i for i, token in enumerate(sorted(kept, key=vocabulary.__getitem__))}
    left = [(a, b) for a, b in merges if {a, b, a + b} <= kept]
    sliced = bpe(new_ids, left, whole)
    for text in [*kept_texts, *(k * 3 for k in KEPT), used]:
        assert sliced.encode(text).tokens == base.encode(text).tokens
    for text in (used[::-1], OTHER + used):
        assert sliced.decode(sliced.encode(text).ids) == text


latin_text = st.text(st.sampled_from(sorted(kept_characters(["Latin"], form="NFC"))), max_size=60)
prose = st.text("aeiounstrlç'·à è.,;0123456789\n\t()%€-", max_size=200)


@settings(max_examples=400)
@given(st.one_of(latin_text, prose, st.lists(latin_text | prose).map("".join)))
@example("L'Å\u0301ngstro\u0308m \u212b ﬁ \u2329x\u232a\r\n\n  \u00a0¨\u0301 𝛼𝛽 👩🏽‍🔬<|im_end|><think>")
def test_qwen3_reads_latin_text_alike(latin: Encoders, text: str) -> None:
    assert latin.compare([text]).differing == 0


@settings(max_examples=400)
@given(st.text(max_size=80))
@example("这份报告 отчёт תقرير 보고서 \ud7a3\U0010ffff\ue000\x00")
def test_qwen3_gives_any_text_back(latin: Encoders, text: str) -> None:
    ids = latin.new.encode(text, add_special_tokens=False).ids
    assert latin.new.decode(ids, skip_special_tokens=False) == unicodedata.normalize("NFC", text)


@settings(max_examples=150)
@given(st.lists(latin_text | prose).map("".join), st.text(max_size=60))
def test_qwen3_6_reads_latin_text_alike_and_gives_any_text_back(latin_6: Encoders, latin: str, text: str) -> None:
    """Some of its tokens are made by no merges: they stand for whole pieces only."""
    assert latin_6.compare([latin]).differing == 0
    assert latin_6.round_trip([text, latin + text]).same


def test_qwen3_6_loses_two_fifths_of_its_rows(latin_6: Encoders) -> None:
    assert (latin_6.old.get_vocab_size(), latin_6.new.get_vocab_size()) == (248_077, 143_045)


def test_qwen3_loses_almost_a_third_of_its_rows(latin: Encoders) -> None:
    assert (latin.old.get_vocab_size(), latin.new.get_vocab_size()) == (151_669, 103_773)


def test_qwen3_reads_whole_documents_alike(latin: Encoders) -> None:
    ours = [p.read_text("utf-8") for p in Path(__file__).parents[3].glob("*.md")]
    pythons = [p.read_text("utf-8") for p in sorted(Path(unicodedata.__file__ or __file__).parent.glob("*.py"))]
    here = [p.read_text("utf-8") for p in sorted(Path(__file__).parents[3].glob("pipeline/**/*.py"))]
    kept = kept_characters(["Latin"], form="NFC")
    texts = [text for text in ours + pythons + here if kept.issuperset(text)]
    proof = latin.compare(texts)
    assert proof.tokens > 10_000 and proof.differing == 0
