"""Dates of a PDF."""

from datetime import date

import pytest

from pipeline.reports.pdf.properties import day_of


@pytest.mark.parametrize(
    ("stated", "day"),
    [
        ("D:20240131120000+01'00'", date(2024, 1, 31)),
        ("D:20240131", date(2024, 1, 31)),
        ("20240131120000Z", date(2024, 1, 31)),
        ("D:202403", date(2024, 3, 1)),
        ("D:2024", date(2024, 1, 1)),
        ("D:20240230", None),
        ("D:00000101000000", None),
        ("D:19040101000000", None),
        ("Wed Jan 31 2024", None),
        ("", None),
    ],
)
def test_day(stated: str, day: date | None) -> None:
    assert day_of(stated) == day
