"""LaTeX (.tex), by its source: what would be printed, as far as that can be told without running TeX.

source    the parsed file, its preamble, the account
names     what each command is for          numbers    of headings and items
walker    blocks in their order             tables     rows and cells
"""

from pathlib import Path

from pipeline.reports.blocks import Reading, visible
from pipeline.reports.encodings import decoded
from pipeline.reports.tex.source import parsed
from pipeline.reports.tex.walker import Walker
from pipeline.settings import Reports

__all__ = ["read_tex"]


def read_tex(path: Path, settings: Reports) -> Reading:
    """Read a LaTeX file. The files that it draws in are named in a warning, and never opened.

    The account is of the whole source: words, formulas and comments are counted in the parser's tree, whoever
    reads them; all the rest is markup.
    """
    source = parsed(decoded(path.read_bytes()))
    reading = Reading()
    reading.tally.visible = visible(source.text)
    Walker(source, reading).walk()
    reading.tally.left_out["markup"] += source.markup_characters
    reading.tally.left_out["preamble"] += source.preamble_characters
    reading.tally.leave("after the document", source.after)
    return reading
