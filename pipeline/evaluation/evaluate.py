"""One evaluation, from held-out examples to a verdict that is kept.

An evaluation is named by all that determines it; the same again is read from disk, without torch.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pipeline import faithfulness
from pipeline.errors import UserError
from pipeline.evaluation import bits
from pipeline.evaluation.comparison import ALL, PRIMARY, Compared, Contender, Rival, compare
from pipeline.evaluation.found import PAGE, REPORT, Evaluation, SectionFound
from pipeline.evaluation.gate import judge
from pipeline.evaluation.report import markdown, page_of, side_by_side
from pipeline.evaluation.scored import judged_of, scored_bits, scored_by_judge, scored_written
from pipeline.evaluation.scores import Context
from pipeline.evaluation.selection import select
from pipeline.progress import Progress, silent
from pipeline.records import Adapter, Base, Example, Record, digest, short
from pipeline.settings import Evaluation as EvaluationSettings
from pipeline.storage import Workspace, write_json, write_text
from pipeline.windows.prompt import told_by

if TYPE_CHECKING:
    from pipeline.evaluation.bits import SectionBits
    from pipeline.evaluation.measured import SectionWriter

KIND = "evaluations"
GENERATED, SECTIONS, _FILE = "generated.jsonl", "sections.jsonl", "evaluation.json"
VERSION = "evaluation-4"  # another one when a score computes something else


@dataclass(frozen=True)
class Surroundings:
    """What is known beside the held-out examples.

    `context` is what scores may know; `places` says of sections, by id, how far down their report they stand (0 to 1).
    A `writer` writes in place of transformers here.
    """

    context: Context = Context(languages=("ca", "es", "en"))
    places: Mapping[str, float] = field(default_factory=dict)
    writer: "SectionWriter | None" = None


class _Question(Record):
    """All that determines an evaluation."""

    version: str = VERSION
    base: Base
    candidate: Adapter
    champion: Adapter | None
    sections: tuple[str, ...]
    settings: EvaluationSettings
    writing: str
    context: tuple[str, ...]

    @property
    def key(self) -> str:
        adapters = [self.candidate.id, self.champion.id if self.champion else None]
        settings = self.settings.model_dump(mode="json", exclude={"url", "parallel_requests"})  # see `writing`
        how = [settings, self.writing, self.context, bits.VERSION, faithfulness.VERSION]
        return short(digest([self.version, self.base.id, *adapters, self.sections, *how]))

    @property
    def contenders(self) -> dict[Contender, Adapter | None]:
        """The base comes first, what is in service second."""
        found: dict[Contender, Adapter | None] = {"base": None}
        if self.champion:
            found["champion"] = self.champion
        return {**found, "candidate": self.candidate}

    @property
    def reference(self) -> Rival:
        """Whom the candidate has to beat."""
        return "champion" if self.champion else "base"


def evaluate(
    examples: Sequence[Example],
    base: Base,
    candidate: Adapter,
    champion: Adapter | None,
    workspace: Workspace,
    settings: EvaluationSettings,
    progress: Progress = silent,
    around: Surroundings | None = None,
) -> Evaluation:
    """Compare a candidate with the champion and with the bare base on held-out examples.

    Raises:
        UserError: there are fewer than two sections: nothing can be compared.
        FatalError: an adapter is of another base, or its files are not what training wrote.
    """
    around = around or Surroundings()
    chosen = select(examples, settings.most_sections)
    if len(chosen) < 2:
        raise UserError(f"{len(chosen)} held-out sections are too few to judge by", fix="ingest more reports")
    question = _Question(
        base=base,
        candidate=candidate,
        champion=champion,
        sections=tuple(example.id for example in chosen),
        settings=settings,
        writing=around.writer.signature if around.writer else "transformers",
        context=(*around.context.languages, around.context.taught_by),
    )
    with workspace.lock(f"evaluation-{question.key}"):
        if not workspace.has(KIND, question.key):
            _answer(question, chosen, around, workspace, progress)
    return _load(workspace, question.key)


def last_evaluation(workspace: Workspace, candidate: Adapter) -> Evaluation:
    """The newest evaluation of a candidate.

    Raises:
        UserError: it was never evaluated, or only by an older version.
    """
    for key in reversed(workspace.keys(KIND)):
        note = workspace.manifest(KIND, key)
        if note["candidate"] == candidate.id and note.get("version") == VERSION:
            return _load(workspace, key)
    raise UserError("was never evaluated", where=short(candidate.id), fix="run: memoria evaluate")


def _load(workspace: Workspace, key: str) -> Evaluation:
    folder = workspace.open(KIND, key)
    return Evaluation(**json.loads((folder / _FILE).read_text("utf-8")), path=str(folder))


def _answer(
    question: _Question, chosen: Sequence[Example], around: Surroundings, workspace: Workspace, progress: Progress
) -> None:
    """Measure all contenders, compare, and keep what was found."""
    from pipeline.evaluation.measured import Measuring, write_records

    settings, contenders, reference = question.settings, question.contenders, question.reference
    to_write = select(chosen, settings.generated_sections) if settings.generated_sections else []
    total = len(contenders) * (len(chosen) + len(to_write))
    measuring = Measuring(question.base, workspace, total, progress, around.writer)
    measured = {who: measuring.bits(adapter, chosen) for who, adapter in contenders.items()}
    scored, pairs = scored_bits(measured, measuring.compute), []
    rows = _rows(chosen, measured[reference], measured["candidate"], around.places)
    if to_write:
        most = settings.generated_tokens
        written = {who: measuring.written(adapter, to_write, most) for who, adapter in contenders.items()}
        judged = {who: judged_of(sections, to_write) for who, sections in written.items()}
        scored += scored_written(judged, around.context, f"greedy, at most {most} tokens|{measuring.writing}")
        if settings.judge_url:
            scored.append(scored_by_judge(judged, reference, settings))
        pairs = side_by_side(judged[reference], judged["candidate"], rows)
    compared = compare(scored, reference, settings)
    with_base = compare(scored, "base", settings) if question.champion else []
    evaluation = _evaluation(question, rows, len(to_write), compared, with_base)
    with workspace.build(KIND, question.key, {"candidate": evaluation.candidate, "version": VERSION}) as folder:
        write_json(folder / _FILE, evaluation.model_dump(mode="json", exclude={"path"}))
        write_records(folder / GENERATED, pairs)
        write_records(folder / SECTIONS, rows)
        write_text(folder / REPORT, markdown(evaluation, pairs))
        write_text(folder / PAGE, page_of(evaluation, rows, pairs))


def _rows(
    examples: Sequence[Example],
    reference: "Sequence[SectionBits]",
    candidate: "Sequence[SectionBits]",
    places: Mapping[str, float],
) -> list[SectionFound]:
    return [
        SectionFound(
            example=example.id,
            report=example.report,
            language=example.language,
            heading=told_by(example.messages).section_title,
            place=places.get(example.section or ""),
            reference=before.bits / before.text_bytes,
            candidate=after.bits / after.text_bytes,
        )
        for example, before, after in zip(examples, reference, candidate, strict=True)
    ]


def _evaluation(
    question: _Question,
    rows: Sequence[SectionFound],
    written: int,
    compared: Sequence[Compared],
    with_base: Sequence[Compared],
) -> Evaluation:
    comparisons = tuple(c.comparison for c in compared)
    reports = len({row.report for row in rows})
    judgement = judge(comparisons, reports, question.settings)
    return Evaluation(
        base=question.base.id,
        candidate=question.candidate.id,
        champion=question.champion.id if question.champion else None,
        examples=digest(question.sections),
        settings=question.settings,
        sections=len(rows),
        reports=reports,
        written=written,
        comparisons=comparisons,
        with_base=tuple(c.comparison for c in with_base),
        scores=tuple(c.score for c in compared if c.comparison.group == ALL or c.comparison.name == PRIMARY),
        conditions=judgement.conditions,
        verdict=judgement.verdict,
        reason=judgement.reason,
        path="",
    )
