import json
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from pipeline.errors import FatalError, UserError
from pipeline.evaluation import Evaluation, evaluate, table
from pipeline.records import Adapter, Base, Example
from pipeline.settings import Evaluation as EvaluationSettings
from pipeline.storage import Workspace
from tests.pipeline.evaluation.conftest import make_example

pytest.importorskip("torch")
SETTINGS = EvaluationSettings(
    least_reports=5,
    generated_sections=3,
    generated_tokens=8,
    resamples=1000,
    margin_unsupported=1,
    margin_repetition=1,
    margin_endings=1,
)


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    return Workspace(tmp_path_factory.mktemp("workspace"))


@pytest.fixture(scope="module")
def found(workspace: Workspace, tiny_base: Base, examples: list[Example], trained: Adapter) -> Evaluation:
    steps: list[tuple[int, int]] = []
    evaluation = evaluate(
        examples,
        tiny_base,
        trained,
        None,
        workspace,
        SETTINGS,
        lambda done, total, note="": steps.append((done, total)),
    )
    assert steps == sorted(steps)
    assert steps[-1] == (36, 36)  # 15 sections read and 3 written, by two contenders
    return evaluation


def test_an_adapter_that_learned_is_better(found: Evaluation, trained: Adapter) -> None:
    assert (found.verdict, found.candidate, found.champion) == ("better", trained.id, None)
    assert (found.sections, found.reports, found.written) == (15, 5, 3)
    groups = [c.group for c in found.comparisons if c.name == "bits_per_byte"]
    assert groups == ["all", "ca", "en", "es"]
    assert all(c.high < 0 for c in found.comparisons if c.name == "bits_per_byte")
    assert found.scores[0].value == found.comparisons[0].candidate


def test_the_page_and_the_table_say_it_in_plain_words(found: Evaluation) -> None:
    page = Path(found.path, "report.md").read_text("utf-8")
    overall = found.comparisons[0]
    sentence = (
        f"The new adapter needs {overall.candidate:.2f} bits for each byte of a section it never saw; "
        f"the base without an adapter needs {overall.reference:.2f}."
    )
    assert sentence in page
    assert "**Yes, it is better: " in page
    assert "judged on 15 sections of 5 reports" in page
    assert page.count("\n### ") == 3
    assert overall.signature in page
    html = Path(found.path, "report.html").read_text("utf-8")
    assert sentence in html and overall.signature in html
    assert "Yes, it is better: " in html
    console = Console(width=160, record=True, file=open("/dev/null", "w"))  # noqa: SIM115
    console.print(table(found))
    shown = console.export_text()
    assert sentence in " ".join(shown.split())
    assert f"{overall.reference:.3f}" in shown and "Catalan" in shown


def test_the_document_for_programs(found: Evaluation) -> None:
    document = json.loads(found.document().model_dump_json())
    assert set(document) == {
        *("champion", "candidate", "scores", "verdict", "reason", "report"),
        *("conditions", "html"),
    }
    first = document["scores"][0]
    assert first["name"] == "bits_per_byte"
    assert first["difference"] == pytest.approx(first["candidate"] - first["champion"])
    assert first["interval"][0] <= first["difference"] <= first["interval"][1]
    assert first["base"] is None  # the base is what it was compared with
    assert Path(document["report"]).is_file() and Path(document["html"]).is_file()


def test_written_sections_lie_beside_it(found: Evaluation, examples: list[Example]) -> None:
    lines = Path(found.path, "generated.jsonl").read_text("utf-8").splitlines()
    targets = {example.id: example.target for example in examples}
    pairs = [json.loads(line) for line in lines]
    assert {pair["language"] for pair in pairs} == {"ca", "es", "en"}
    assert all(pair["true"] == targets[pair["example"]] for pair in pairs)
    assert any(pair["candidate"] != pair["reference"] for pair in pairs)


