"""The report: what it says, that it stands by itself, and that nothing in it can do harm."""

import re
from html.parser import HTMLParser
from typing import Any

import pytest

from pipeline.evaluation.comparison import Comparison
from pipeline.evaluation.found import Evaluation, SectionFound
from pipeline.evaluation.gate import judge
from pipeline.evaluation.report import markdown, page_of, plots, side_by_side
from pipeline.evaluation.scores import Judged
from pipeline.settings import Evaluation as EvaluationSettings
from tests.pipeline.evaluation.conftest import make_example

SETTINGS = EvaluationSettings()


def _comparison(name: str, difference: float, better: Any = "lower", group: str = "all", n: int = 40) -> Comparison:
    values: dict[str, Any] = {"reference": 2.0, "candidate": 2.0 + difference, "difference": difference, "p": 0.001}
    names: dict[str, Any] = {"name": name, "title": f"title of {name}", "group": group, "signature": f"{name}|v1"}
    ends = {"low": difference - 0.02, "high": difference + 0.02}
    return Comparison(**names, **values, **ends, against="base", better=better, error=0.01, n=n, reports=8)


def _rows(count: int = 10) -> list[SectionFound]:
    return [
        SectionFound(
            example=str(i),
            report=f"r{i % 8}",
            language="ca",
            heading=f"Part <{i}>",
            place=i / count,
            reference=2.0,
            candidate=1.8 + 0.04 * i,
        )
        for i in range(count)
    ]


@pytest.fixture(scope="module")
def evaluation() -> Evaluation:
    comparisons = (
        _comparison("bits_per_byte", -0.2),
        _comparison("bits_per_byte", -0.3, group="ca"),
        _comparison("chrf++", -3, "higher"),
        _comparison("unsupported", 0.01),
    )
    found = judge(comparisons, 8, SETTINGS)
    return Evaluation(
        base="b" * 64,
        candidate="c" * 64,
        champion="d" * 64,
        examples="e" * 64,
        settings=SETTINGS,
        sections=10,
        reports=8,
        written=2,
        comparisons=comparisons,
        with_base=(_comparison("bits_per_byte", -0.5),),
        scores=(),
        conditions=found.conditions,
        verdict=found.verdict,
        reason=found.reason,
        path="",
    )


class _Page(HTMLParser):
    """Tags that are open at the end, and attributes that would ask for something."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.asks: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.asks += [f"{tag} {name}" for name, _ in attrs if name in ("src", "href", "srcset") or name[:2] == "on"]
        self.asks += [tag] if tag in ("script", "link", "iframe", "img") else []
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        pass

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def _judged(text: str, position: int) -> Judged:
    return Judged(text, "whole", make_example("r1", position, "en", target="It cost 10 euros <here>."))


def test_the_page_stands_by_itself_and_is_well_made(evaluation: Evaluation) -> None:
    rows = [row.model_copy(update={"example": _judged("", i).example.id}) for i, row in enumerate(_rows())]
    pairs = side_by_side([_judged("x", i) for i in range(2)], [_judged("<b>y</b>", i) for i in range(2)], rows)
    html = page_of(evaluation, rows, pairs)
    page = _Page()
    page.feed(html)
    assert page.asks == []
    assert page.open == []
    assert "url(" not in html and "http" not in html.replace("http-equiv", "")
    assert "&lt;b&gt;y" in html and "<b>y" not in html and "Part &lt;0&gt;" in html


def test_the_page_says_all_that_was_found(evaluation: Evaluation) -> None:
    html = page_of(evaluation, _rows(), [])
    assert "Yes, it is better: it is better on the whole, beyond chance, and it is worse in no language" in html
    assert "it is better on 5 of 10" in html  # 1.8, 1.84, ... 1.96 of 2.0
    for comparison in evaluation.comparisons:
        assert comparison.signature in html
    assert "-3.0 [-3.0, -3.0]" in html and "-0.200 [-0.220, -0.180]" in html
    assert html.count("<td>Catalan") + html.count("<th>Catalan") == 1
    for identity in ("b", "c", "d", "e"):
        assert identity * 64 in html
    assert "Against the base without an adapter" in html
    told = markdown(evaluation, [])
    assert "| -0.200 [-0.220, -0.180] | better | 40 |" in told


@pytest.mark.parametrize(
    ("verdict", "answer", "follows"),
    [
        ("better", "Yes, it is better", "It may take over."),
        ("not better", "No, it is not shown to be better", "What is in service stays."),
        ("too few to judge", "It cannot be judged yet", f"memoria adapters promote {'c' * 12}"),
    ],
)
def test_every_verdict_has_its_words(evaluation: Evaluation, verdict: Any, answer: str, follows: str) -> None:
    other = evaluation.model_copy(update={"verdict": verdict, "reason": "so it is"})
    for page in (page_of(other, _rows(), []), markdown(other, [])):
        assert f"{answer}: so it is." in page and follows in page


def test_what_nothing_supports_is_marked_and_comes_first() -> None:
    """The prompt says report r1 and a number; 75,000 euros and 14 May 2031 stand nowhere."""
    honest, inventive = _judged("Nothing was done.", 3), _judged("It cost 75,000 euros on 14 May 2031.", 4)
    rows = [
        row.model_copy(update={"example": judged.example.id})
        for row, judged in zip(_rows(2), (honest, inventive), strict=True)
    ]
    pairs = side_by_side([honest, honest.__class__("", "whole", inventive.example)], [honest, inventive], rows)
    assert [pair.example for pair in pairs] == [inventive.example.id, honest.example.id]
    marked = [inventive.text[mark.start : mark.end] for mark in pairs[0].candidate_marks]
    assert any("75,000" in text for text in marked) and any("2031" in text for text in marked)
    assert pairs[1].candidate_marks == ()


def test_marks_stand_where_the_facts_stand(evaluation: Evaluation) -> None:
    inventive = _judged("<It> cost 75,000 euros & 14 May 2031.", 4)
    rows = [_rows(1)[0].model_copy(update={"example": inventive.example.id})]
    html = page_of(evaluation, rows, side_by_side([inventive], [inventive], rows))
    (article,) = re.findall("<article>.*</article>", html)
    text = re.sub("<[^>]*>", "", article.split("candidate</h4>")[1])
    assert text.startswith("&lt;It&gt; cost 75,000 euros &amp; 14 May 2031.")
    assert re.search("<mark[^>]*>75,000", article)


def test_right_is_better_whichever_way_the_score_runs() -> None:
    def place(comparison: Comparison) -> float:
        return float(re.search('circle cx="([0-9.]+)"', plots.interval(comparison))[1])  # type: ignore[index]

    middle = 130
    assert place(_comparison("a", -0.2)) > middle > place(_comparison("a", 0.2))
    assert place(_comparison("a", 0.2, "higher")) > middle > place(_comparison("a", -0.2, "higher"))
    assert place(_comparison("a", 0.0)) == middle


def test_charts_hold_sections_that_are_all_alike_and_places_that_are_not_known() -> None:
    alike = [row.model_copy(update={"candidate": 2.0, "place": None}) for row in _rows(3)]
    assert plots.sections(alike).count("<rect") == 3
    assert plots.places(alike) == ""
    assert plots.places(_rows(7)).count("<circle") == 7
