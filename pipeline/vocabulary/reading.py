"""Does the sliced tokenizer read as the base's does? Tried on the office's texts, on Unicode, on random strings.

A text whose tokens are all kept must be encoded alike, and every text must come back as it does with the
base; if not, the argument in `keep` or the code is wrong, and no sliced base is made. By script, all texts
at hand have all their tokens kept. By usage, some hold tokens that are used too seldom to be kept: they are
counted as read differently, and what that costs is told as growth.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.errors import FatalError
from pipeline.progress import Progress, silent
from pipeline.vocabulary.choice import Choice
from pipeline.vocabulary.proof import LanguageProof, RoundTrip
from pipeline.vocabulary.strings import random_texts, unicode_blocks
from pipeline.vocabulary.texts import Texts
from pipeline.vocabulary.tokenizer import batches, encode_all, load_encoder

if TYPE_CHECKING:
    from tokenizers import Tokenizer

RANDOM_TEXTS = 100_000
_OTHER_SCRIPTS = {
    "Arabic": "يشرح هذا التقرير ما أُنجز في المشروع وما بقي منه خلال ٢٤ شهرًا.",
    "Chinese": "这份报告说明项目已经完成了什么，还剩下什么：二十四个月，十二个工作坊。",
    "Cyrillic": "Отчёт рассказывает, что сделано по проекту и что осталось: 24 месяца, 12 семинаров.",
    "Devanagari": "यह रिपोर्ट बताती है कि परियोजना में क्या हुआ और क्या बाकी है।",
    "Greek": "Η έκθεση λέει τι έγινε και τι απομένει: 24 μήνες, 12 εργαστήρια.",
    "Hebrew": "הדוח מספר מה נעשה בפרויקט ומה נותר לעשות.",
    "Japanese": "この報告書は、プロジェクトで行ったことと残りの作業を説明します。",
    "Korean": "이 보고서는 사업에서 한 일과 남은 일을 설명합니다.",
    "Thai": "รายงานนี้อธิบายสิ่งที่ทำแล้วและสิ่งที่ยังเหลืออยู่",
    "emoji": "👩🏽‍🔬🏳️‍🌈🇪🇺 ✅ 1️⃣ 🧑‍🤝‍🧑",
    "broken": "caf\ufffd\ufffd e\u0301\u0323 \u200b\u202e\ufeff \x00\x07\x1b[0m \ue000 \U0010ffff",
}


class Encoders:
    """Both tokenizers, and the map between their ids."""

    def __init__(self, old_folder: Path, new_folder: Path, id_map: Sequence[int]) -> None:
        """`id_map[new id]` is the old id."""
        self.old, self.new = load_encoder(old_folder), load_encoder(new_folder)
        self.id_map = id_map

    def compare(self, texts: Sequence[str], progress: Progress = silent, note: str = "") -> LanguageProof:
        """Encode the texts with both."""
        kept = set(self.id_map)
        differing = with_dropped = before = after = 0
        pairs = zip(encode_all(self.old, texts), encode_all(self.new, texts), strict=True)
        for done, (old, new) in enumerate(pairs, start=1):
            differing += old != [self.id_map[i] for i in new]
            with_dropped += not kept.issuperset(old)
            before, after = before + len(old), after + len(new)
            if done % 1000 == 0 or done == len(texts):
                progress(done, len(texts), note)
        return LanguageProof(
            pieces=len(texts),
            differing=differing,
            identical=round(1 - differing / len(texts), 6) if texts else 1.0,
            with_dropped=with_dropped,
            tokens=before,
            tokens_after=after,
        )

    def round_trip(self, texts: Iterable[str]) -> RoundTrip:
        """Encode and decode the texts with both."""
        number = characters = before = after = 0
        same = True
        for batch in batches(texts):
            olds, news = list(encode_all(self.old, batch)), list(encode_all(self.new, batch))
            same &= _decoded(self.old, olds) == _decoded(self.new, news)
            number, characters = number + len(batch), characters + sum(map(len, batch))
            before, after = before + sum(map(len, olds)), after + sum(map(len, news))
        return RoundTrip(texts=number, characters=characters, tokens_before=before, tokens_after=after, same=same)


def _decoded(encoder: "Tokenizer", ids: list[list[int]]) -> list[str]:
    return encoder.decode_batch(ids, skip_special_tokens=False)


def prove_texts(encoders: Encoders, texts: Texts, choice: Choice, progress: Progress = silent) -> dict[str, Any]:
    """The proof's fields that hang on the texts at hand: `texts`, `languages`, `kept_texts` and `growth`.

    Raises:
        FatalError: a text whose tokens are all kept is read otherwise, or a token is missing that must not.
    """
    languages = {name: encoders.compare(pieces, progress, name) for name, pieces in texts.reports.items() if pieces}
    kept = encoders.compare(texts.kept, progress, "texts to keep") if texts.kept else None
    for name, proof in languages.items():
        _require_alike(proof, proof.with_dropped if choice.usage else 0, name)
    if kept:
        _require_alike(kept, 0, "kept")
    growth = choice.usage.growth({name: proof.tokens for name, proof in languages.items()}) if choice.usage else {}
    return {"texts": texts.digest, "languages": languages, "kept_texts": kept, "growth": growth}


def _require_alike(proof: LanguageProof, allowed: int, name: str) -> None:
    wrong = proof.differing - allowed
    if wrong:
        raise FatalError(f"the sliced tokenizer reads {wrong} of {proof.pieces} {name} texts otherwise")


def prove_round_trips(encoders: Encoders, special: Sequence[str], progress: Progress = silent) -> dict[str, Any]:
    """The proof's fields `other_scripts`, `unicode` and `random`.

    Args:
        special: contents of the special tokens, for random strings that look like them.

    Raises:
        FatalError: something does not come back as from the base.
    """
    progress(0, 2, "all of Unicode")
    others = {name: encoders.round_trip([text]) for name, text in _OTHER_SCRIPTS.items()}
    unicode = encoders.round_trip(unicode_blocks())
    progress(1, 2, "random strings")
    random = encoders.round_trip(random_texts(RANDOM_TEXTS, special))
    tried: Mapping[str, RoundTrip] = {**others, "Unicode": unicode, "random strings": random}
    lost = [name for name, trip in tried.items() if not trip.same]
    if lost:
        raise FatalError(f"the sliced tokenizer does not give back {', '.join(lost)} as the base's does")
    progress(2, 2, "random strings")
    return {"other_scripts": others, "unicode": unicode, "random": random}
