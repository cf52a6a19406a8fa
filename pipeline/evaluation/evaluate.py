"""One evaluation, from held-out examples to a verdict that is kept.

An evaluation is named by all that determines it; the same again is read from disk, without torch.
"""

import json
from collections.abc import Sequence

from pipeline.errors import UserError
from pipeline.evaluation import bits, chrf
from pipeline.evaluation.comparison import Compared, compare_bits, compare_written, judge
from pipeline.evaluation.found import REPORT, Evaluation
from pipeline.evaluation.report import SideBySide, markdown
from pipeline.evaluation.selection import select
from pipeline.progress import Progress, silent
from pipeline.records import Adapter, Base, Example, Record, digest, short
from pipeline.settings import Evaluation as EvaluationSettings
from pipeline.storage import Workspace, write_json, write_text

KIND = "evaluations"
GENERATED, _FILE = "generated.jsonl", "evaluation.json"
VERSION = "evaluation-1"


class _Question(Record):
    """All that determines an evaluation."""

    version: str = VERSION
    base: Base
    candidate: Adapter
    champion: Adapter | None
    sections: tuple[str, ...]
    settings: EvaluationSettings

    @property
    def key(self) -> str:
        adapters = [self.candidate.id, self.champion.id if self.champion else None]
        named = [self.version, self.base.id, *adapters, self.sections, self.settings.model_dump(mode="json")]
        return short(digest(named))


def evaluate(
    examples: Sequence[Example],
    base: Base,
    candidate: Adapter,
    champion: Adapter | None,
    workspace: Workspace,
    settings: EvaluationSettings,
    progress: Progress = silent,
) -> Evaluation:
    """Compare a candidate with the champion (None: with the bare base) on held-out examples.

    Raises:
        UserError: there are too few sections to judge by.
        FatalError: an adapter is of another base, or its files are not what training wrote.
    """
    chosen = select(examples, settings.most_sections)
    if len(chosen) < 2:
        raise UserError(f"{len(chosen)} held-out sections are too few to judge by", fix="ingest more reports")
    question = _Question(
        base=base,
        candidate=candidate,
        champion=champion,
        sections=tuple(example.id for example in chosen),
        settings=settings,
    )
    with workspace.lock(f"evaluation-{question.key}"):
        if not workspace.has(KIND, question.key):
            _answer(question, chosen, workspace, progress)
    return _load(workspace, question.key)


def last_evaluation(workspace: Workspace, candidate: Adapter) -> Evaluation:
    """The newest evaluation of a candidate.

    Raises:
        UserError: it was never evaluated.
    """
    for key in reversed(workspace.keys(KIND)):
        if workspace.manifest(KIND, key)["candidate"] == candidate.id:
            return _load(workspace, key)
    raise UserError("was never evaluated", where=short(candidate.id), fix="run: memoria evaluate")


def _load(workspace: Workspace, key: str) -> Evaluation:
    folder = workspace.open(KIND, key)
    return Evaluation(**json.loads((folder / _FILE).read_text("utf-8")), path=str(folder))


def _answer(question: _Question, chosen: Sequence[Example], workspace: Workspace, progress: Progress) -> None:
    """Measure both contenders, compare, and keep what was found."""
    from pipeline.evaluation.measured import Measuring, write_records

    settings = question.settings
    to_write = select(chosen, settings.generated_sections) if settings.generated_sections else []
    contenders = (question.champion, question.candidate)
    measuring = Measuring(question.base, workspace, 2 * (len(chosen) + len(to_write)), progress)
    reference_bits, candidate_bits = (measuring.bits(adapter, chosen) for adapter in contenders)
    compared = compare_bits(reference_bits, candidate_bits, bits.signature(measuring.compute), settings)
    pairs: list[SideBySide] = []
    if to_write:
        before, after = (measuring.written(adapter, to_write, settings.generated_tokens) for adapter in contenders)
        how = chrf.signature(settings.generated_tokens, measuring.compute)
        if len(to_write) > 1:
            compared += compare_written(before, after, to_write, how, settings)
        pairs = [SideBySide.of(*sections) for sections in zip(to_write, before, after, strict=True)]
    evaluation = _evaluation(question, chosen, len(to_write), compared)
    with workspace.build(KIND, question.key, {"candidate": evaluation.candidate}) as folder:
        write_json(folder / _FILE, evaluation.model_dump(mode="json", exclude={"path"}))
        write_records(folder / GENERATED, pairs)
        write_text(folder / REPORT, markdown(evaluation, pairs))


def _evaluation(
    question: _Question, chosen: Sequence[Example], written: int, compared: Sequence[Compared]
) -> Evaluation:
    comparisons = tuple(c.comparison for c in compared)
    verdict, reason = judge(comparisons)
    return Evaluation(
        base=question.base.id,
        candidate=question.candidate.id,
        champion=question.champion.id if question.champion else None,
        examples=digest(question.sections),
        settings=question.settings,
        sections=len(chosen),
        reports=len({example.report for example in chosen}),
        written=written,
        comparisons=comparisons,
        scores=tuple(c.score for c in compared),
        verdict=verdict,
        reason=reason,
        path="",
    )
