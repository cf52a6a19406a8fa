from typing import Any

import pytest

from pipeline.evaluation import chrf
from pipeline.evaluation.bits import SectionBits
from pipeline.evaluation.comparison import Comparison, compare_bits, compare_written, judge
from pipeline.evaluation.generation import Written
from pipeline.records import Example, Message
from pipeline.settings import Evaluation as EvaluationSettings

SETTINGS = EvaluationSettings(resamples=400)


def _sections(costs: dict[str, list[float]]) -> list[SectionBits]:
    """Sections of one report per entry; the first two letters of its name are its language."""
    return [
        SectionBits.model_validate(
            {
                "example": f"{report}-{i}",
                "report": report,
                "language": report[:2],
                "bits": bits,
                "text_bytes": 10,
            }
        )
        for report, column in costs.items()
        for i, bits in enumerate(column)
    ]


def _comparison(group: str, low: float, high: float, name: str = "bits_per_byte") -> Comparison:
    middle = (low + high) / 2
    values = {"reference": 3.0, "candidate": 3.0 + middle, "difference": middle, "low": low, "high": high}
    return Comparison(name=name, group=group, signature="v1", n=9, **values)


def test_bits_are_compared_over_all_and_by_language() -> None:
    reference = _sections({"ca1": [30, 30], "ca2": [40], "en1": [20, 20], "es1": [50]})
    candidate = _sections({"ca1": [20, 20], "ca2": [30], "en1": [20, 22], "es1": [40]})
    compared = compare_bits(reference, candidate, "bits|v1", SETTINGS)
    found = {c.comparison.group: c.comparison for c in compared}
    assert list(found) == ["all", "ca", "en"]  # one Spanish section alone is no group
    assert found["all"].reference == pytest.approx(190 / 60)
    assert found["all"].candidate == pytest.approx(152 / 60)
    assert found["ca"].difference == pytest.approx(70 / 30 - 100 / 30)
    assert (found["ca"].low, found["ca"].high, found["ca"].effect) == (-1, -1, "better")
    assert (found["en"].low, found["en"].high) == pytest.approx((0, 0.2))
    assert found["en"].effect == "no difference shown"
    assert [found[g].n for g in found] == [6, 3, 2]
    assert found["en"].signature == ("bits|v1|ci:95% paired bootstrap, 400 draws, seed 0, en by section (1 report)")
    assert [c.score.name for c in compared] == ["bits_per_byte", "bits_per_byte/ca", "bits_per_byte/en"]
    assert compared[1].score.value == pytest.approx(70 / 30)


def test_different_sections_are_never_compared() -> None:
    with pytest.raises(AssertionError, match="not the same sections"):
        compare_bits(_sections({"ca1": [1, 2]}), _sections({"ca2": [1, 2]}), "v1", SETTINGS)


@pytest.mark.parametrize(
    ("comparisons", "verdict", "why"),
    [
        ([("all", -0.3, -0.1), ("ca", -0.3, -0.1), ("en", -0.1, 0.2)], "better", "worse in no language"),
        ([("all", -0.3, 0.1)], "not better", "may be chance"),
        ([("all", 0, 0)], "not better", "may be chance"),
        ([("all", 0.1, 0.3)], "not better", "worse on the whole"),
        ([("all", -0.3, -0.1), ("en", 0.1, 0.2)], "not better", "worse in English"),
        (
            [("all", 0.1, 0.3), ("ca", 0.1, 0.3)],
            "not better",
            "worse on the whole and it is worse in Catalan",
        ),
    ],
)
def test_the_verdict(comparisons: list[tuple[str, float, float]], verdict: str, why: str) -> None:
    found = judge([_comparison(*c) for c in comparisons])
    assert found[0] == verdict
    assert why in found[1]


def test_a_score_that_is_not_primary_decides_nothing() -> None:
    worse = _comparison("all", -9, -8, name="chrf++")
    assert worse.effect == "worse"  # chrF++: higher is better
    assert judge([_comparison("all", -0.3, -0.1), worse])[0] == "better"


@pytest.mark.parametrize(
    ("written", "true", "score"),
    [
        ("", "abc", 0),
        ("La memòria", "La memòria", 100),
        # n-grams a b c against a b d: characters 2/3, 1/2, 0/1, words 0/1; longer ones do not exist.
        ("abc", "abd", 100 * (2 / 3 + 1 / 2) / 4),
        # "ab" against "ab cd": precision 1 in each of 3 orders (characters 1 and 2, words 1); recall 2/4,
        # 1/3, 1/2; the F-score of the means with beta 2.
        ("ab", "ab cd", 100 * 5 * (4 / 9) / (4 + 4 / 9)),
    ],
)
def test_chrf_by_hand(written: str, true: str, score: float) -> None:
    assert chrf.chrf(written, true) == pytest.approx(score)


def test_chrf_says_how_it_was_made() -> None:
    assert chrf.signature(96, "float32").startswith("chrf++|sacrebleu nrefs:1|case:mixed|eff:yes|nc:6|nw:2|")
    assert "greedy, at most 96 tokens" in chrf.signature(96, "float32")


def test_written_sections_are_scored_against_the_true_ones() -> None:
    def written(*texts: str) -> list[Written]:
        fields: dict[str, Any] = {"report": "r", "language": "ca", "tokens": 3, "finish": "whole"}
        return [Written(example=str(i), text=text, **fields) for i, text in enumerate(texts)]

    examples = [
        Example(
            report="r",
            section=str(i),
            window="w",
            language="ca",
            messages=(Message(role="user", content="x"),),
            target=target,
            source_sha256="0" * 64,
        )
        for i, target in enumerate(("abd", "dos"))
    ]
    overall = compare_written(written("abc", ""), written("abd", "dos"), examples, "chrf++|v1", SETTINGS)[0]
    assert overall.comparison.candidate == pytest.approx(100)
    assert overall.comparison.reference == pytest.approx(100 * (2 / 3 + 1 / 2) / 4 / 2)
    assert overall.comparison.effect == "better"
