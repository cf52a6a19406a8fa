"""Random strings of every kind that could trip a tokenizer, and all of Unicode in order."""

import random
from collections.abc import Callable, Iterator, Sequence

import regex

_SCRIPTS = (
    "abcdefghijklmnopqrstuvwxyz ", "àáçèéíïñòóúü·’ ", "αβγδεζηθικλμνξο ", "абвгдежзиклмноп ", "اأبتثجحخدذرز ",
    "אבגדהוזחטיכל ", "這份报告说明项目", "こんにちはレポート", "보고서는사업에서한", "यह रिपोर्ट बताती है",
    "รายงานนี้อธิบาย", "ՀաշվետվությունԱ ", "ანგარიში ", "0123456789.,;:%€/-–—()[]{}", "∑∫≤≥→⇒≠√∞½²",
    "👩🏽‍🔬✅🇪🇺👍🏿🧑‍🤝‍🧑",
)  # fmt: skip
_CONTROLS = [*map(chr, (*range(0x20), *range(0x7F, 0xA0))), *"\u200b\u200d\u202e\u2066\u2069\ufeff\ufffd\ufffe\uffff"]
_MARKS = [*map(chr, (*range(0x300, 0x370), *range(0x20D0, 0x20F1), *range(0x0591, 0x05BE), 0x093F, 0x0E33, 0xFE0F))]
_LETTERS = "aeioucnsAEIOUCNSαωиеקक가かÅ"


def random_texts(number: int, special: Sequence[str], seed: int = 0) -> Iterator[str]:
    """`number` strings of up to some hundred characters, always the same ones for a seed.

    By turns: random bytes (read as UTF-8, and what is none dropped), any characters, mixed scripts, control
    characters in words, letters under heaps of marks, long runs, and special tokens, whole, cut and mixed.

    Args:
        special: contents of the special tokens.
    """
    rng = random.Random(seed)
    kinds: tuple[Callable[[random.Random], str], ...] = (
        _of_bytes, _of_any_characters, _of_scripts, _of_controls, _of_marks, _of_runs,
        lambda rng: _of_special(rng, special),
    )  # fmt: skip
    for turn in range(number):
        yield kinds[turn % len(kinds)](rng)


def _of_bytes(rng: random.Random) -> str:
    # Every second byte string begins characters of several bytes, which evenly drawn bytes seldom finish.
    evenly = rng.randbytes(rng.randrange(1, 40))
    multiple = bytes(
        b for _ in range(rng.randrange(8)) for b in (rng.randrange(0xC2, 0xF5), *rng.choices(range(0x80, 0xC0), k=2))
    )
    return (evenly + multiple).decode("utf-8", "ignore")


def _of_any_characters(rng: random.Random) -> str:
    planes = (0x80, 0x800, 0xD800, 0x20000, 0x110000)
    drawn = (rng.randrange(rng.choice(planes)) for _ in range(rng.randrange(1, 24)))
    return "".join(chr(point) for point in drawn if not 0xD800 <= point < 0xE000)


def _of_scripts(rng: random.Random) -> str:
    return "".join(
        "".join(rng.choices(rng.choice(_SCRIPTS), k=rng.randrange(1, 8))) for _ in range(rng.randrange(1, 6))
    )


def _of_controls(rng: random.Random) -> str:
    return "".join(rng.choice(_CONTROLS) + "".join(rng.choices(_SCRIPTS[0], k=3)) for _ in range(rng.randrange(1, 6)))


def _of_marks(rng: random.Random) -> str:
    return "".join(
        rng.choice(_LETTERS) + "".join(rng.choices(_MARKS, k=rng.randrange(5))) for _ in range(rng.randrange(1, 8))
    )


def _of_runs(rng: random.Random) -> str:
    return rng.choice(rng.choice((*_SCRIPTS, _CONTROLS, "  \n\t-=_*."))) * rng.randrange(1, 120)


def _of_special(rng: random.Random, special: Sequence[str]) -> str:
    whole = rng.choice(special) if special else "<|im_start|>"
    cut = whole[: rng.randrange(len(whole) + 1)]
    return rng.choice(
        (whole, cut, cut + whole, whole[1:], whole.replace("|", "||"), whole.upper(), f"a{whole}\n{whole}b")
    )


def unicode_blocks() -> Iterator[str]:
    """Every character that Unicode assigns, private ones apart, by blocks of 256 code points."""
    unassigned = regex.compile(r"[\p{Cn}\p{Co}]")
    for start in (*range(0, 0xD800, 256), *range(0xE000, 0x110000, 256)):
        block = unassigned.sub("", "".join(map(chr, range(start, start + 256))))
        if block:
            yield block
