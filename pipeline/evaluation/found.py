"""What an evaluation found, and how `memoria evaluate --json` prints it."""

from pathlib import Path
from typing import ClassVar

from pydantic import BaseModel

from pipeline.evaluation.comparison import Comparison, Verdict
from pipeline.records import Record, Score
from pipeline.settings import Evaluation as EvaluationSettings

REPORT = "report.md"


class Evaluation(Record):
    """What was found. `champion` is None where the candidate was compared with the bare base.

    `reason` says in plain words why the verdict is what it is; `scores` are the candidate's own values.
    `path` is the folder with report.md and generated.jsonl.
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
    scores: tuple[Score, ...]
    verdict: Verdict
    reason: str
    path: str

    def document(self) -> "EvaluateDocument":
        """The evaluation as `memoria evaluate --json` prints it."""
        return EvaluateDocument(
            champion=self.champion,
            candidate=self.candidate,
            scores=[
                ComparedScore(
                    name=c.name,
                    group=c.group,
                    signature=c.signature,
                    champion=c.reference,
                    candidate=c.candidate,
                    difference=c.difference,
                    interval=(c.low, c.high),
                    n=c.n,
                )
                for c in self.comparisons
            ],
            verdict=self.verdict,
            reason=self.reason,
            report=str(Path(self.path) / REPORT),
        )


class ComparedScore(BaseModel):
    """One score of `memoria evaluate --json`; `champion` is the bare base's value if there is no champion."""

    name: str
    group: str
    signature: str
    champion: float
    candidate: float
    difference: float
    interval: tuple[float, float]
    n: int


class EvaluateDocument(BaseModel):
    """What `memoria evaluate --json` prints; `report` is the Markdown file for people."""

    champion: str | None
    candidate: str
    scores: list[ComparedScore]
    verdict: Verdict
    reason: str
    report: str
