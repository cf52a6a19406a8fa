"""What holds for every text: a copy is supported, a source more takes nothing away, formats are no matter."""

from decimal import Decimal

from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.faithfulness import Source, trace
from tests.pipeline.faithfulness.labelled.cases import labelled

CASES = labelled()
MONTHS = "gener febrer març abril maig juny juliol agost setembre octubre novembre desembre"
LANGUAGES = st.sampled_from(["ca", "es", "en", None])
_PIECES = (
    "A a 1 12 2024 . , ' ’ - – / ( ) | # * € $ % D3 WP 2 M de d' i y and març March 12/03/2024 3r Anna Puig Fundació "
    "SAPROP www. .org mil milions euros +34 931 \u00a0 À ŀl més about 12,5 1.200 total hores dones tres"
)
TEXTS = st.lists(
    st.sampled_from([*_PIECES.split(" "), " ", " ", "\n", "\n\n", "| 3 | 4,5 |\n", "| A | € |\n| --- | --- |\n"]),
    max_size=50,
).map("".join)
PASSAGES = st.lists(st.sampled_from([case.text for case in CASES]), min_size=1, max_size=4).map("\n\n".join)


@settings(deadline=None)
@given(
    text=st.one_of(TEXTS, PASSAGES), language=LANGUAGES, before=st.sampled_from(["", CASES[0].sources[2].text + "\n\n"])
)
def test_a_copy_of_a_source_has_no_unsupported_claim(text, language, before):
    traced = trace(text, language, [Source("s", f"{before}{text}", language)])
    assert [text[claim.start : claim.end] for claim in traced.unsupported] == []


@settings(deadline=None)
@given(text=st.one_of(TEXTS, PASSAGES), language=LANGUAGES, sources=st.lists(st.one_of(TEXTS, PASSAGES), max_size=3))
def test_a_source_more_makes_no_supported_claim_unsupported(text, language, sources):
    told = [Source(str(place), source, language) for place, source in enumerate(sources)]
    supported = {claim.start for claim in trace(text, language, told[1:]).supported}
    assert supported <= {claim.start for claim in trace(text, language, told).supported}


def written(value: Decimal) -> tuple[str, ...]:
    """An amount as three locales write it."""
    english = f"{value:,.2f}"
    return (
        english,
        english.translate(str.maketrans(",.", ".,")),
        english.translate(str.maketrans({",": " ", ".": ","})),
    )


@settings(max_examples=40)
@given(
    value=st.decimals(1000, 10**7, places=2),
    language=st.sampled_from(["ca", "es", "en"]),
    source_language=st.sampled_from(["ca", "es", "en"]),
)
def test_any_locale_writes_the_same_figure_and_no_other(value, language, source_language):
    for said in written(value):
        source = [Source("s", f"El cost fou de {said} euros.", source_language)]
        for way, other in zip(written(value), written(value + 1), strict=True):
            assert not trace(f"Es van gastar {way} € avui.", language, source).unsupported, (way, said)
            assert trace(f"Es van gastar {way} $ avui.", language, source).unsupported, (way, said)
            assert trace(f"Es van gastar {other} € avui.", language, source).unsupported, (way, said)


@given(day=st.dates(), language=LANGUAGES)
def test_a_day_tells_its_month_and_its_year_however_they_are_written(day, language):
    if not 1900 <= day.year <= 2099:
        day = day.replace(year=1900 + day.year % 100, day=min(day.day, 28))
    source = [Source("s", f"Va acabar el {day.day:02d}/{day.month:02d}/{day.year}.", "ca")]
    month = MONTHS.split()[day.month - 1]
    of = "d'" if month[0] in "ao" else "de "
    for way in (f"el {day.day} {of}{month} de {day.year}", f"el {month} de {day.year}", f"el {day.year}", f"{day}"):
        assert not trace(f"Va ser {way}.", "ca", source).unsupported, way
    assert trace(f"Va ser el {month} de {day.year + 1}.", "ca", source).unsupported
