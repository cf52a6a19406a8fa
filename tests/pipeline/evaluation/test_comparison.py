from typing import Any

import pytest

from pipeline.errors import UserError
from pipeline.evaluation.bits import SectionBits
from pipeline.evaluation.comparison import Comparison, Place, Scored, compare
from pipeline.evaluation.generation import Written
from pipeline.evaluation.scored import judged_of, scored_bits, scored_by_judge, scored_written
from pipeline.evaluation.scores import Context
from pipeline.records import Example, Message
from pipeline.settings import Evaluation as EvaluationSettings
from pipeline.windows.render import WORDS

SETTINGS = EvaluationSettings(resamples=1000)


def _sections(costs: dict[str, list[float]]) -> list[SectionBits]:
    """Sections of one report per entry; the first two letters of its name are its language."""
    return [
        SectionBits(
            example=f"{report}-{i}",
            report=report,
            language=report[:2],
            bits=bits,
            text_bytes=10,
            fact_bits=bits / 2,
            fact_bytes=2 if i == 0 else 0,
        )
        for report, column in costs.items()
        for i, bits in enumerate(column)
    ]


def _scored(name: str, gains: list[float], better: Any = "higher") -> Scored:
    """A score of one section in each report, 0 by the base."""
    places = [Place(f"r{i}", "ca") for i in range(len(gains))]
    base: list[Any] = [(0.0, 1.0)] * len(gains)
    return Scored(name, name, better, f"{name}|v1", places, {"base": base, "candidate": [(g, 1.0) for g in gains]})


def test_bits_are_compared_over_all_and_by_language() -> None:
    reference = _sections({"ca1": [30, 30], "ca2": [40], "en1": [20, 20], "es1": [50]})
    candidate = _sections({"ca1": [20, 20], "ca2": [30], "en1": [20, 22], "es1": [40]})
    scored = scored_bits({"base": reference, "candidate": candidate}, "float32")
    compared = compare(scored, "base", SETTINGS)
    found = {c.comparison.group: c.comparison for c in compared if c.comparison.name == "bits_per_byte"}
    assert list(found) == ["all", "ca", "en"]  # one Spanish section alone is no group
    assert found["all"].reference == pytest.approx(190 / 60)
    assert found["all"].candidate == pytest.approx(152 / 60)
    assert found["ca"].difference == pytest.approx(70 / 30 - 100 / 30)
    assert (found["ca"].low, found["ca"].high, found["ca"].effect) == (-1, -1, "better")
    assert (found["en"].low, found["en"].high) == pytest.approx((0, 0.2))
    assert found["en"].effect == "no difference shown"
    assert [(found[g].n, found[g].reports) for g in found] == [(6, 4), (3, 2), (2, 1)]
    assert found["en"].signature.endswith(
        "|compute:float32|ci:95% expanded percentile|paired bootstrap by section (1 report), 1000 draws, seed 0|"
        "p:uncorrected, the one primary score"
    )
    assert [c.score.name for c in compared][:3] == ["bits_per_byte", "bits_per_byte/ca", "bits_per_byte/en"]
    assert compared[1].score.value == pytest.approx(70 / 30)


def test_facts_count_where_there_are_some() -> None:
    """The first section of each report has facts: half its bits on 2 bytes."""
    reference, candidate = _sections({"ca1": [30, 99], "ca2": [40]}), _sections({"ca1": [20, 1], "ca2": [30]})
    scored = scored_bits({"base": reference, "candidate": candidate}, "float32")
    facts = next(c.comparison for c in compare(scored, "base", SETTINGS) if c.comparison.name == scored[1].name)
    assert (facts.n, facts.reference, facts.candidate) == (2, 35 / 4, 25 / 4)


def test_different_sections_are_never_compared() -> None:
    with pytest.raises(AssertionError, match="not the same sections"):
        scored_bits({"base": _sections({"ca1": [1, 2]}), "candidate": _sections({"ca2": [1, 2]})}, "float32")


def test_sections_that_one_contender_has_no_value_for_are_left_out() -> None:
    scored = _scored("share", [1.0, 0.5, 0.0])
    parts: dict[Any, Any] = {**scored.parts, "base": [None, (1.0, 2.0), (0.0, 2.0)]}
    found = compare([Scored("share", "share", "higher", "v1", scored.places, parts)], "base", SETTINGS)[0].comparison
    assert (found.n, found.reference, found.candidate) == (2, 0.25, 0.25)
    nothing: dict[Any, Any] = {**scored.parts, "candidate": [(0.0, 0.0)] * 3}
    assert compare([Scored("share", "share", "higher", "v1", scored.places, nothing)], "base", SETTINGS) == []


