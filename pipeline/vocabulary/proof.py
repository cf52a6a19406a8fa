"""The proof that a sliced base reads and writes as the base it was cut from, made and kept with it.

`keep` argues that nothing can differ; here it is tried, on the texts at hand, on every character of Unicode,
and (for a small model) on the logits. If text is read or given back otherwise, the argument or the code is
wrong, and no sliced base is made. Logits are reported: they are equal to the bit where the processor sums a
row in the same order whatever the number of rows, and within rounding elsewhere.
"""

from collections.abc import Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import regex
from pydantic import BaseModel, ConfigDict

from pipeline.errors import FatalError
from pipeline.progress import Progress, silent
from pipeline.records import Base, Language
from pipeline.storage import write_json
from pipeline.vocabulary.tokenizer import load_encoder

PROOF = "proof.json"
SMALL_MODEL_BYTES = 1_000_000_000

_AT_ONCE = 256
_LOGIT_TOKENS = 64
_SENTENCES: dict[Language, str] = {
    "ca": "La memòria explica què s'ha fet i què en queda: 24 mesos, 12 tallers i 1.250 persones.",
    "es": "La memoria explica qué se ha hecho y qué falta: 24 meses, 12 talleres y 1.250 personas.",
    "en": "The report tells what was done, and what is left to do: 24 months, 12 workshops and 1,250 people.",
}
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


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class LanguageProof(_Value):
    """Texts of one language, encoded by both tokenizers; `differing` of the `pieces` come out otherwise."""

    pieces: int
    differing: int
    tokens: int


class RoundTrip(_Value):
    """Text that need not be encoded alike: what it costs, and whether it comes back as from the base."""

    characters: int
    tokens_before: int
    tokens_after: int
    same: bool


class LogitsProof(_Value):
    """Logits of both models at the kept tokens, on the same texts, in the checkpoint's own number type."""

    positions: int
    tokens: int
    equal: bool
    largest_difference: float


class Proof(_Value):
    """What slicing changed, and what it did not. `logits`: None for over 1 GB, or where torch is missing."""

    base: str
    sliced_from: str
    rows_before: int
    rows_after: int
    tokens_kept: int
    bytes_saved: int
    share_saved: float
    languages: dict[Language, LanguageProof]
    other_scripts: dict[str, RoundTrip]
    unicode: RoundTrip
    logits: LogitsProof | None
    path: str = ""


def load_proof(base: Base) -> Proof:
    """The proof of a sliced base, with the path where the base lies now.

    Raises:
        FatalError: the base has none (it is not a sliced one).
    """
    file = Path(base.path) / PROOF
    if not file.is_file():
        raise FatalError("this base has no proof: it was not sliced here", where=base.path)
    return Proof.model_validate_json(file.read_text("utf-8")).model_copy(update={"path": base.path})


class Encoders:
    """Both tokenizers, and the map between their ids."""

    def __init__(self, old_folder: Path, new_folder: Path, id_map: Sequence[int]) -> None:
        """`id_map[new id]` is the old id."""
        self.old, self.new = load_encoder(old_folder), load_encoder(new_folder)
        self.id_map = id_map

    def compare(self, texts: Sequence[str], progress: Progress = silent, note: str = "") -> LanguageProof:
        """Encode the texts with both."""
        differing = tokens = 0
        for start in range(0, len(texts), _AT_ONCE):
            batch = list(texts[start : start + _AT_ONCE])
            olds = self.old.encode_batch(batch, add_special_tokens=False)
            news = self.new.encode_batch(batch, add_special_tokens=False)
            for old, new in zip(olds, news, strict=True):
                differing += old.ids != [self.id_map[i] for i in new.ids]
                tokens += len(old.ids)
            progress(start + len(batch), len(texts), note)
        return LanguageProof(pieces=len(texts), differing=differing, tokens=tokens)

    def round_trip(self, texts: Sequence[str]) -> RoundTrip:
        """Encode and decode the texts with both."""
        olds = [e.ids for e in self.old.encode_batch(list(texts), add_special_tokens=False)]
        news = [e.ids for e in self.new.encode_batch(list(texts), add_special_tokens=False)]
        back_old = self.old.decode_batch(olds, skip_special_tokens=False)
        back_new = self.new.decode_batch(news, skip_special_tokens=False)
        return RoundTrip(
            characters=sum(map(len, texts)),
            tokens_before=sum(map(len, olds)),
            tokens_after=sum(map(len, news)),
            same=back_old == back_new,
        )


