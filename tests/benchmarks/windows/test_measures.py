"""The benchmark's own measures, by cases worked out by hand."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from tokenizers import Tokenizer

from pipeline.bases.tokens import Tokens
from pipeline.records import Block, Section, Window, WindowPart
from pipeline.settings import Windows
from pipeline.windows import build_windows, plan_of
from pipeline.windows.pieces import measure
from tests.benchmarks.windows.documents import Document, true_facts, without_copies
from tests.benchmarks.windows.goals import goals_of
from tests.benchmarks.windows.prefix import Cached, cached, prompts
from tests.benchmarks.windows.recall import (
    DAYS,
    Kept,
    facts_kept,
    facts_told,
    interval,
    kind_of,
    places_of_targets,
    recall,
    stands_in,
    true_facts_kept,
    wanted_at,
)
from tests.benchmarks.windows.seconds import seconds_for
from tests.benchmarks.windows.tables import pivot, plain
from tests.qwen3_tokenizer import write_qwen3_tokenizer

LONG_ENOUGH = " This sentence of many plain words makes the section long enough to be asked for here."


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("base")
    write_qwen3_tokenizer(path)
    return path


def section(place: int, *texts: str, heading: str | None = None) -> Section:
    heading = heading or f"Part {'abcdefghij'[place]}"
    blocks = tuple(Block(kind="paragraph", text=text) for text in texts)
    return Section(
        document="d", position=place, level=1, heading=heading, path=(heading,), language="en", blocks=blocks
    )


def document(folder: Path, *texts: str, true: tuple[frozenset[str], ...] | None = None) -> Document:
    sections = [section(place, text) for place, text in enumerate(texts)]
    tokens = Tokens(folder)
    return Document(
        "made.docx", plan_of(sections, "T", "en"), tuple(measure(s, tokens) for s in sections), true_facts=true
    )


def window(place: int, outline: str, *parts: tuple[Section, str]) -> Window:
    shown = tuple(
        WindowPart(section=s.id, title=s.title, level=1, spans=(), text=text, tokens=1, share_kept=1)
        for s, text in parts
    )
    return Window(
        document="d", section=str(place), policy="tail", tokenizer="t", budget_tokens=9, used_tokens=9, outline=outline,
        outline_tokens=1, parts=shown,
    )  # fmt: skip


def test_wanted_is_what_any_earlier_section_told() -> None:
    told = [frozenset("ab"), frozenset("c"), frozenset("bd"), frozenset("abce"), frozenset("de")]
    assert wanted_at(told, [0, 3, 4]) == [frozenset(), frozenset("abc"), frozenset("de")]
    assert wanted_at(told, [2]) == [frozenset("b")]


def test_kept_is_what_text_and_outline_of_the_window_tell(folder: Path) -> None:
    made = document(
        folder,
        "It cost 120 € and 340 pupils came, 7 of them twice. It was led by Anna Puig.",
        "By 4 May 2023 all was done.",
        f"The 340 pupils of WP2, 7 of them, for 120 €: see 4 May 2023 and Anna Puig, and 99 more.{LONG_ENOUGH}",
    )
    first, second, _ = (one.section for one in made.measured)
    windows = [window(0, ""), window(1, ""), window(2, "- Anna Puig", (first, "[…] 340 pupils came."), (second, ""))]
    (kept,) = facts_kept(made, windows)
    assert kept.wanted == {"amount:120 EUR", "number:340", "date:2023-05-04", "name:anna puig"}  # 7 has one digit
    assert kept.kept == {"number:340", "name:anna puig"}


def test_targets_stand_after_the_first_third_and_are_neither_short_nor_long(folder: Path) -> None:
    long = "word " * 4200
    made = document(folder, LONG_ENOUGH, LONG_ENOUGH, LONG_ENOUGH, "Short.", long, LONG_ENOUGH)
    assert places_of_targets(made) == [2, 5]


def test_recall_sums_over_sections() -> None:
    targets = [Kept(frozenset({"a:1", "b:1"}), frozenset({"a:1"})), Kept(frozenset({"a:2"}), frozenset({"a:2"}))]
    found = recall([*targets, Kept(frozenset(), frozenset())])
    assert (found.sections, found.wanted, found.kept, found.value) == (3, 3, 2, pytest.approx(2 / 3))
    assert recall(targets, lambda key: key.startswith("b")).value == 0
    assert recall(targets, lambda key: key.startswith("c")).value is None


def test_interval_is_of_sections() -> None:
    assert interval([3, 3, 3], [4, 4, 4]) == (0.75, 0.75)
    low, high = interval([10] * 50 + [0] * 50, [10] * 100)  # one in two: standard error 0.05
    assert low == pytest.approx(0.40, abs=0.02) and high == pytest.approx(0.60, abs=0.02)
    assert interval([1, 0], [1, 0]) == (1, 1)  # where nothing is wanted there is no share


def test_kinds_tell_dates_of_days_apart() -> None:
    keys = ("date:2024-03-12", "date:--03-12", "date:2024-03", "date:2024", "code:D3-2-1")
    assert [kind_of(key) for key in keys] == [DAYS, DAYS, "date", "date", "code"]


@pytest.mark.parametrize(
    ("fact", "text", "stands"),
    [
        ("36", "All 36.", True),
        ("36", "1936, 36.5 and 1,036", False),
        ("36", "36,5 and then 36", True),
        ("€1,200.00", "It cost (€1,200.00).", True),
        ("Ann", "Anna and Ann's", True),
        ("Ann", "Anna", False),
    ],
)
def test_a_string_stands_by_itself(fact: str, text: str, stands: bool) -> None:
    assert stands_in(fact, text) is stands


def test_true_facts_are_looked_for_where_the_same_is_told_of_the_same(folder: Path, tmp_path: Path) -> None:
    texts = ("At Thorn Pool, 36.", "At Alder Moor, 36.", f"At Thorn Pool and Alder Moor, 36 and 36.{LONG_ENOUGH}")
    told = [
        {"project": ["Thorn Pool"], "account 1": ["36", "5"]},
        {"project": ["Alder Moor"], "account 2": ["36"]},
        {"project": ["Thorn Pool", "Alder Moor"], "account 1": ["36", "5"], "account 3": ["36"]},
    ]
    sections = [
        {"heading": f"Part {'abc'[place]}", "number": "", "facts": [], "of": of} for place, of in enumerate(told)
    ]
    (tmp_path / "f.json").write_text(json.dumps({"sections": sections}), "utf-8")
    headings = [one.section for one in document(folder, *texts).measured]
    made = document(folder, *texts, true=true_facts(headings, tmp_path / "f.json"))
    windows = [window(0, ""), window(1, ""), window(2, "Alder Moor", (headings[1], "At Alder Moor, 36."))]
    (kept,) = true_facts_kept(made, windows)
    wanted = frozenset({"project: Thorn Pool", "project: Alder Moor", "account 1: 36"})  # 5 has one digit, 3 is new
    assert kept == Kept(wanted, frozenset({"project: Alder Moor"}))  # the 36 shown is another's
    windows[2] = window(2, "", (headings[0], "[…] Thorn Pool, 36."))
    assert true_facts_kept(made, windows)[0].kept == {"project: Thorn Pool", "account 1: 36"}
    with pytest.raises(ValueError, match="1 headings"):
        true_facts(headings[:2], tmp_path / "f.json")


def test_headings_above_what_is_kept_are_shown_too(folder: Path) -> None:
    made = document(folder, "It cost 120 €.", "Later.", f"Anna Puig came, for 120 €.{LONG_ENOUGH}")
    first = made.measured[0].section.model_copy(update={"heading": "Anna Puig"})
    before = replace(made, measured=(replace(made.measured[0], section=first), *made.measured[1:]))
    told_first = replace(before, true_facts=(frozenset({"project: Anna Puig"}),) * 3)
    shown = [window(0, ""), window(1, ""), window(2, "", (first, "[…]"))]
    assert true_facts_kept(told_first, shown)[0].kept == {"project: Anna Puig"}


def test_copies_are_long_texts_that_stood_before() -> None:
    long, other = "a" * 200, "b" * 199
    sections = [section(place, text) for place, text in enumerate((long, other, long, other, long + "a"))]
    assert [one.position for one in without_copies(sections)] == [0, 1, 3, 4]


def test_the_cache_serves_whole_blocks_that_begin_both_prompts() -> None:
    first, second = list(range(40)), [*range(35), *[99] * 15]
    assert cached([first]) == Cached(1, 40, 0)
    assert cached([first, second]) == Cached(2, 90, 32)  # 35 in common: two blocks of 16
    assert cached([first[:32], first[:32]]) == Cached(2, 64, 16)  # the last token is read anew in any case
    assert cached([first, second[35:], first]).cached == 0  # only the prompt before is held
    assert cached([first, second]).share == pytest.approx(32 / 90)


def test_prompts_are_the_tokens_of_rendered_windows(folder: Path) -> None:
    made = document(
        folder, "One (two).\n\n| a | b |\n\n\n  Then:\n\n\u00a0x", "Cafe\u0301!?\n\n12 €...\n\n*is*", "Four."
    )
    windows, file = made.windows(Tokens(folder), Windows()), folder / "tokenizer.json"
    tokenizer = Tokenizer.from_file(str(file))
    found = [[int(one) for one in ids] for ids in prompts(made, windows, file)]
    assert len(found) == 3
    text = tokenizer.decode(found[2], skip_special_tokens=False)
    assert text.startswith("<|im_start|>system\nYou write grant reports.")
    assert (
        "\n\n# Part b\n\nCafé!?\n\n12 €...\n\n*is*\n\nWrite the section: Part c<|im_end|>\n<|im_start|>assistant"
        in text
    )
    assert found[2] == tokenizer.encode(text).ids  # paragraph by paragraph, and as a whole


def test_windows_are_those_that_the_pipeline_builds(folder: Path) -> None:
    made = document(folder, *(f"Section {place} has {place}40 pupils.{LONG_ENOUGH * 9}" for place in range(8)))
    settings = Windows(budget_tokens=400)
    true = list(build_windows([one.section for one in made.measured], made.plan, Tokens(folder), settings))
    assert made.windows(Tokens(folder), settings) == true
    assert any(part.share_kept < 1 for one in true for part in one.parts)  # something had to be chosen


def test_a_document_repeated_has_sections_of_its_own_without_facts_read(folder: Path) -> None:
    made = document(folder, "It cost 120 €.", "Later.")
    assert made.measured[0].facts == (frozenset({"amount:120 EUR"}),)
    twice = made.times(2)
    assert twice.tokens == 2 * made.tokens
    assert [one.section.text for one in twice.measured] == ["It cost 120 €.", "Later."] * 2
    assert len({one.section.id for one in twice.measured}) == 4
    assert [heading.section for heading in twice.plan.headings] == [one.section.id for one in twice.measured]
    assert not any("facts" in one.__dict__ for one in twice.measured)


def test_seconds_are_for_facts_and_words_and_for_windows(folder: Path) -> None:
    made = document(folder, *(f"It cost {place}20 €.{LONG_ENOUGH * 9}" for place in range(8)))
    found = seconds_for(made, 2, Tokens(folder), Windows(budget_tokens=400))
    assert (found.sections, found.tokens, found.repeats) == (16, 2 * made.tokens, 3)
    assert found.facts_and_words > 0 and found.choosing > 0
    assert found.in_all == found.facts_and_words + found.choosing


def test_facts_told_leave_out_numbers_of_one_digit() -> None:
    assert facts_told("7 of 12 came, 5 % more.", "en") == {"number:12", "percentage:5"}


def results(recall_at_4k: float, cached_share: float, four: float) -> dict[str, list[dict[str, object]]]:
    values = {("select", 4000): recall_at_4k, ("select", 8000): 0.93, ("select", 20000): 0.97, ("decay", 20000): 0.8}
    values |= {("select, refill 1", 20000): 0.98}
    rows = [
        {"document": "a", "policy": p, "budget_tokens": b, "facts": "found", "kind": "all", "value": v}
        for (p, b), v in values.items()
    ]
    return {
        "documents": [{"document": "a", "tokens": 60_001}, {"document": "short", "tokens": 60_000}],
        "recall": rows,
        "prefix": [{"document": "a", "policy": "select", "budget_tokens": 20000, "share": cached_share}],
        "seconds": [{"length": 1, "in_all": 1.5}, {"length": 2, "in_all": 3.0}, {"length": 4, "in_all": four}],
    }


def test_goals() -> None:
    assert all(goal.met for goal in goals_of(results(0.8, 0.8, 7.5)))
    assert [goal.measured for goal in goals_of(results(0.79, 0.79, 7.6)) if not goal.met] == [
        "79.0%, 80.0%",
        "79.0%",
        "× 2.5",
    ]


def test_tables() -> None:
    rows = [{"a": 1, "b": "x", "n": 5}, {"a": 1, "b": "y", "n": 6}, {"a": 2, "b": "y", "n": 1234}]
    assert plain(rows[2:]) == "| a | b | n |\n| --- | --- | --- |\n| 2 | y | 1,234 |"
    lines = pivot(rows, ("a",), "b", (), lambda row: f"{row['n']}").splitlines()
    assert lines == ["| a | x | y |", "| --- | --- | --- |", "| 1 | 5 | 6 |", "| 2 |  | 1234 |"]