def test_one_of_many_scores_that_is_better_by_luck_is_not_called_better() -> None:
    """A gain with p of some 2% stands by itself, and not as one of eight; the primary score stands anyhow."""
    lucky = [0.2, 1.4, -0.3, 1.1, 0.9, 0.1, 0.8, 0.4]
    alone = compare([_scored("chrf++", lucky)], "base", SETTINGS)[0].comparison
    assert 0.005 < alone.p < 0.04 and alone.effect == "better"
    others = [_scored(f"score {i}", [0.5, -0.5, 0.1, -0.1, 0.3, -0.3, 0.2, -0.2]) for i in range(7)]
    among = compare([_scored("chrf++", lucky), _scored("bits_per_byte", lucky, "lower"), *others], "base", SETTINGS)
    found = {c.comparison.name: c.comparison for c in among if c.comparison.group == "all"}
    assert found["chrf++"].p == pytest.approx(8 * alone.p)
    assert found["chrf++"].effect == "no difference shown"
    assert "|p:Holm, 8 scores" in found["chrf++"].signature
    assert (found["bits_per_byte"].p, found["bits_per_byte"].effect) == (alone.p, "worse")


@pytest.mark.parametrize(
    ("better", "reference", "candidate", "effect"),
    [
        ("lower", 0.5, 0.4, "better"),
        ("higher", 0.5, 0.4, "worse"),
        ("nearer one", 0.5, 0.9, "better"),
        ("nearer one", 1.5, 1.2, "better"),
        ("nearer one", 0.9, 1.4, "worse"),
        ("nearer one", 1.1, 0.5, "worse"),
    ],
)
def test_which_way_is_better(better: Any, reference: float, candidate: float, effect: str) -> None:
    difference = candidate - reference
    values = {"difference": difference, "low": difference - 0.01, "high": difference + 0.01, "error": 0.01, "p": 0.001}
    names: dict[str, Any] = {"name": "x", "title": "x", "group": "all", "against": "base", "signature": "v1"}
    found = Comparison(**names, **values, better=better, reference=reference, candidate=candidate, n=9, reports=9)
    assert found.effect == effect
    assert found.harm[0] < found.harm[1] < found.harm[2]


def _examples(*targets: str) -> list[Example]:
    return [
        Example(
            report="r",
            section=str(i),
            window="w",
            language="ca",
            messages=(
                Message(role="system", content=WORDS["ca"]["system"]),
                Message(role="user", content="Memòria: x"),
            ),
            target=target,
            source_sha256="0" * 64,
        )
        for i, target in enumerate(targets)
    ]


def _judged(examples: list[Example], **texts: tuple[str, ...]) -> Any:
    fields: dict[str, Any] = {"report": "r", "language": "ca", "finish": "whole"}
    return {
        who: judged_of([Written(example=e.id, text=t, **fields) for e, t in zip(examples, said, strict=True)], examples)
        for who, said in texts.items()
    }


def test_written_sections_are_scored_against_the_true_ones() -> None:
    judged = _judged(_examples("abd", "dos"), base=("abc", ""), candidate=("abd", "dos"))
    scored = scored_written(judged, Context(("ca", "es")), "greedy")
    found = {c.comparison.name: c.comparison for c in compare(scored, "base", SETTINGS) if c.comparison.group == "all"}
    assert found["chrf++"].candidate == pytest.approx(100)
    # n-grams a b c against a b d: characters 2/3, 1/2, 0/1, words 0/1; longer ones do not exist.
    assert found["chrf++"].reference == pytest.approx(100 * (2 / 3 + 1 / 2) / 4 / 2)
    assert "|greedy|ci:" in found["chrf++"].signature


def test_a_judge_compares_with_what_is_in_service_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def asking(url: str, model: str, key: str | None) -> Any:
        assert (url, model, key) == ("http://judge/v1", "wise", "secret")
        return lambda messages: "A" if "<A>\ngood" in messages[-1].content else "B"

    monkeypatch.setattr("pipeline.evaluation.scored.asking", asking)
    judged = _judged(_examples("x", "y"), base=("good", "good"), champion=("bad", "bad"), candidate=("good", "good"))
    settings = SETTINGS.model_copy(
        update={"judge_url": "http://judge/v1", "judge_model": "wise", "judge_api_key": "secret"}
    )
    scored = scored_by_judge(judged, "champion", settings)
    (found, _) = compare([scored], "champion", settings)
    assert (found.comparison.reference, found.comparison.candidate, found.comparison.n) == (0, 1, 2)
    assert compare([scored], "base", settings) == []
    assert "secret" not in settings.model_dump_json()
    with pytest.raises(UserError, match="names no model"):
        scored_by_judge(judged, "champion", settings.model_copy(update={"judge_model": ""}))
