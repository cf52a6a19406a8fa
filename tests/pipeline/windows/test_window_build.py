"""Windows: within any budget, all where it fits, near before far, whole pieces, and blind to the target."""

from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.bases.tokens import Tokens
from pipeline.records import Block, Section, Window, WindowPart
from pipeline.settings import Windows
from pipeline.windows import build_window, build_windows, measure, render
from pipeline.windows.build import ELLIPSIS
from pipeline.windows.pieces import Measured
from pipeline.windows.render import Brief
from tests.pipeline.windows.sections import paragraph, reports, section
from tests.tiny_llama import write_tokenizer

budgets = st.one_of(st.integers(1, 60), st.integers(1, 1500))
half_lives = st.sampled_from([0.3, 1, 6, 1000])


def window_of(
    sections: Sequence[Section], tokens: Tokens, budget: int, half_life: float = 6
) -> tuple[list[Measured], Window]:
    """The window of a section after all these, and what they measure."""
    measured = [measure(s, tokens) for s in sections]
    settings = Windows(budget_tokens=budget, half_life_sections=half_life)
    return measured, build_window(measured, section(len(sections)), tokens, settings)


def has_heading(part: WindowPart) -> bool:
    return not part.reason.startswith("dropped")


def pieces_kept(measured: Measured, part: WindowPart) -> int:
    return measured.cuts.index(part.spans[0][1]) if part.spans else 0


def as_rendered(window: Window) -> str:
    """The window's text between the report's title and the order to write."""
    content = render(window, Brief(report_title="T", section_title="S", language="en"))[1].content
    return content.removeprefix("Report: T").removesuffix("Write the section: S").strip("\n")


@given(sections=reports, budget=budgets, half_life=half_lives)
def test_a_window_never_exceeds_its_budget(
    tokens: Tokens, sections: list[Section], budget: int, half_life: float
) -> None:
    _, window = window_of(sections, tokens, budget, half_life)
    assert window.used_tokens == sum(part.tokens for part in window.parts) <= budget
    assert all(part.tokens >= 0 for part in window.parts)


@given(sections=reports, budget=budgets)
def test_nor_does_what_the_model_is_shown_of_it(tokens: Tokens, sections: list[Section], budget: int) -> None:
    _, window = window_of(sections, tokens, budget)
    assert tokens.count(as_rendered(window)) <= window.used_tokens


@given(sections=reports, spare=st.integers(0, 3))
def test_everything_is_kept_when_it_fits(tokens: Tokens, sections: list[Section], spare: int) -> None:
    measured = [measure(s, tokens) for s in sections]
    total = sum(m.heading_tokens + m.tokens for m in measured)
    _, window = window_of(sections, tokens, total + spare)
    assert window.used_tokens == total
    assert [part.text for part in window.parts] == [s.text for s in sections]
    assert {part.reason for part in window.parts} == {"whole"}
    assert {part.share_kept for part in window.parts} == {1.0}


@given(sections=reports, budget=budgets)
def test_parts_stand_for_all_earlier_sections_in_their_order(
    tokens: Tokens, sections: list[Section], budget: int
) -> None:
    _, window = window_of(sections, tokens, budget)
    assert [part.section for part in window.parts] == [s.id for s in sections]
    assert [(part.title, part.level) for part in window.parts] == [(s.title, s.level) for s in sections]


@given(sections=reports, budget=budgets)
def test_what_is_kept_is_whole_pieces_from_the_beginning(tokens: Tokens, sections: list[Section], budget: int) -> None:
    measured, window = window_of(sections, tokens, budget)
    for m, part in zip(measured, window.parts, strict=True):
        text = m.section.text
        if not part.spans:
            assert part.text == "" and part.tokens in (0, m.heading_tokens)
            continue
        ((start, end),) = part.spans
        assert start == 0 and end in m.cuts and has_heading(part)
        if end == len(text):
            assert part.text == text and part.reason == "whole"
        else:
            kept = part.text.removesuffix(ELLIPSIS).rstrip()
            assert part.text.endswith(ELLIPSIS) and kept == text[:end].rstrip()
            assert part.reason == f"first {pieces_kept(m, part)} of {m.pieces} pieces"
            assert part.share_kept == end / len(text)


@given(sections=reports, budget=budgets)
def test_a_tables_rows_stay_whole(tokens: Tokens, sections: list[Section], budget: int) -> None:
    _, window = window_of(sections, tokens, budget)
    for s, part in zip(sections, window.parts, strict=True):
        rows = {row for block in s.blocks if block.kind == "table" for row in block.text.split("\n")}
        shown = [line for line in part.text.split("\n") if line.startswith("|")]
        assert all(line in rows for line in shown)


def test_a_cut_in_a_table_is_marked_beneath_it(tokens: Tokens) -> None:
    table = Block(kind="table", text="| A | B |\n| --- | --- |\n| 1 | 2 |\n" + "| 3 | 4 |\n" * 50 + "| 5 | 6 |")
    _, window = window_of([section(0, [table])], tokens, 80)
    assert window.parts[0].text.endswith(f"\n| 3 | 4 |\n\n{ELLIPSIS}")


