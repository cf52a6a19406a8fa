"""How most of a document is set, and how a line stands out from it."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.reports.pdf.lines import Line, leading, left_edge, right_edge, usual_size

SAME_SIZE = 0.08  # share of a size within which two sizes are the same
SAME_SIZE_RECOGNISED = 0.25  # where sizes were guessed from pictures
LEAST_SHARE_OF_SIZE = 0.6  # of the characters, that have the usual size unless sizes were guessed
BOLDER = 1.3
CENTRED_POINTS = 6
INDENTED_POINTS = 20


@dataclass(frozen=True, slots=True)
class Usual:
    """How most of the text is set. Places and distances in points; sizes that differ by less than `spread` are one."""

    size: float
    spread: float
    weight: int
    leading: float
    left: float
    right: float

    @classmethod
    def of(cls, lines: Sequence[Line]) -> "Usual":
        """What most characters of these lines have in common."""
        weights: Counter[int] = Counter()
        for line in lines:
            weights[line.weight] += line.characters
        weight = weights.most_common(1)[0][0] if weights else 0
        size = usual_size(lines)
        alike = sum(line.characters for line in lines if abs(line.size - size) <= SAME_SIZE / 2 * size)
        is_sure = alike >= LEAST_SHARE_OF_SIZE * sum(line.characters for line in lines)
        spread = SAME_SIZE if is_sure else SAME_SIZE_RECOGNISED
        return cls(size, spread, weight, leading(lines), left_edge(lines), right_edge(lines))

    def is_bold(self, line: Line) -> bool:
        """Whether a whole line is bolder than the text."""
        return line.bold_name or (self.weight > 0 and line.weight >= BOLDER * self.weight)

    def is_larger(self, line: Line) -> bool:
        """Whether a line is larger than the text."""
        return line.size >= (1 + self.spread) * self.size

    def stands_out(self, line: Line) -> bool:
        """Whether a line is set as headings are."""
        return line.upright and (self.is_larger(line) or (self.is_bold(line) and line.size >= self.size))

    def column(self, line: Line) -> tuple[float, float]:
        """Where the text column of a line begins and ends."""
        return line.column or (self.left, self.right)

    def is_centred(self, line: Line) -> bool:
        """Whether a line stands in the middle of its column, well away from its edges."""
        left, right = self.column(line)
        middle = (line.left + line.right) / 2 - (left + right) / 2
        return line.left > left + INDENTED_POINTS and abs(middle) < CENTRED_POINTS

    def has_room(self, line: Line, following: Line) -> bool:
        """Whether the first word of the following line would have fitted on this one: somebody ended it."""
        if not following.text:
            return False
        width = (following.right - following.left) / len(following.text)
        word = len(following.text.split(maxsplit=1)[0]) + 1.5
        return line.right + word * width < self.column(line)[1]
