"""Signs that the settings turn on and off."""

import unicodedata

import pytest

from pipeline.settings import Vocabulary
from pipeline.vocabulary.characters import arrows, emoji, greek_letters, script_characters

ALL_OFF = Vocabulary(greek_letters=False, arrows=False, emoji=False)
LATIN = script_characters(ALL_OFF, None)


@pytest.mark.parametrize(
    ("setting", "its", "not_its"),
    [
        ("greek_letters", "αΩμέΰϑ", "ἀϣЖ漢"),
        ("arrows", "→⇒↔⟶⬅⮕", "⟨⬛➤"),
        ("emoji", "✅👍🏽🇪😀", "©™✔☎→"),
    ],
)
def test_each_sign_has_its_setting(setting: str, its: str, not_its: str) -> None:
    gained = script_characters(ALL_OFF.model_copy(update={setting: True}), None) - LATIN
    assert gained.issuperset(its) and gained.isdisjoint(not_its) and LATIN.isdisjoint(its)


def test_all_are_on_by_default_and_nothing_else_is_lost_without_them() -> None:
    whole = script_characters(Vocabulary(), None)
    assert whole - LATIN == (greek_letters() | arrows() | emoji()) - set("🉐🉑")  # those two are Han's
    assert LATIN.issuperset("aç·’—…€™½²≤∑µº©✔♦\u0301\n")
    assert not (arrows() & emoji()) and all(unicodedata.category(c) != "Cn" for c in greek_letters())


def test_a_named_script_or_character_stays_whatever_is_off() -> None:
    chosen = script_characters(
        ALL_OFF.model_copy(update={"scripts": ("Latin", "Greek"), "extra_characters": "→"}), None
    )
    assert chosen.issuperset("αἀ→") and "⇒" not in chosen


@pytest.mark.parametrize("setting", ["greek_letters", "arrows", "emoji"])
def test_normalising_leads_to_no_sign_that_is_off(setting: str) -> None:
    off = script_characters(Vocabulary(**{setting: False}), "NFC")
    assert off.isdisjoint({"greek_letters": "αΩ", "arrows": "→↚", "emoji": "👍🏽"}[setting])
    composed = {unicodedata.normalize("NFC", c + mark) for c in "→=α👍" for mark in "\u0338\u0301" if c in off}
    assert off.issuperset("".join(composed))