def prove_reading(
    encoders: Encoders, texts: Mapping[Language, Sequence[str]], progress: Progress = silent
) -> dict[str, Any]:
    """The proof's fields `languages`, `other_scripts` and `unicode`.

    Raises:
        FatalError: something differs.
    """
    languages = {name: encoders.compare(pieces, progress, name) for name, pieces in texts.items() if pieces}
    others = {name: encoders.round_trip([text]) for name, text in _OTHER_SCRIPTS.items()}
    unicode = encoders.round_trip(list(_blocks()))
    for name, proof in languages.items():
        if proof.differing:
            raise FatalError(f"the sliced tokenizer reads {proof.differing} of {proof.pieces} {name} texts otherwise")
    lost = [name for name, trip in {**others, "Unicode": unicode}.items() if not trip.same]
    if lost:
        raise FatalError(f"the sliced tokenizer does not give back {', '.join(lost)} as the base's does")
    return {"languages": languages, "other_scripts": others, "unicode": unicode}


def _blocks() -> Iterator[str]:
    """Every character that Unicode assigns, private ones apart, by blocks of 256 code points."""
    unassigned = regex.compile(r"[\p{Cn}\p{Co}]")
    for start in (*range(0, 0xD800, 256), *range(0xE000, 0x110000, 256)):
        block = unassigned.sub("", "".join(map(chr, range(start, start + 256))))
        if block:
            yield block


def prove_logits(
    old_folder: Path, new_folder: Path, id_map: Sequence[int], texts: Mapping[Language, Sequence[str]]
) -> LogitsProof | None:
    """Compare the logits of both models on the beginning of a text of each language (or of our own).

    None where torch is missing or the weights pass 1 GB: two such models are no small thing to load.
    """
    weights_bytes = sum(file.stat().st_size for file in old_folder.glob("*.safetensors"))
    if weights_bytes > SMALL_MODEL_BYTES or find_spec("torch") is None or find_spec("transformers") is None:
        return None
    import torch

    shown = [pieces[0] for pieces in texts.values() if pieces and pieces[0]] or list(_SENTENCES.values())
    new_ids = [e.ids[:_LOGIT_TOKENS] for e in load_encoder(new_folder).encode_batch(shown, add_special_tokens=False)]
    new_ids = [ids for ids in new_ids if ids]
    old_ids = [[id_map[i] for i in ids] for ids in new_ids]
    kept = torch.tensor(id_map)
    before = [logits[:, kept] for logits in _logits(old_folder, old_ids)]
    after = [logits[:, : len(id_map)] for logits in _logits(new_folder, new_ids)]
    differences = [float((a - b).abs().max()) for a, b in zip(after, before, strict=True)]
    return LogitsProof(
        positions=sum(map(len, new_ids)),
        tokens=len(id_map),
        equal=all(torch.equal(a, b) for a, b in zip(after, before, strict=True)),
        largest_difference=max(differences, default=0.0),
    )


def _logits(folder: Path, texts: list[list[int]]) -> list[Any]:
    """Logits [tokens, rows] of each text, in the checkpoint's own number type."""
    import torch
    from transformers import AutoModelForCausalLM
    from transformers.utils import logging as transformers_logging

    transformers_logging.disable_progress_bar()
    model: Any = AutoModelForCausalLM.from_pretrained(folder, dtype="auto", local_files_only=True).eval()
    with torch.no_grad():
        return [model(torch.tensor([ids])).logits[0] for ids in texts]


def write_proof(proof: Proof, folder: Path) -> None:
    """Write it as the file that `load_proof` reads; the path is left out, for the folder may move."""
    write_json(folder / PROOF, proof.model_dump(exclude={"path"}))
