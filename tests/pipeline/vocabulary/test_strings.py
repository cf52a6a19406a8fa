"""Random strings: the same for a seed, of every kind, and such as any encoder can take."""

import unicodedata

import regex

from pipeline.vocabulary.strings import random_texts, unicode_blocks

SPECIAL = ["<|im_start|>", "<think>"]


def test_strings_are_the_same_for_a_seed_and_of_every_kind() -> None:
    strings = list(random_texts(7_000, SPECIAL))
    assert strings == list(random_texts(7_000, SPECIAL)) != list(random_texts(7_000, SPECIAL, seed=1))
    assert all(text == text.encode().decode() for text in strings)  # no surrogates
    whole = "".join(strings)
    assert {unicodedata.category(c) for c in whole} >= {
        "Lu",
        "Ll",
        "Lo",
        "Mn",
        "Cc",
        "Cf",
        "Nd",
        "Sm",
        "So",
        "Co",
        "Cn",
    }
    for wanted in (r"\p{Arabic}", r"\p{Han}", r"\p{Hangul}", r"\U0001F3FD", r"(.)\1{90}", r"[a-z]\p{M}{3}", "<think>"):
        assert regex.search(wanted, whole), wanted
    assert any("<|im_sta" in text and "<|im_start|>" not in text for text in strings)
    assert sum(map(str.isascii, strings)) < 3_500


def test_every_assigned_character_is_in_its_block_once() -> None:
    whole = "".join(unicode_blocks())
    assert len(set(whole)) == len(whole) > 140_000
    assert set("aéа漢👍\u0301\U000e0001") <= set(whole) and "\ue000" not in whole
