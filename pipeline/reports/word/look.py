"""How the text of a run looks, as far as it decides what is read: hidden, bold, in a font of pictures."""

from dataclasses import dataclass

from pipeline.reports.archive import Element
from pipeline.reports.word import names as n
from pipeline.reports.word.names import w
from pipeline.reports.word.styles import Styles


@dataclass(frozen=True, slots=True)
class Look:
    """The look of text: that of the paragraph's style, or of a run in it."""

    hidden: bool = False
    bold: bool = False
    font: str = ""

    def of_run(self, properties: Element, styles: Styles) -> "Look":
        """The look of a run with these properties (`w:rPr`) in text of this look."""
        hidden, bold, font = self.hidden, self.bold, self.font
        said = {child.tag: child for child in properties}
        if n.RSTYLE in said:  # a switch that two styles turn on is off again (ECMA-376 part 1, section 17.7.3)
            style = styles.get(said[n.RSTYLE].get(n.VAL))
            hidden, bold = hidden != style.hidden, bold != style.bold
        if n.VANISH in said:
            hidden = n.is_on(said[n.VANISH].get(n.VAL, ""))
        if n.BOLD in said:
            bold = n.is_on(said[n.BOLD].get(n.VAL, ""))
        if n.FONTS in said:
            font = said[n.FONTS].get(w("ascii"), "")
        return Look(hidden, bold, font)
