"""Examples: what becomes one, what is left out and why, and that nothing of a held-out report teaches."""

import json
from pathlib import Path
from typing import Any

import pytest

from pipeline.bases.tokens import tokens_of
from pipeline.corpus import ExampleNote, ExampleSet, build_examples, describe_examples, load_examples
from pipeline.errors import UserError
from pipeline.records import Base, Report
from pipeline.settings import Corpus, Windows
from pipeline.storage import Workspace
from pipeline.windows import brief_of, build_windows, plan_of, render
from tests.small_reports import small_report, small_reports
from tests.tiny_llama import write_tokenizer

WINDOWS, CORPUS = Windows(budget_tokens=150), Corpus(shortest_target_tokens=10, longest_target_tokens=200)
ODD = 'Línia\u2028nova\u2029 i\x85 "cometes" \\n \t\r\n \x00\x1b\x1c 😀 \ufeff acabat'


@pytest.fixture(scope="session")
def base(tmp_path_factory: pytest.TempPathFactory) -> Base:
    folder = tmp_path_factory.mktemp("base")
    write_tokenizer(folder)
    return Base(name="counting only", fingerprint="f", rows=1, path=str(folder))


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace(tmp_path / "workspace")


def made(reports: list[Report], base: Base, workspace: Workspace, **corpus: Any) -> tuple[ExampleSet, ExampleNote]:
    """The examples of these reports, and the note on them."""
    settings = CORPUS.model_copy(update=corpus)
    key = build_examples(reports, base, WINDOWS, settings, workspace)
    return load_examples(workspace, key), describe_examples(workspace, key)


def test_each_section_becomes_a_prompt_and_its_true_text(base: Base, workspace: Workspace) -> None:
    reports = small_reports()
    examples, note = made(reports, base, workspace)
    assert (len(examples.train), len(examples.held_out)) == (note.train, note.held_out) == (9, 9)
    assert note.left_out == {} and note.windows == WINDOWS.model_dump(mode="json")
    files = {report.id: report.source_sha256 for report in reports}
    assert note.taught == tuple(sorted({files[example.report] for example in examples.train}))
    assert note.examining == tuple(sorted({files[example.report] for example in examples.held_out}))
    by_section = {example.section: example for example in (*examples.train, *examples.held_out)}
    tokens = tokens_of(Path(base.path))
    for report in reports:
        plan = plan_of(report.sections, report.title, report.language)
        for place, window in enumerate(build_windows(report.sections, plan, tokens, WINDOWS)):
            section = report.sections[place]
            example = by_section[section.id]
            assert example.messages == render(window, brief_of(plan, place))
            assert (example.target, example.report, example.window) == (section.text, report.id, window.id)
            assert example.language == report.language


def test_nothing_of_a_held_out_report_teaches(base: Base, workspace: Workspace) -> None:
    reports = small_reports(each=4)
    examples, _ = made(reports, base, workspace, held_out_share=0.4)
    held_out = {example.report for example in examples.held_out}
    assert held_out and not held_out & {example.report for example in examples.train}
    assert {report.language for report in reports if report.id in held_out} == {"ca", "es", "en"}
    taught = "\n".join(x.target + "".join(m.content for m in x.messages) for x in examples.train)
    for report in reports:
        assert any(section.text in taught for section in report.sections) == (report.id not in held_out)
        assert (report.title in taught) == (report.id not in held_out)


def test_sections_too_short_or_too_long_are_counted_and_no_target(base: Base, workspace: Workspace) -> None:
    tokens = tokens_of(Path(base.path))
    reports = [
        *small_reports(),
        small_report("ca", 8, words=""),
        small_report("ca", 9, words="un " * 400),
    ]
    examples, note = made(reports, base, workspace)
    assert note.left_out == {"shorter than 10 tokens": 1, "longer than 200 tokens": 1}
    every = [*examples.train, *examples.held_out]
    assert len(every) == 24 - 2 and all(10 <= tokens.count(x.target) <= 200 for x in every)


def test_both_limits_themselves_are_in(base: Base, workspace: Workspace) -> None:
    text = "Un text de mida justa."
    length = tokens_of(Path(base.path)).count(text)
    reports = [small_report("ca", number, words=text) for number in (1, 2, 3)]
    exact, note = made(reports, base, workspace, longest_target_tokens=length, shortest_target_tokens=length)
    assert [x.target for x in (*exact.train, *exact.held_out)] == [text] * 3
    assert note.left_out == {f"longer than {length} tokens": 6}


def test_a_section_that_is_left_out_as_target_is_still_looked_back_at(base: Base, workspace: Workspace) -> None:
    reports = [
        report.model_copy(
            update={"sections": (*small_report(report.language, 7, 1, "Curt.").sections, *report.sections)}
        )
        for report in small_reports()
    ]
    examples, note = made(reports, base, workspace)
    assert note.left_out == {"shorter than 10 tokens": 6}
    assert all("Curt." in example.messages[1].content for example in examples.train)


