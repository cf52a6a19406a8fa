"""The leak test: what a held-out section shares with reports trained on, clauses aside."""

import random
import time

import pytest

from pipeline.corpus import Leak, find_leaks, refuse_leaks
from pipeline.errors import UserError
from pipeline.records import Block, Characters, Example, Message, Report, Section


def _prose(seed: int, words: int) -> str:
    """Made-up words, no two runs alike."""
    drawn = random.Random(seed)
    return " ".join("".join(drawn.choices("aeioulmnrst", k=drawn.randint(2, 9))) for _ in range(words))


def _report(name: str, *texts: str) -> Report:
    sections = tuple(
        Section(
            document=name, position=i, level=1, heading="H", path=("H",), blocks=(Block(kind="paragraph", text=text),)
        )
        for i, text in enumerate(texts)
    )
    return Report(
        file=f"{name}.docx",
        source_sha256=name,
        reader="r",
        title=name,
        language="ca",
        sections=sections,
        characters=Characters(visible=1, read=1),
    )


def _held_out(target: str, section: str = "section") -> Example:
    return Example(
        report="held out",
        source_sha256="0" * 64,
        section=section,
        window="w",
        language="ca",
        messages=(Message(role="user", content="x"),),
        target=target,
    )


def test_a_section_that_stands_in_a_report_trained_on_is_named() -> None:
    text = _prose(1, 100)
    taught = [_report("a", _prose(2, 300)), _report("b", _prose(3, 50), f"{_prose(4, 80)} {text} {_prose(5, 80)}")]
    examples = [_held_out(_prose(6, 100), "clean"), _held_out(text.upper(), "copied")]
    (leak,) = find_leaks(examples, taught)
    assert leak == Leak(examples[1].id, "copied", "held out", taught[1].id, 1.0)
    with pytest.raises(UserError, match=f"section copied of report held out stands, .* 100% .*{taught[1].id[:12]}"):
        refuse_leaks([leak])
    refuse_leaks([])


@pytest.mark.parametrize(("copied", "leaks"), [(50, 0), (70, 1)])
def test_the_share_counts_runs_of_thirteen_words(copied: int, leaks: int) -> None:
    """Of 100 words 50 make 38 of 88 runs, 70 make 58."""
    shared = _prose(1, copied)
    found = find_leaks([_held_out(f"{shared} {_prose(2, 100 - copied)}")], [_report("a", shared)])
    assert len(found) == leaks
    if found:
        assert found[0].share == pytest.approx(58 / 88)


def test_halves_of_a_section_in_two_reports_are_no_leak_of_either() -> None:
    one, other = _prose(1, 60), _prose(2, 60)
    examples = [_held_out(f"{one} {other}")]
    assert find_leaks(examples, [_report("a", one), _report("b", other)], share=0.5) == []
    assert len(find_leaks(examples, [_report("a", one), _report("b", other)], share=0.4)) == 1


def test_a_clause_that_many_reports_share_is_none() -> None:
    clause = _prose(1, 80)
    taught = [_report(name, f"{_prose(i, 40)} {clause}") for i, name in enumerate("abc", 10)]
    assert find_leaks([_held_out(clause)], taught) == []
    assert len(find_leaks([_held_out(clause)], taught[:2])) == 1


def test_versions_of_one_report_make_no_clause() -> None:
    text = _prose(1, 80)
    taught = [_report(name, f"{_prose(i, 40)} {text}") for i, name in enumerate("abc", 10)]
    family = [report.id for report in taught]
    assert len(find_leaks([_held_out(text)], taught, [family])) == 1


def test_short_sections_are_passed_over_and_nothing_taught_leaks_nothing() -> None:
    assert find_leaks([_held_out(_prose(1, 39))], [_report("a", _prose(1, 39))]) == []
    assert len(find_leaks([_held_out(_prose(1, 40))], [_report("a", _prose(1, 40))])) == 1
    assert find_leaks([_held_out(_prose(1, 40))], []) == []
    assert find_leaks([], [_report("a", _prose(1, 40))]) == []


def test_it_is_fast() -> None:
    """200 sections against a million words."""
    page = _prose(1, 5_000)
    taught = [_report(f"r{i}", *([page] * 10)) for i in range(20)]
    examples = [_held_out(_prose(i, 300)) for i in range(200)]
    begun = time.process_time()
    assert find_leaks(examples, taught) == []
    assert time.process_time() - begun < 4