@given(sections=reports, budget=budgets, half_life=half_lives)
def test_what_is_left_over_is_less_than_any_next_piece_costs(
    tokens: Tokens, sections: list[Section], budget: int, half_life: float
) -> None:
    measured, window = window_of(sections, tokens, budget, half_life)
    mark = max(tokens.count(f"x{m}x") - 2 for m in (f" {ELLIPSIS}", f"\n\n{ELLIPSIS}"))
    left = budget - window.used_tokens
    parts = list(zip(measured, window.parts, strict=True))
    dropped = [m for m, part in parts if not has_heading(part)]
    if dropped and all(pieces_kept(m, part) == m.pieces for m, part in parts if has_heading(part)):
        assert left < dropped[-1].heading_tokens  # the nearest that did not come in
    for m, part in parts:
        if has_heading(part) and (kept := pieces_kept(m, part)) < m.pieces:
            spent = m.tokens_before[kept] + (mark if kept else 0)
            more = m.tokens if kept + 1 == m.pieces else m.tokens_before[kept + 1] + mark
            assert left < more - spent


@given(count=st.integers(2, 8), sentences=st.integers(1, 12), budget=st.integers(1, 1500), half_life=half_lives)
def test_of_equal_sections_the_nearer_keeps_no_less(
    tokens: Tokens, count: int, sentences: int, budget: int, half_life: float
) -> None:
    text = "L'acció va durar 24 mesos. " * sentences
    _, window = window_of([section(i, [paragraph(text)]) for i in range(count)], tokens, budget, half_life)
    for further, nearer in pairwise(window.parts):
        assert nearer.tokens >= further.tokens and nearer.share_kept >= further.share_kept


@given(sections=reports, budget=budgets)
def test_the_same_report_has_the_same_windows(tokens: Tokens, sections: list[Section], budget: int) -> None:
    settings = Windows(budget_tokens=budget)
    once, twice = ([w.id for w in build_windows(sections, tokens, settings)] for _ in range(2))
    assert once == twice


def test_headings_stay_before_any_text(tokens: Tokens) -> None:
    sections = [section(i, [paragraph("Un text molt llarg. " * 200)]) for i in range(12)]
    measured, window = window_of(
        sections, tokens, budget := sum(measure(s, tokens).heading_tokens for s in sections) * 3
    )
    assert all(has_heading(part) for part in window.parts)
    assert window.used_tokens > budget * 0.9


def test_too_many_headings_leave_half_to_the_text_nearest_first(tokens: Tokens) -> None:
    sections = [section(i, [paragraph("Un text llarg. " * 50)]) for i in range(40)]
    measured, window = window_of(sections, tokens, budget := 60)
    kept = [has_heading(part) for part in window.parts]
    assert kept == sorted(kept)  # all the dropped ones are further than all the kept ones
    headings = sum(m.heading_tokens for m, k in zip(measured, kept, strict=True) if k)
    assert headings <= budget // 2 < headings + measured[0].heading_tokens
    assert window.parts[0].reason == "dropped: the budget holds no more headings" and not window.parts[0].tokens


def test_a_report_of_headings_is_kept_when_it_fits(tokens: Tokens) -> None:
    sections = [section(i) for i in range(10)]
    total = sum(measure(s, tokens).heading_tokens for s in sections)
    assert window_of(sections, tokens, total)[1].used_tokens == total


def test_the_first_section_has_an_empty_window(tokens: Tokens) -> None:
    _, window = window_of([], tokens, 100)
    assert (window.parts, window.used_tokens, window.budget_tokens, window.tokenizer) == (
        (),
        0,
        100,
        tokens.name,
    )


def test_a_window_is_blind_to_the_target_and_to_what_comes_after(tokens: Tokens) -> None:
    secret = "Els secrets de 987654321 euros. "
    before = [section(i, [paragraph(f"Text de l'apartat {i}. " * 9)]) for i in range(3)]
    targets = [section(3, [paragraph(text)]) for text in ("Una cosa.", secret * 40)]
    settings = Windows(budget_tokens=300)
    seen: list[tuple[WindowPart, ...]] = []
    for target in targets:
        *_, window, _ = build_windows([*before, target, section(4, [paragraph(secret)])], tokens, settings)
        assert window.section == target.id
        assert "987654321" not in as_rendered(window)
        seen.append(window.parts)
    assert seen[0] == seen[1]
    # Planted: had the target come in among the earlier ones, this test would see it.
    planted = build_window([measure(s, tokens) for s in (*before, targets[1])], targets[1], tokens, settings)
    assert "987654321" in as_rendered(planted)


class Counting(Tokens):
    """Counts what is asked to be tokenised."""

    characters = 0

    def count(self, text: str) -> int:
        self.characters += len(text)
        return super().count(text)

    def count_between(self, text: str, cuts: list[int]) -> list[int]:
        self.characters += len(text)
        return super().count_between(text, cuts)


def test_each_section_is_tokenised_once(tokens: Tokens, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("counting")
    write_tokenizer(folder)
    counting = Counting(folder)
    sections = [section(i, [paragraph(f"Text de l'apartat {i}. " * 50)]) for i in range(60)]
    windows = list(build_windows(sections, counting, Windows(budget_tokens=500)))
    assert len(windows) == 60
    text = sum(len(s.text) for s in sections)
    assert counting.characters <= text + 60 * 100  # headings and marks
