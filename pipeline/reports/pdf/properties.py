"""When a PDF was made and last changed, as its properties say."""

import re
from datetime import date

# "D:20240131120000+01'00'" (PDF 32000-1, 7.9.4); month and day may be missing, and old writers leave out "D:".
_DATE = re.compile(r"\s*(?:D:)?(?P<year>\d{4})(?P<month>\d{2})?(?P<day>\d{2})?")
FIRST_YEAR = 1985  # no file of this kind is older


def day_of(stated: str) -> date | None:
    """The day of a PDF's date; None if there is none, or nonsense."""
    match = _DATE.match(stated)
    if match is None or int(match["year"]) < FIRST_YEAR:
        return None
    try:
        return date(int(match["year"]), int(match["month"] or 1), int(match["day"] or 1))
    except ValueError:
        return None
