"""How the text of a run looks, as far as it decides what is read: hidden, bold, in a font of pictures."""

from dataclasses import dataclass

from pipeline.reports.archive import Element
from pipeline.reports.word import names as n
from pipeline.reports.word.names import w
from pipeline.reports.word.styles import Styles

_TOLD = (n.RSTYLE, n.VANISH, n.BOLD)


@dataclass(frozen=True, slots=True)
class Look:
    """The look of text: that of the paragraph's style, or of a run in it. `properties` are the run's (`w:rPr`)."""

    hidden: bool = False
    bold: bool = False
    properties: Element | None = None

    @property
    def font(self) -> str:
        """The font that a run names; "" if it names none."""
        fonts = self.properties.find(n.FONTS) if self.properties is not None else None
        return fonts.get(w("ascii"), "") if fonts is not None else ""

    def of_run(self, properties: Element, styles: Styles) -> "Look":
        """The look of a run with these properties in text of this look."""
        hidden, bold = self.hidden, self.bold
        said = {child.tag: child.get(n.VAL, "") for child in properties.iterchildren(*_TOLD)}
        if n.RSTYLE in said:  # a switch that two styles turn on is off again (ECMA-376 part 1, section 17.7.3)
            style = styles.get(said[n.RSTYLE])
            hidden, bold = hidden != style.hidden, bold != style.bold
        if n.VANISH in said:
            hidden = n.is_on(said[n.VANISH])
        if n.BOLD in said:
            bold = n.is_on(said[n.BOLD])
        return Look(hidden, bold, properties)
