"""All finders, one after the other, and what they found in the order of the text."""

from typing import TYPE_CHECKING

from pipeline.facts.addresses import find_addresses
from pipeline.facts.codes import find_codes, find_codes_of_digits
from pipeline.facts.dates import find_dates
from pipeline.facts.fact import Claims, Fact
from pipeline.facts.labels import pass_over_labels
from pipeline.facts.names import find_names
from pipeline.facts.quantities import find_quantities

if TYPE_CHECKING:
    from pipeline.records import Language


def facts_of(text: str, language: "Language | None") -> list[Fact]:
    """The facts of a Markdown text, in order and not overlapping. Reads any text; the time grows with its length.

    `language` (ISO 639) tells how numbers and the first words of sentences are to be read; None where it is not known.
    """
    claims = Claims(len(text))
    pass_over_labels(text, claims)
    find_addresses(text, claims)
    find_codes(text, claims)
    find_dates(text, claims)
    find_codes_of_digits(text, claims)
    find_quantities(text, language, claims)
    find_names(text, language, claims)
    return sorted(claims.facts, key=lambda fact: fact.start)
