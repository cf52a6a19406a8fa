"""What each policy keeps: the latest, the beginnings, or what will be needed."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.bases.tokens import Tokens
from pipeline.records import Section
from pipeline.settings import Windows
from pipeline.windows import POLICIES
from pipeline.windows.keeping import Keeping, mark_tokens_of
from pipeline.windows.pieces import measure
from pipeline.windows.plan import Need
from tests.pipeline.windows.sections import paragraph, reports, section

policies = st.sampled_from(sorted(POLICIES))
budgets = st.integers(0, 1500)
half_lives = st.sampled_from([0.3, 1, 6, 1000])
FILLER = "Aquí no es diu res que calgui saber més tard. "


def keep(
    policy: str, sections: list[Section], tokens: Tokens, budget: int, wanted: str = "", told: str = "", **said: object
) -> Keeping:
    keeping = Keeping([measure(s, tokens) for s in sections], budget, mark_tokens_of(tokens))
    POLICIES[policy](keeping, Need(wanted, told), Windows.model_validate(said))
    return keeping


def kept_of(keeping: Keeping, place: int) -> list[int]:
    return sorted(piece for section_, piece in keeping.kept() if section_ == place)


@given(policy=policies, sections=reports, budget=budgets)
def test_no_policy_exceeds_its_budget_and_each_is_deterministic(
    tokens: Tokens, policy: str, sections: list[Section], budget: int
) -> None:
    once, again = (keep(policy, sections, tokens, budget, "Resultats 24") for _ in range(2))
    assert once.left >= 0 and once.parts() == again.parts()


@given(sections=reports, budget=budgets)
def test_tail_leaves_nothing_out_behind_its_beginning(tokens: Tokens, sections: list[Section], budget: int) -> None:
    keeping = keep("tail", sections, tokens, budget)
    headers = {(i, piece.header) for i, measured in enumerate(keeping.earlier) for piece in measured.pieces}
    first = min((place for place in keeping.kept() if place not in headers), default=None)
    for i, measured in enumerate(keeping.earlier):
        for piece in range(len(measured.pieces)):
            if first and (i, piece) > first and not keeping.has(i, piece):  # but what no such window could hold
                assert keeping.cost(i, piece) + measured.heading_tokens + 9 > budget


@given(sections=reports, budget=budgets, half_life=half_lives, distance=st.sampled_from(["sections", "tokens"]))
def test_decay_keeps_beginnings_and_leaves_nothing_that_the_next_piece_could_use(
    tokens: Tokens, sections: list[Section], budget: int, half_life: float, distance: str
) -> None:
    said = {"distance": distance, "half_life_sections": half_life, "half_life_tokens": 100 * half_life}
    keeping = keep("decay", sections, tokens, budget, **said)
    for i, measured in enumerate(keeping.earlier):
        kept = kept_of(keeping, i)
        assert kept == list(range(len(kept)))
        near = half_life >= 1  # with less, the furthest get nothing whatever is left
        if near and len(kept) < len(measured.pieces):  # one that is closed later may give its mark's tokens back
            assert keeping.left < keeping.cost(i, len(kept)) + i * mark_tokens_of(tokens).at_end


@given(
    count=st.integers(2, 8), sentences=st.integers(1, 12), budget=budgets, half_life=half_lives, distance=st.booleans()
)
def test_decay_keeps_no_less_of_the_nearer_of_equal_sections(
    tokens: Tokens, count: int, sentences: int, budget: int, half_life: float, distance: bool
) -> None:
    text = "L'acció va durar 24 mesos. " * sentences
    said = {"distance": "tokens", "half_life_tokens": 50 * half_life} if distance else {"half_life_sections": half_life}
    equal = [section(i, [paragraph(text.strip())]) for i in range(count)]
    keeping = keep("decay", equal, tokens, budget, **said)
    for further, nearer in pairwise(range(count)):
        assert keeping.tokens_of(nearer) >= keeping.tokens_of(further)


def test_decay_reaches_no_further_than_it_can_give(tokens: Tokens) -> None:
    sections = [section(i, [paragraph("Una frase que ocupa lloc. " * 20)]) for i in range(60)]
    keeping = keep("decay", sections, tokens, 500, half_life_sections=1)
    assert keeping.tokens_of(59) > 0 and not any(keeping.tokens_of(i) for i in range(40))


def test_select_keeps_the_latest_word_for_word_and_finds_an_old_fact(tokens: Tokens) -> None:
    sections = [section(0, [paragraph(FILLER * 8 + "L'acord D3.2 preveu 98.400 €. " + FILLER * 8)])]
    sections += [section(i, [paragraph(FILLER * 20)]) for i in range(1, 6)]
    keeping = keep("select", sections, tokens, 300)
    assert kept_of(keeping, 0) == [8]
    assert keeping.parts()[0].spans[0].reason == "facts"
    last = kept_of(keeping, 5)
    assert last == list(range(last[0], 20)) and len(last) >= 5


def test_select_takes_what_is_told_often_before_what_was_told_once(tokens: Tokens) -> None:
    often, once = "La Fundació Àncora hi va ser present.", "La Fundació Brúixola hi va ser present."
    sections = [section(0, [paragraph(f"{FILLER}{once}")]), section(1, [paragraph(f"{FILLER}{often}")])]
    sections += [section(i, [paragraph(f"{FILLER}{often}")]) for i in range(2, 5)]
    sections += [section(5, [paragraph(FILLER * 20)])]
    keeping = keep("select", sections, tokens, 90)
    text = "".join(part.text for part in keeping.parts())
    assert "Àncora" in text and "Brúixola" not in text


def test_select_does_not_tell_again_what_the_recent_text_or_the_people_tell(tokens: Tokens) -> None:
    old = section(0, [paragraph(f"{FILLER}Van venir 340 alumnes. {FILLER}Van costar 1.250 euros. {FILLER}")])
    sections = [old, *(section(i, [paragraph(FILLER * 20)]) for i in (1, 2))]
    latest = section(3, [paragraph(f"{FILLER * 3}Eren 340 alumnes.")])
    for last, told, expected in (
        (latest, "", {3}),  # 340 stands in the latest section
        (latest, "1.250 €", set()),
        (section(3, [paragraph(FILLER * 3)]), "", {1, 3}),
    ):
        keeping = keep("select", [*sections, last], tokens, 330, told=told)
        pieces, (part, *_) = keeping.earlier[0].pieces, keeping.parts()
        facts = [span for span in part.spans if span.reason == "facts"]
        assert {p for p in (1, 3) for s in facts if s.start <= pieces[p].start < s.end} == expected


def test_select_prefers_what_is_about_the_coming_headings(tokens: Tokens) -> None:
    about, other = "Els tallers de ceràmica agraden molt.", "Els tallers de música agraden molt."
    sections = [section(0, [paragraph(f"{FILLER}{other} {FILLER}{about} {FILLER}")])]
    sections += [section(i, [paragraph(FILLER * 20)]) for i in range(1, 4)]
    for wanted, piece in (("Ceràmica", 3), ("Música", 1)):
        keeping = keep("select", sections, tokens, 200, wanted)
        assert [p for p in kept_of(keeping, 0) if p in (1, 3)] == [piece]
        assert next(s.reason for s in keeping.parts()[0].spans) == "topic"


@pytest.mark.parametrize("policy", sorted(POLICIES))
def test_nothing_earlier_is_no_fault(policy: str, tokens: Tokens) -> None:
    assert keep(policy, [], tokens, 100).parts() == ()
