"""From what the contenders did on each section to scores that can be compared: a row of parts for each contender."""

from collections.abc import Mapping, Sequence

from pipeline.errors import UserError
from pipeline.evaluation import bits
from pipeline.evaluation.bits import SectionBits
from pipeline.evaluation.comparison import Contender, Place, Rival, Scored
from pipeline.evaluation.generation import Written
from pipeline.evaluation.scores import Context, Judged, Part, judge, section_scores
from pipeline.evaluation.scores.endpoint import asking
from pipeline.records import Example
from pipeline.settings import Evaluation as EvaluationSettings

_TITLES = {
    bits.NAME: "bits needed for each byte of the true text",
    bits.FACTS: "the same of the facts in it alone",
}


def scored_bits(measured: Mapping[Contender, Sequence[SectionBits]], compute: str) -> list[Scored]:
    """Bits per byte of the true text, and of its facts alone."""
    _require_same([[section.example for section in sections] for sections in measured.values()])
    places = [Place(section.report, section.language) for section in next(iter(measured.values()))]
    parts: dict[str, dict[Contender, list[Part | None]]] = {
        bits.NAME: {who: [(s.bits, float(s.text_bytes)) for s in found] for who, found in measured.items()},
        bits.FACTS: {
            who: [(s.fact_bits, float(s.fact_bytes)) if s.fact_bytes else None for s in found]
            for who, found in measured.items()
        },
    }
    return [
        Scored(name, title, "lower", bits.signature(compute, name), places, parts[name])
        for name, title in _TITLES.items()
    ]


def judged_of(written: Sequence[Written], examples: Sequence[Example]) -> list[Judged]:
    """What was written beside what should have been."""
    _require_same([[section.example for section in written], [example.id for example in examples]])
    return [Judged(section.text, section.finish, example) for section, example in zip(written, examples, strict=True)]


def scored_written(judged: Mapping[Contender, Sequence[Judged]], context: Context, how: str) -> list[Scored]:
    """All scores of written sections; `how` says, for the signature, how they were written."""
    _require_same([[one.example.id for one in sections] for sections in judged.values()])
    places = [Place(one.example.report, one.example.language) for one in next(iter(judged.values()))]
    return [
        Scored(
            score.name,
            score.title,
            score.better,
            f"{score.signature}|{how}",
            places,
            {who: [score.of(one) for one in sections] for who, sections in judged.items()},
        )
        for score in section_scores(context)
    ]


def scored_by_judge(
    judged: Mapping[Contender, Sequence[Judged]], reference: Rival, settings: EvaluationSettings
) -> Scored:
    """The share of written sections that a language model prefers to the reference's.

    Raises:
        UserError: the settings name no model, or the server refuses it.
        TransientError: the server does not answer.
    """
    assert settings.judge_url, "settings name no judge"
    if not settings.judge_model:
        raise UserError("names no model", where="evaluation.judge_model", fix="name one, or unset evaluation.judge_url")
    ask = asking(settings.judge_url, settings.judge_model, settings.judge_api_key)
    found = judge.judge_pairs(judged[reference], judged["candidate"], ask)
    return Scored(
        judge.NAME,
        judge.TITLE,
        "higher",
        judge.signature(settings.judge_model, found),
        [Place(one.example.report, one.example.language) for one in judged["candidate"]],
        {reference: found.parts("reference"), "candidate": found.parts("candidate")},
    )


def _require_same(sections: Sequence[Sequence[str]]) -> None:
    assert all(one == sections[0] for one in sections), "not the same sections"
