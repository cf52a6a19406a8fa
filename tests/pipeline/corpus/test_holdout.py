"""The hold-out: whole reports of every language, by content, the same whatever else arrives."""

from collections import Counter
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from pipeline.corpus import hold_out
from pipeline.corpus.holdout import _rank, funder_of
from pipeline.records import Language, Report
from tests.small_reports import small_report

shares = st.floats(0.01, 0.99)
corpora = st.lists(
    st.tuples(st.sampled_from(["ca", "es", "en", None]), st.integers(0, 200)), unique=True, max_size=25
).map(lambda drawn: [small_report(language, number, 1) for language, number in drawn])  # type: ignore[arg-type]


@given(corpora, shares)
def test_every_language_has_at_least_one_on_each_side(reports: list[Report], share: float) -> None:
    held_out = hold_out(reports, share)
    assert held_out <= {report.id for report in reports}
    for language, count in Counter(report.language for report in reports).items():
        held = sum(report.id in held_out for report in reports if report.language == language)
        assert 1 <= held < count if count > 1 else held == 0


@given(corpora, shares, st.randoms())
def test_the_order_of_reports_does_not_matter(reports: list[Report], share: float, random: Random) -> None:
    shuffled = random.sample(reports, len(reports))
    assert hold_out(shuffled, share) == hold_out(reports, share)


@given(corpora, shares, st.integers(201, 400), st.sampled_from(["ca", "es", "en", None]))
def test_a_new_report_moves_no_other_into_training_but_for_the_minimum(
    reports: list[Report], share: float, number: int, language: Language | None
) -> None:
    new = small_report(language, number, 1)
    before, after = hold_out(reports, share), hold_out([*reports, new], share)
    for report in reports:
        if report.id in before - after:
            # It was held out only because its language had to have one, and the new one took its place.
            assert _rank(report) >= share and report.language == new.language and new.id in after
        if report.id in after - before:
            # It was in training only because its language had to have one, or it is now the first of two.
            others = [r for r in reports if r.language == report.language]
            assert _rank(report) < share or len(others) == 1


@given(st.floats(0.05, 0.5))
def test_about_the_share_is_held_out(share: float) -> None:
    reports = [small_report("ca", number, 1) for number in range(400)]
    assert abs(len(hold_out(reports, share)) / 400 - share) < 0.1


def test_the_choice_is_by_content_and_not_by_name() -> None:
    reports = [small_report("ca", number, 1) for number in range(20)]
    renamed = [report.model_copy(update={"file": f"x{i}.docx"}) for i, report in enumerate(reports)]
    assert hold_out(reports, 0.3) == hold_out(renamed, 0.3)


def test_a_copy_of_a_held_out_report_is_held_out_too() -> None:
    reports = [small_report("ca", number, 1) for number in range(6)]
    (first,) = hold_out(reports[:2], 0.01)
    original = next(report for report in reports if report.id == first)
    # Read by another version of the reader: another id, the same file.
    again = original.model_copy(update={"reader": "another"})
    assert again.id != original.id
    assert hold_out([*reports[:2], again], 0.01) == {original.id, again.id}


@given(corpora, shares, st.integers(0, 24), st.integers(0, 24))
def test_a_family_stays_together(reports: list[Report], share: float, one: int, other: int) -> None:
    if len(reports) < 2:
        return
    pair = [reports[one % len(reports)].id, reports[other % len(reports)].id]
    held_out = hold_out(reports, share, [[*pair, "of another workspace"]])
    assert (pair[0] in held_out) == (pair[1] in held_out)
    assert len(held_out) < len(reports)


def test_where_all_are_versions_of_one_nothing_is_held_out() -> None:
    reports = [small_report("ca", number, 1) for number in range(4)]
    assert hold_out(reports, 0.5, [[report.id for report in reports]]) == frozenset()


@given(corpora, shares, st.integers(1, 6))
def test_so_many_of_a_language_are_held_out_as_long_as_one_teaches(
    reports: list[Report], share: float, least: int
) -> None:
    held_out, fewer = hold_out(reports, share, least=least), hold_out(reports, share)
    assert fewer <= held_out
    for language, count in Counter(report.language for report in reports).items():
        held = sum(report.id in held_out for report in reports if report.language == language)
        assert min(least, count - 1) <= held < count


def test_a_funder_of_enough_reports_is_examined_too() -> None:
    """Of 40 reports two funders have half each; by hash alone, now and then one has none in the hold-out."""
    reports = [
        small_report("ca", number, 2, words=f"Ho paga la Fundació {'Nord' if number % 2 else 'Sud'}, i no Sudest.")
        for number in range(40)
    ]
    funders = ("Fundació Nord", "Fundació Sud")
    assert {funder_of(report, funders) for report in reports[:2]} == set(funders)
    assert funder_of(reports[0], ("Fundació Est",)) is None
    held_out = hold_out(reports, 0.05, least=1, funders=funders)
    counts = Counter(funder_of(report, funders) for report in reports if report.id in held_out)
    assert set(counts) == set(funders)
    assert hold_out(reports[:10], 0.05, funders=funders) == hold_out(reports[:10], 0.05)  # too few of each
