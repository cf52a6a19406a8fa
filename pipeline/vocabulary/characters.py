"""The characters that the settings name: the scripts, and signs that are no script's, each on or off.

| setting         | characters                                                                            |
|-----------------|---------------------------------------------------------------------------------------|
| `scripts`       | those of the scripts, and those that Unicode knows in every script (Common, Inherited) |
| `greek_letters` | the Greek alphabet (U+0370 to U+03FF), as quantities and units are named: α, µ, Ω      |
| `arrows`        | the blocks of arrows: →, ⇒, ⟶                                                          |
| `emoji`         | pictures that are shown as such unasked (✅), and all beyond U+FFFF                     |

With Qwen3's vocabulary Latin keeps 103,747 tokens, Greek letters 204 more; arrows are 138 of them and emoji
1,008. All are on by default: they cost little, and a report that brings the first of them then leads to the
same sliced base.
"""

from functools import cache

import regex

from pipeline.settings import Vocabulary
from pipeline.vocabulary.keep import Form, all_characters, kept_characters

_GREEK = r"[\p{Script=Greek}&&[\u0370-\u03FF]]"
_ARROWS = r"[\u2190-\u21FF\u27F0-\u27FF\u2900-\u297F\u2B00-\u2B11\u2B30-\u2B4F\u2B5A-\u2BB8\U0001F800-\U0001F8FF]"
_EMOJI = r"[\p{Emoji_Presentation}\p{Emoji_Modifier}[\p{Extended_Pictographic}&&[\U00010000-\U0010FFFF]]]"


@cache
def _matching(pattern: str) -> frozenset[str]:
    return frozenset(regex.findall(rf"[{pattern}--\p{{Unassigned}}]", all_characters(), flags=regex.VERSION1))


def greek_letters() -> frozenset[str]:
    """The Greek alphabet with its accents, old letters apart from Coptic ones."""
    return _matching(_GREEK)


def arrows() -> frozenset[str]:
    """Arrows of every kind; none of them is an emoji."""
    return _matching(_ARROWS)


def emoji() -> frozenset[str]:
    """Pictures, flags' letters and skin tones. Signs that are pictures only when asked (©, ™, ✔) are not."""
    return _matching(_EMOJI)


def script_characters(settings: Vocabulary, form: Form | None) -> frozenset[str]:
    """All characters that are kept whole: what any text over them holds is encoded as before.

    Args:
        form: the normal form that the tokenizer brings text into, if any.

    Raises:
        UserError: Unicode has no such script.
    """
    extra, without = set(settings.extra_characters), set[str]()
    if settings.greek_letters:
        extra |= greek_letters()
    if not settings.arrows:
        without |= arrows()
    if not settings.emoji:
        without |= emoji()
    return kept_characters(settings.scripts, "".join(sorted(extra)), form, without)
