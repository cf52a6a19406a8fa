"""Which texts can be headings."""

from pipeline.reports.word.styles import HEADING_NAME, Style

LONGEST_HEADING_CHARACTERS = 250  # a longer "heading" is a clause that someone gave an outline level
LONGEST_SENTENCE_CHARACTERS = 120  # and so is one of more than this that ends like a sentence
LONGEST_QUESTION_CHARACTERS = 400  # the questions of a form, in a style that is made for headings
FEWEST_CAPITALS = 4  # a line in capitals stands out like a bold one; an acronym does not


def can_head(text: str, style: Style) -> bool:
    """Is a text with an outline level short enough to head anything?"""
    if HEADING_NAME.fullmatch(style.name):
        longest = LONGEST_QUESTION_CHARACTERS if text.endswith(("?", ":")) else LONGEST_HEADING_CHARACTERS
        return len(text) <= longest
    if len(text) > LONGEST_SENTENCE_CHARACTERS and text.endswith((".", ";", ":", ",")):
        return False
    return len(text) <= LONGEST_HEADING_CHARACTERS


def is_loud(text: str) -> bool:
    """Is it all in capitals?"""
    return text.isupper() and sum(map(str.isalpha, text)) >= FEWEST_CAPITALS
