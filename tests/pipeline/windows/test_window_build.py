"""Windows: within any budget, all where it fits, growing at their end until full, and blind to the target."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.bases.tokens import Tokens
from pipeline.records import Block, Section, Window, WindowPart
from pipeline.settings import Windows
from pipeline.windows import POLICIES, brief_of, build_windows, plan_of, render, window_of
from pipeline.windows.controls import without_controls
from pipeline.windows.outline import outline_within
from pipeline.windows.pieces import measure
from pipeline.windows.plan import Plan
from tests.pipeline.windows.sections import paragraph, reports, section
from tests.tiny_llama import write_tokenizer

ROOT = Path(__file__).parents[3]
policies = st.sampled_from(sorted(POLICIES))
budgets = st.one_of(st.integers(1, 60), st.integers(1, 1500))
refills = st.sampled_from([0.3, 0.6, 1.0])
LONG = [section(i, [paragraph(f"L'apartat {i} diu {i}50 coses. " * 12)], heading=f"Apartat {i}") for i in range(24)]


def planned(sections: Sequence[Section]) -> Plan:
    return plan_of(sections, "T", "en")


def windows_of(sections: Sequence[Section], tokens: Tokens, **said: object) -> list[Window]:
    return list(build_windows(sections, planned(sections), tokens, Windows.model_validate(said)))


def as_rendered(window: Window, plan: Plan, place: int) -> str:
    """The window's text, its outline before it, between the report's title and the order to write."""
    content, title = render(window, brief_of(plan, place))[1].content, without_controls(plan.headings[place].title)
    return content.removeprefix("Report: T").removesuffix(f"Write the section: {title}").strip()


@given(sections=reports, policy=policies, budget=budgets, refill=refills)
def test_no_window_exceeds_its_budget_nor_does_what_the_model_is_shown(
    tokens: Tokens, sections: list[Section], policy: str, budget: int, refill: float
) -> None:
    plan = planned(sections)
    windows = windows_of(sections, tokens, policy=policy, budget_tokens=budget, refill_share=refill)
    for place, window in enumerate(windows):
        assert window.used_tokens == window.outline_tokens + sum(part.tokens for part in window.parts) <= budget
        shown = as_rendered(window, plan, place).removeprefix("Outline:")
        assert tokens.count(f"x\n\n{shown}") - 1 <= window.used_tokens + tokens.count("\n\n")


@given(sections=reports, policy=policies, budget=budgets, refill=refills)
def test_a_window_is_the_same_alone_and_in_its_turn(
    tokens: Tokens, sections: list[Section], policy: str, budget: int, refill: float
) -> None:
    said = Windows.model_validate({"policy": policy, "budget_tokens": budget, "refill_share": refill})
    plan = planned(sections)
    for place, window in enumerate(build_windows(sections, plan, tokens, said)):
        assert window_of(sections, plan, place, tokens, said) == window


@given(sections=reports, policy=policies, spare=st.integers(0, 3))
def test_everything_is_kept_when_it_fits(tokens: Tokens, sections: list[Section], policy: str, spare: int) -> None:
    total = sum(measure(s, tokens).whole_tokens for s in sections[:-1])
    *_, window = windows_of(sections, tokens, policy=policy, budget_tokens=total + spare or 1, outline_share=0)
    assert window.used_tokens == total
    assert [part.text for part in window.parts] == [s.text for s in sections[:-1]]
    assert {part.share_kept for part in window.parts} <= {1.0}


@given(sections=reports, policy=policies, budget=budgets)
def test_parts_stand_in_the_documents_order(tokens: Tokens, sections: list[Section], policy: str, budget: int) -> None:
    places = {s.id: i for i, s in enumerate(sections)}
    for place, window in enumerate(windows_of(sections, tokens, policy=policy, budget_tokens=budget)):
        found = [places[part.section] for part in window.parts]
        assert found == sorted(set(found)) and all(i < place for i in found)
        for part in window.parts:
            spans = [(span.start, span.end) for span in part.spans]
            assert all(0 <= a < b <= len(sections[places[part.section]].text) for a, b in spans)
            assert all(b <= c for (_, b), (c, _) in zip(spans, spans[1:], strict=False))


def test_a_window_grows_at_its_end_until_it_is_full(tokens: Tokens) -> None:
    windows = windows_of(LONG, tokens, budget_tokens=1500, refill_share=0.5)
    chosen = 0
    for before, after in zip(windows, windows[1:], strict=False):
        if after.parts[: len(before.parts)] == before.parts:
            assert [part.section for part in after.parts[len(before.parts) :]] == [LONG[windows.index(before)].id]
        else:
            chosen += 1
            assert before.used_tokens > 1150 and after.used_tokens <= 1500
    assert 4 <= chosen <= 12


def test_a_choice_leaves_what_stands_before_the_recent_text_until_there_is_no_room(tokens: Tokens) -> None:
    says = "Van venir {}40 alumnes de l'escola. Res de nou aquí, ni tampoc allà. Van costar {}50 euros en total. "
    sections = [section(i, [paragraph(says.format(i + 11, i + 11) * 2)]) for i in range(60)]
    windows = windows_of(sections, tokens, budget_tokens=1500, refill_share=0.7, outline_share=0)
    same, anew = [], 0
    for before, after in zip(windows, windows[1:], strict=False):
        if after.parts[: len(before.parts)] != before.parts:
            older = [part for part in before.parts if all(span.reason in ("facts", "topic") for span in part.spans)]
            same.append(bool(older) and after.parts[: len(older)] == tuple(older))
            anew += not same[-1]
    assert sum(same) > 2 * anew > 0


def test_a_window_without_room_for_two_sections_is_filled_for_each(tokens: Tokens) -> None:
    size = measure(LONG[9], tokens).whole_tokens
    roomy = windows_of(LONG, tokens, budget_tokens=10 * size, refill_share=0.7, outline_share=0)[12:]
    tight = windows_of(LONG, tokens, budget_tokens=5 * size, refill_share=0.7, outline_share=0)[12:]
    assert min(window.used_tokens for window in roomy) < 8.5 * size
    assert all(window.used_tokens > 4.9 * size for window in tight)


def test_what_the_outline_tells_is_not_kept_for_telling_it(tokens: Tokens) -> None:
    old = section(0, [paragraph("Van venir 340 alumnes. Van costar 1.250 euros. " + "Res de nou aquí. " * 20)])
    before = [old, *(section(i, [paragraph("Res de nou aquí. " * 60)]) for i in (1, 2, 3))]
    for heading, kept in (("Els 340 alumnes", {"1.250"}), ("Els 1.250 euros", {"340"}), ("El final", {"340", "1.250"})):
        after = [*(section(i, heading="Conclusions") for i in range(4, 9)), section(9, heading=heading)]
        said = {"budget_tokens": 400, "refill_share": 1, "outline_share": 0.5}
        window = windows_of([*before, *after], tokens, **said)[4]
        assert heading in window.outline
        assert {fact for fact in ("340", "1.250") if fact in window.parts[0].text} == kept


def test_chosen_anew_for_every_section_if_so_told(tokens: Tokens) -> None:
    windows = windows_of(LONG, tokens, budget_tokens=900, refill_share=1)
    assert all(window.used_tokens > 850 for window in windows[8:])


def test_a_choice_looks_at_the_headings_to_come(tokens: Tokens) -> None:
    about, other = "El taller de ceràmica va agradar.", "El taller de música va agradar."
    first = section(0, [paragraph(f"{'Res de nou aquí. ' * 10}{about} {'Res de nou aquí. ' * 10}{other}")])
    middle = [section(i, [paragraph("Res de nou aquí. " * 40)]) for i in range(1, 4)]
    for heading, found, missed in (("Ceràmica", about, other), ("Música", other, about)):
        sections = [first, *middle, section(4, heading=heading)]
        *_, window = windows_of(sections, tokens, budget_tokens=500, refill_share=1, outline_share=0)
        assert found in window.parts[0].text and missed not in window.parts[0].text


def test_the_outline_goes_as_deep_as_fits_and_is_whole_or_nothing(tokens: Tokens) -> None:
    sections = [section(i, heading=f"Apartat {i}", level=1 + i % 2) for i in range(6)]
    plan = planned(sections)
    everything, count = outline_within(plan, tokens, 1000)
    assert everything.split("\n")[:2] == ["- Apartat 0", "  - Apartat 1"] and len(everything.split("\n")) == 6
    assert outline_within(plan, tokens, count) == (everything, count)
    highest, fewer = outline_within(plan, tokens, count - 1)
    assert highest.split("\n") == ["- Apartat 0", "- Apartat 2", "- Apartat 4"] and fewer < count
    assert outline_within(plan, tokens, fewer - 1) == ("", 0)


def test_the_outline_is_the_same_in_all_windows_of_a_report(tokens: Tokens) -> None:
    windows = windows_of(LONG, tokens, budget_tokens=1500, outline_share=0.2)
    assert len({window.outline for window in windows}) == 1 and "- Apartat 23" in windows[0].outline


@pytest.mark.parametrize("policy", sorted(POLICIES))
def test_a_window_is_blind_to_the_target_and_to_what_comes_after(tokens: Tokens, policy: str) -> None:
    secret = "Els secrets de 987654321 euros. "
    before = [section(i, [paragraph(f"Text de l'apartat {i}. " * 30)]) for i in range(5)]
    seen: list[tuple[WindowPart, ...]] = []
    for text in ("Una cosa.", secret * 40):
        sections = [*before, section(5, [paragraph(text)]), section(6, [paragraph(secret)])]
        windows = windows_of(sections, tokens, policy=policy, budget_tokens=300)
        assert windows[5].section == sections[5].id
        assert "987654321" not in as_rendered(windows[5], planned(sections), 5)
        seen.append(windows[5].parts)
    assert seen[0] == seen[1]
    # Planted: had the target come in among the earlier ones, this test would see it.
    planted = [*before, sections[5], sections[5]]
    assert "987654321" in as_rendered(
        windows_of(planted, tokens, policy=policy, budget_tokens=300)[6], planned(planted), 6
    )


@pytest.mark.parametrize("policy", sorted(POLICIES))
def test_what_is_known_of_a_report_holds_none_of_its_text(policy: str) -> None:
    plan = planned([section(0, [paragraph("El secret 987654321.")]), section(1, [paragraph("Un altre 987654321.")])])
    assert "987654321" not in plan.model_dump_json()


def test_the_same_windows_in_every_process() -> None:
    code = (
        "import tempfile, pathlib; from tests.tiny_llama import write_tokenizer;"
        "from pipeline.bases.tokens import Tokens; from pipeline.settings import Windows;"
        "from pipeline.windows import build_windows, plan_of; from tests.pipeline.windows.sections import *;"
        "folder = pathlib.Path(tempfile.mkdtemp()); write_tokenizer(folder);"
        "names = ['Anna Puig', 'Pau Roig', 'Fundació Àncora', 'D3.2', '12.345 €', '1.250 €', 'Marta Soler'];"
        "said = lambda i, j: f'Ho va dir {names[(i * j) % 7]} a {names[(i + j) % 7]} i {names[j % 5]}.';"
        "text = lambda i: ' '.join(said(i, j) for j in range(9));"
        "sections = [section(i, [paragraph(text(i))]) for i in range(40)];"
        "windows = build_windows(sections, plan_of(sections, 'T', 'ca'), Tokens(folder), Windows(budget_tokens=500));"
        "print([window.id for window in windows])"
    )
    seeds = (
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
            cwd=ROOT,
        ).stdout
        for seed in "012"
    )
    assert len(set(seeds)) == 1


def test_words_that_were_orders_are_counted_as_they_are_shown(tokens: Tokens) -> None:
    sections = [section(i, [paragraph("<|im_end|> x. " * 40)], heading="<|im_end|>") for i in range(5)]
    plan = planned(sections)
    for place, window in enumerate(windows_of(sections, tokens, budget_tokens=600)):
        assert tokens.count(as_rendered(window, plan, place)) <= window.used_tokens + tokens.count("Outline:\n\n")


@pytest.mark.parametrize("policy", sorted(POLICIES))
def test_a_piece_too_large_for_the_budget_does_not_empty_the_window(tokens: Tokens, policy: str) -> None:
    row = Block(kind="table", text=f"| A |\n| --- |\n| {'12 ' * 900}|")
    sections = [section(0, [paragraph("Un text curt. " * 30)]), section(1, [row]), section(2)]
    *_, window = windows_of(sections, tokens, policy=policy, budget_tokens=200)
    assert window.used_tokens > 80


class Counting(Tokens):
    """Counts what is asked to be tokenised."""

    characters = 0

    def count(self, text: str) -> int:
        self.characters += len(text)
        return super().count(text)

    def count_between(self, text: str, cuts: list[int]) -> list[int]:
        self.characters += len(text)
        return super().count_between(text, cuts)


def test_each_section_is_tokenised_once(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("counting")
    write_tokenizer(folder)
    counting = Counting(folder)
    sections = [section(i, [paragraph(f"Text de l'apartat {i}. " * 50)]) for i in range(60)]
    windows = windows_of(sections, counting, budget_tokens=500)
    assert len(windows) == 60
    text = sum(len(s.text) for s in sections)
    assert counting.characters <= text + 60 * 100 + 5_000  # headings, marks, the outline
