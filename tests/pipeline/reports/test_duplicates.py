"""Sections that stand in two reports, and reports that are versions of one another."""

from base64 import b64decode
from collections.abc import Sequence
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from pipeline.records import Block, Characters, Report, Section, digest
from pipeline.reports import find_duplicates, sign
from pipeline.reports.duplicates import _likeness

WORDS = [f"{start}{end}" for start in ("ba", "ko", "ri", "tu", "me") for end in ("lan", "dor", "ges", "nit", "pas")]


def prose(seed: int, words: int = 120) -> str:
    dice = Random(seed)
    return " ".join(dice.choice(WORDS) + str(dice.randrange(100)) for _ in range(words))


def edited(text: str, share: float, seed: int = 0) -> str:
    """The text with a share of its words replaced."""
    dice = Random(seed)
    return " ".join("changed" + str(dice.random()) if dice.random() < share else word for word in text.split())


def report(name: str, texts: Sequence[str]) -> Report:
    source = digest(name)
    sections = tuple(
        Section(
            document=source,
            position=place,
            level=1,
            heading=f"Part {place}",
            path=(f"Part {place}",),
            blocks=(Block(kind="paragraph", text=text),),
        )
        for place, text in enumerate(texts)
    )
    return Report(
        file=f"{name}.docx",
        source_sha256=source,
        reader="by hand",
        title=name,
        language="en",
        sections=sections,
        characters=Characters(visible=0, read=0),
    )


def families_of(*reports: Report) -> set[frozenset[str]]:
    names = {one.id: one.title for one in reports}
    found = find_duplicates([sign(one) for one in reports]).families
    return {frozenset(names[identity] for identity in family) for family in found}


def test_versions_are_a_family_and_others_are_none() -> None:
    first = [prose(seed) for seed in range(6)]
    second = [edited(text, 0.05, seed) for seed, text in enumerate(first)]
    third = [*second[:4], *(prose(seed) for seed in range(50, 53))]  # two sections dropped, three new
    other = [prose(seed) for seed in range(100, 106)]
    found = families_of(report("v1", first), report("v2", second), report("v3", third), report("other", other))
    assert found == {frozenset({"v1", "v2", "v3"})}


def test_a_short_draft_inside_a_long_report_is_its_version() -> None:
    whole = [prose(seed) for seed in range(20)]
    assert families_of(report("draft", whole[3:6]), report("whole", whole)) == {frozenset({"draft", "whole"})}


def test_shared_boilerplate_makes_kin_but_no_family() -> None:
    legal = prose(999)
    reports = [report(str(n), [legal, *(prose(100 * n + seed) for seed in range(1, 6))]) for n in range(1, 5)]
    duplicates = find_duplicates([sign(one) for one in reports])
    assert duplicates.families == ()
    assert set(duplicates.kin) == {one.sections[0].id for one in reports}
    assert len(set(duplicates.kin.values())) == 1


def test_a_section_repeated_in_one_report_is_no_kin_of_another() -> None:
    text = prose(1)
    assert find_duplicates([sign(report("a", [text, text])), sign(report("b", [prose(2)]))]).kin == {}


def test_short_sections_are_not_compared() -> None:
    assert families_of(report("a", ["There was no change."]), report("b", ["There was no change."])) == set()


@given(st.integers(0, 10_000), st.sampled_from([0.0, 0.02, 0.3, 1.0]))
def test_the_estimate_is_near_the_true_likeness(seed: int, share: float) -> None:
    one = prose(seed, 300)
    other = edited(one, share, seed)
    signed = sign(report("x", [one, other])).sections
    estimate = _likeness(*(b64decode(section.signature) for section in signed))
    sets = [
        {tuple(words[n : n + 3]) for n in range(len(words) - 2)}
        for words in (text.replace(".", " ").split() for text in (one, other))
    ]
    truth = len(sets[0] & sets[1]) / len(sets[0] | sets[1])
    assert abs(estimate - truth) < 0.2  # 126 numbers: a standard deviation of 0.044 at most


@given(st.integers(0, 1000))
def test_what_is_alike_is_found_whatever_the_order(seed: int) -> None:
    texts = [prose(seed + 7 * n) for n in range(3)]
    versions = [" ".join(f"new{n}" if n % 30 == 0 else w for n, w in enumerate(text.split())) for text in texts]
    reports = [report(str(number), [text]) for number, text in enumerate([*texts, *versions])]
    shuffled = Random(seed).sample(reports, len(reports))
    expected = {frozenset({str(n), str(n + 3)}) for n in range(3)}
    assert families_of(*reports) == families_of(*shuffled) == expected
