"""How well the tracer tells what has a source from what has none, on the labelled cases."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.facts import facts_of
from pipeline.faithfulness import Claim, trace
from tests.pipeline.faithfulness.labelled.cases import Case, Label


@dataclass
class Tally:
    """Claims without a source: labelled so, found so, and both."""

    labelled: int = 0
    found: int = 0
    right: int = 0

    @property
    def precision(self) -> float:
        """Share of the found that are right; 1 if nothing was found."""
        return self.right / self.found if self.found else 1.0

    @property
    def recall(self) -> float:
        """Share of the labelled that were found; 1 if nothing was labelled."""
        return self.right / self.labelled if self.labelled else 1.0


@dataclass
class Measured:
    """Tallies of the claims with and without a source, over all and by kind, and every mistake in words."""

    unsupported: Tally
    supported: Tally
    by_kind: dict[str, tuple[Tally, Tally]]
    mistakes: list[str]


def measure(cases: Sequence[Case]) -> Measured:
    """Trace all cases. What is found but not labelled counts as found wrongly; the other way round, as missed."""
    by_kind: dict[str, tuple[Tally, Tally]] = defaultdict(lambda: (Tally(), Tally()))
    mistakes: list[str] = []
    for case in cases:
        claims = {claim.start: claim for claim in trace(case.text, case.language, case.sources).claims}
        kinds = {fact.start: fact.kind for fact in facts_of(case.text, case.language)}
        labels = {label.start: label for label in case.labels}
        for start in sorted(claims.keys() | labels.keys()):
            claim, label = claims.get(start), labels.get(start)
            _count(by_kind[claim.kind if claim else kinds.get(start, "not found")], claim, label)
            if (claim is not None and claim.support is not None) != (label is not None and label.supported) or not (
                claim and label
            ):
                mistakes.append(_mistake(case, claim, label))
    total = [Tally(), Tally()]
    for kind in by_kind.values():
        for tally, part in zip(total, kind, strict=True):
            tally.labelled += part.labelled
            tally.found += part.found
            tally.right += part.right
    return Measured(total[0], total[1], dict(by_kind), mistakes)


def _count(tallies: tuple[Tally, Tally], claim: Claim | None, label: Label | None) -> None:
    for tally, supported in zip(tallies, (False, True), strict=True):
        found = claim is not None and (claim.support is not None) == supported
        is_labelled = label is not None and label.supported == supported
        tally.found += found
        tally.labelled += is_labelled
        tally.right += found and is_labelled


def _mistake(case: Case, claim: Claim | None, label: Label | None) -> str:
    start, end = (claim.start, claim.end) if claim else (label.start, label.end)  # type: ignore[union-attr]
    said = "no claim" if claim is None else f"by {claim.support}" if claim.support else "unsupported"
    meant = "no claim" if label is None else label.source
    return f"{case.place}: `{case.text[start:end]}` is {said}; labelled {meant}"