def test_odd_characters_come_back_as_they_were(base: Base, workspace: Workspace) -> None:
    reports = [small_report("ca", number, words=f"{number} {ODD}") for number in (1, 2, 3)]
    examples, _ = made(reports, base, workspace)
    targets = [x.target for x in (*examples.train, *examples.held_out)]
    assert sum(target.endswith(ODD) for target in targets) == 3
    folder = workspace.open("examples", workspace.keys("examples")[0])
    lines = (folder / "train.jsonl").read_bytes().split(b"\n")
    assert len(lines) == len(examples.train) + 1 and all(json.loads(line) for line in lines[:-1])


def test_the_key_names_all_that_the_examples_depend_on(base: Base, workspace: Workspace, tmp_path: Path) -> None:
    reports = small_reports()
    other = tmp_path / "other"
    write_tokenizer(other)
    said = json.loads((other / "tokenizer.json").read_text("utf-8"))
    (other / "tokenizer.json").write_text(json.dumps(said), "utf-8")  # other bytes, another tokenizer
    keys = [
        build_examples(reports, base, WINDOWS, CORPUS, workspace),
        build_examples([*reports, small_report("ca", 9)], base, WINDOWS, CORPUS, workspace),
        build_examples(reports, base, WINDOWS.model_copy(update={"budget_tokens": 151}), CORPUS, workspace),
        build_examples(reports, base, WINDOWS.model_copy(update={"half_life_sections": 5.0}), CORPUS, workspace),
        build_examples(reports, base, WINDOWS, CORPUS.model_copy(update={"held_out_share": 0.3}), workspace),
        build_examples(reports, base, WINDOWS, CORPUS.model_copy(update={"shortest_target_tokens": 9}), workspace),
        build_examples(reports, base.model_copy(update={"path": str(other)}), WINDOWS, CORPUS, workspace),
    ]
    assert len(set(keys)) == len(keys)
    assert build_examples(reports[::-1], base, WINDOWS, CORPUS, workspace) == keys[0]
    renamed = [report.model_copy(update={"file": "x"}) for report in reports]
    assert build_examples(renamed, base, WINDOWS, CORPUS, workspace) == keys[0]


def test_what_is_made_is_not_made_again(base: Base, workspace: Workspace) -> None:
    told: list[tuple[int, int]] = []

    def progress(done: int, total: int, note: str = "") -> None:
        told.append((done, total))

    key = build_examples(small_reports(), base, WINDOWS, CORPUS, workspace, progress)
    assert told == [(done, 6) for done in range(7)]
    manifest = workspace.open("examples", key) / "manifest.json"
    before = manifest.stat().st_mtime_ns
    build_examples(small_reports(), base, WINDOWS, CORPUS, workspace, progress)
    assert len(told) == 7 and manifest.stat().st_mtime_ns == before


@pytest.mark.parametrize(
    ("reports", "corpus", "said"),
    [
        ([small_report("ca", 1), small_report("es", 1)], {}, "2 reports leave no section to examine with"),
        ([], {}, "0 reports leave no section to train on"),
        (
            small_reports(),
            {"longest_target_tokens": 10},
            "6 reports leave no section to train on of 10 to 10 tokens",
        ),
    ],
)
def test_a_corpus_that_cannot_teach_or_examine_is_one_line_and_no_artifact(
    reports: list[Report], corpus: dict[str, int], said: str, base: Base, workspace: Workspace
) -> None:
    with pytest.raises(UserError, match=said):
        made(reports, base, workspace, **corpus)
    assert workspace.keys("examples") == []


def test_a_held_out_section_that_training_knows_examines_nothing(base: Base, workspace: Workspace) -> None:
    legal = " ".join(f"Clause {n} binds the partner of project {n} until year {2000 + n}." for n in range(8))
    reports = [small_report("en", number, sections=12, words=legal) for number in range(1, 5)]
    examples, note = made(reports, base, workspace, longest_target_tokens=900)
    assert legal in {example.target for example in examples.train}
    assert legal not in {example.target for example in examples.held_out}
    held_out = {example.report for example in examples.held_out}
    assert note.left_out == {"known from a report to train on": len(held_out)} and held_out


def test_versions_of_one_report_stay_together(base: Base, workspace: Workspace) -> None:
    first, second = (small_report("en", number, words=" ".join(f"word{n}" for n in range(150))) for number in (1, 2))
    reports = [first, second, *small_reports(each=3)]
    examples, note = made(reports, base, workspace)
    assert note.families == (tuple(sorted((first.id, second.id))),)
    assert len({first.id, second.id} & {example.report for example in examples.held_out}) in (0, 2)


def test_a_whole_report_may_teach_as_one_example(base: Base, workspace: Workspace) -> None:
    reports = small_reports()
    by_section, _ = made(reports, base, workspace)
    examples, note = made(reports, base, workspace, whole_reports=True)
    assert examples.held_out == by_section.held_out, "sections are judged as ever"
    assert note.train == len({example.report for example in by_section.train}) == len(examples.train)
    for example in examples.train:
        report = next(report for report in reports if report.id == example.report)
        assert (example.section, example.window, example.language) == (None, None, report.language)
        assert [message.role for message in example.messages] == ["system", "user"]
        places = [example.target.index(section.text) for section in report.sections]
        assert places == sorted(places) and len(set(places)) == len(places)
        for section in report.sections:
            assert f"- {section.title}" in example.messages[1].content
            assert section.text not in example.messages[1].content