def test_the_same_again_is_read_without_torch(
    found: Evaluation,
    tmp_path: Path,
    workspace: Workspace,
    tiny_base: Base,
    examples: list[Example],
    trained: Adapter,
) -> None:
    asked = tmp_path / "asked.pickle"
    asked.write_bytes(pickle.dumps((examples, tiny_base, trained, None, workspace, SETTINGS)))
    script = (
        "import pickle, sys; from pipeline.evaluation import evaluate; "
        "found = evaluate(*pickle.load(open(sys.argv[1], 'rb'))); "
        "print(found.id, 'torch' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script, asked], capture_output=True, text=True, check=True)
    assert done.stdout.split() == [found.id, "False"]


def test_a_champion_is_not_measured_anew_and_a_worse_adapter_is_not_better(
    found: Evaluation,
    workspace: Workspace,
    tiny_base: Base,
    examples: list[Example],
    trained: Adapter,
    spoilt: Adapter,
) -> None:
    before = set(workspace.keys("measured"))
    again = evaluate(examples, tiny_base, spoilt, trained, workspace, SETTINGS)
    assert len(set(workspace.keys("measured")) - before) == 2  # the new one read, and the new one wrote
    assert [c.candidate for c in again.with_base] == [c.candidate for c in again.comparisons]
    assert again.with_base[0].reference == found.comparisons[0].reference
    assert again.comparisons[0].reference == found.comparisons[0].candidate
    assert (again.verdict, again.champion) == ("not better", trained.id)
    assert "it is worse on the whole" in again.reason
    assert "**No, it is not shown to be better" in Path(again.path, "report.md").read_text("utf-8")


def test_an_adapter_that_learned_another_language_alone_is_refused(
    workspace: Workspace, tiny_base: Base, examples: list[Example], trained: Adapter, train_tiny: Any
) -> None:
    english = train_tiny("english", [example for example in examples if example.language == "en"])
    found = evaluate(examples, tiny_base, english, trained, workspace, SETTINGS)
    assert found.verdict == "not better"
    assert "it is worse in Catalan" in found.reason


def test_an_adapter_is_not_better_than_itself(
    workspace: Workspace, tiny_base: Base, examples: list[Example], trained: Adapter
) -> None:
    same = evaluate(examples, tiny_base, trained, trained, workspace, SETTINGS)
    assert same.verdict == "not better"
    assert {(c.difference, c.low, c.high) for c in same.comparisons} == {(0.0, 0.0, 0.0)}


def test_new_sections_cost_only_themselves(
    workspace: Workspace, tiny_base: Base, examples: list[Example], trained: Adapter, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With one section more, that one is measured, by the contender that had not seen it."""
    from pipeline.evaluation import measured

    read: list[str] = []
    real = measured.section_bits
    monkeypatch.setattr(measured, "section_bits", lambda m, t, e: read.append(e.id) or real(m, t, e))
    more = [*examples, make_example("report-es-9", 1, "es"), make_example("report-es-9", 2, "es")]
    settings = SETTINGS.model_copy(update={"generated_sections": 0})
    again = evaluate(more, tiny_base, trained, None, workspace, settings)
    assert sorted(read) == sorted(2 * [example.id for example in more[-2:]])
    assert (again.sections, again.reports) == (17, 6)


def test_what_was_measured_before_a_stop_is_kept(
    tmp_path: Path, tiny_base: Base, examples: list[Example], trained: Adapter, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pipeline.evaluation import measured

    here, read = Workspace(tmp_path), []
    real = measured.section_bits

    def until_stopped(model: Any, tokenizer: Any, example: Example) -> Any:
        read.append(example.id)
        if len(read) == 4:
            raise KeyboardInterrupt
        return real(model, tokenizer, example)

    monkeypatch.setattr(measured, "section_bits", until_stopped)
    settings = SETTINGS.model_copy(update={"generated_sections": 0})
    with pytest.raises(KeyboardInterrupt):
        evaluate(examples[:6], tiny_base, trained, None, here, settings)
    evaluate(examples[:6], tiny_base, trained, None, here, settings)
    assert len(read) == 4 + 3 + 6  # three by the base were kept


def test_few_sections_are_chosen_and_nothing_need_be_written(
    workspace: Workspace, tiny_base: Base, examples: list[Example], trained: Adapter
) -> None:
    settings = EvaluationSettings(most_sections=6, generated_sections=0, resamples=400)
    few = evaluate(examples, tiny_base, trained, None, workspace, settings)
    assert (few.sections, few.written) == (6, 0)
    assert {c.name for c in few.comparisons} == {"bits_per_byte", "bits_per_byte_of_facts"}
    assert [c.state for c in few.conditions if c.name == "in_loops"] == ["left out"]


def test_what_cannot_be_judged_is_refused(
    workspace: Workspace, tiny_base: Base, examples: list[Example], trained: Adapter, tmp_path: Path
) -> None:
    with pytest.raises(UserError, match="1 held-out sections are too few"):
        evaluate(examples[:1], tiny_base, trained, None, workspace, SETTINGS)
    other = trained.model_copy(update={"base": "another-base"})
    other = Adapter.model_validate(other.model_dump())
    with pytest.raises(FatalError, match="trained on another base"):
        evaluate(examples, tiny_base, other, None, workspace, SETTINGS)
    broken = Adapter.model_validate({**trained.model_dump(), "weights_sha256": "0" * 64})
    with pytest.raises(FatalError, match="not what training wrote"):
        evaluate(examples, tiny_base, broken, None, workspace, SETTINGS)
