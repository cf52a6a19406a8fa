"""What an evaluation found, and how `memoria evaluate --json` prints it."""

from pathlib import Path
from typing import ClassVar

from pydantic import BaseModel

from pipeline.evaluation.comparison import ALL, PRIMARY, Comparison
from pipeline.evaluation.gate import Condition, Verdict
from pipeline.records import Language, Record, Score
from pipeline.settings import Evaluation as EvaluationSettings

REPORT, PAGE = "report.md", "report.html"


class Evaluation(Record):
    """What was found. `champion` is None where the candidate was compared with the bare base.

    `reason` says in plain words why the verdict is what it is, `conditions` what it rests on. `scores` are the
    candidate's own values, of the primary score also by language. `comparisons` are with what is in service: with the
    champion, else with the base; `with_base` are those with the base where there is a champion. `path` is the folder
    with the reports.
    """

    not_identity: ClassVar[frozenset[str]] = frozenset({"path"})

    base: str
    candidate: str
    champion: str | None
    examples: str
    settings: EvaluationSettings
    sections: int
    reports: int
    written: int
    comparisons: tuple[Comparison, ...]
    with_base: tuple[Comparison, ...] = ()
    scores: tuple[Score, ...]
    conditions: tuple[Condition, ...] = ()
    verdict: Verdict
    reason: str
    path: str

    @property
    def primary(self) -> Comparison:
        """The one score that decides who is better."""
        return next(c for c in self.comparisons if c.name == PRIMARY and c.group == ALL)

    def document(self) -> "EvaluateDocument":
        """The evaluation as `memoria evaluate --json` prints it."""
        beside_base = {(c.name, c.group): c for c in self.with_base}
        return EvaluateDocument(
            champion=self.champion,
            candidate=self.candidate,
            scores=[_compared(c, beside_base.get((c.name, c.group))) for c in self.comparisons],
            conditions=list(self.conditions),
            verdict=self.verdict,
            reason=self.reason,
            report=str(Path(self.path) / REPORT),
            html=str(Path(self.path) / PAGE),
        )


class SectionFound(Record):
    """One held-out section: where it stands, and what its true text cost each contender.

    `place` is how far down its report it stands, from 0 to 1; None where that is not known.
    """

    example: str
    report: str
    language: Language | None
    heading: str
    place: float | None
    reference: float
    candidate: float

    @property
    def difference(self) -> float:
        """Bits per byte, candidate - reference; below 0: the candidate knew better what it says."""
        return self.candidate - self.reference


class ComparedScore(BaseModel):
    """One score of `memoria evaluate --json`; `champion` is the bare base's value if there is no champion.

    `p` is corrected for the number of scores; `effect` says what is shown. The last three are of the comparison with
    the base, where there is a champion.
    """

    name: str
    group: str
    signature: str
    champion: float
    candidate: float
    difference: float
    interval: tuple[float, float]
    p: float
    effect: str
    n: int
    reports: int
    base: float | None
    difference_from_base: float | None
    interval_from_base: tuple[float, float] | None


class EvaluateDocument(BaseModel):
    """What `memoria evaluate --json` prints; `report` and `html` are files for people."""

    champion: str | None
    candidate: str
    scores: list[ComparedScore]
    conditions: list[Condition]
    verdict: Verdict
    reason: str
    report: str
    html: str


def _compared(found: Comparison, beside_base: Comparison | None) -> ComparedScore:
    return ComparedScore(
        name=found.name,
        group=found.group,
        signature=found.signature,
        champion=found.reference,
        candidate=found.candidate,
        difference=found.difference,
        interval=(found.low, found.high),
        p=found.p,
        effect=found.effect,
        n=found.n,
        reports=found.reports,
        base=beside_base.reference if beside_base else None,
        difference_from_base=beside_base.difference if beside_base else None,
        interval_from_base=(beside_base.low, beside_base.high) if beside_base else None,
    )
