"""How much of a Word file each reader keeps, and how much of its outline. Prints Markdown tables, or JSON.

    python tests/benchmarks/reports/fidelity.py [--reports FOLDER] [--json]

The torture document is judged mark by mark, other files by their words: see README.md one folder up.
"""

import argparse
import json
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT))

from tests.benchmarks.reports.peers import OURS, PEERS, Output, read_by  # noqa: E402
from tests.benchmarks.reports.truth import Heading, outline, plain, share_kept, shown_words, words  # noqa: E402
from tests.pipeline.reports.torture.document import marks, write, write_small  # noqa: E402
from tests.pipeline.reports.torture.manifest import DELETED, HIDDEN, MOVED, READ, Mark  # noqa: E402

SAMPLE = "ca-salut-rural-2024.docx"


@dataclass(frozen=True)
class Judged:
    """One reader on one file. Shares are from 0 to 1; None where the file has nothing of the kind.

    `kept`: characters that are shown and told. `headings`, `levels`, `numbers`: shares of the true headings that
    are found; found on the right level; found with the printed number, of those that have one. `in_order`: of
    neighbouring marks or words that are both told, those in the right order. `not_to_show`: marks that are told
    although they were deleted, moved away or hidden.
    """

    reader: str
    kept: float = 0.0
    headings: float | None = None
    levels: float | None = None
    numbers: float | None = None
    in_order: float | None = None
    not_to_show: int | None = None
    seconds: float = 0.0
    failure: str = ""


def judged_by_marks(reader: str, output: Output) -> Judged:
    """A reader on the torture document."""
    text = plain(output.text)
    places = {mark.word: match.start() for mark in marks() if (match := _pattern(mark.word).search(text))}
    seen = [mark for mark in marks() if mark.fate == READ]
    true = [
        Heading(tuple({mark.level or 0, mark.raw_level or 0}), mark.number or "", mark.word)
        for mark in seen
        if mark.block == "heading"
    ]
    found, levels, numbers = of_headings(true, output.headings, by_mark=True)
    return Judged(
        reader,
        sum(len(mark.word) for mark in seen if mark.word in places) / sum(len(mark.word) for mark in seen),
        found,
        levels,
        numbers,
        _share(_pairs_in_order(seen, places)),
        sum(mark.word in places for mark in marks() if mark.fate in (DELETED, MOVED, HIDDEN)),
        output.seconds,
        output.failure,
    )


def _pattern(word: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![^\W_]){re.escape(plain(word))}(?![^\W_])")


def _pairs_in_order(seen: Sequence[Mark], places: dict[str, int]) -> Iterable[bool]:
    for one, other in zip(seen, seen[1:], strict=False):
        if one.word in places and other.word in places:
            yield one.place == other.place or places[one.word] < places[other.word]


def judged_by_words(reader: str, output: Output, file: Path, true: list[Heading] | None) -> Judged:
    """A reader on any Word file."""
    shown, told = shown_words(file), words(output.text)
    once = {word for word, count in Counter(shown).items() if count == 1}
    once &= {word for word, count in Counter(told).items() if count == 1}
    at = {word: place for place, word in enumerate(told) if word in once}
    order = [at[word] for word in shown if word in once]
    found, levels, numbers = of_headings(true or [], output.headings)
    in_order = _share(one < other for one, other in zip(order, order[1:], strict=False))
    return Judged(
        reader, share_kept(shown, told), found, levels, numbers, in_order, None, output.seconds, output.failure
    )


def of_headings(
    true: Sequence[Heading], told: Sequence[tuple[int, str]], *, by_mark: bool = False
) -> tuple[float | None, float | None, float | None]:
    """Shares of the true headings that are told at all, on their level, and with their number.

    A told heading is the true one if it says the same, with its number or without; `by_mark`: if it holds the mark.
    """
    left = [(level, " ".join(plain(text).split())) for level, text in told]
    found, levels, numbers = [], [], []
    for heading in true:
        index = next((i for i, (_, text) in enumerate(left) if _same(heading, text, by_mark)), None)
        level, text = left.pop(index) if index is not None else (0, "")
        found.append(index is not None)
        levels.append(level in heading.levels)
        if heading.number:
            numbers.append(_squeezed(text).startswith(_squeezed(heading.number.rstrip("."))))
    return _share(found), _share(levels), _share(numbers)


def _same(heading: Heading, text: str, by_mark: bool) -> bool:
    if by_mark:
        return bool(_pattern(heading.text).search(text))
    said, wanted = ("".join(words(one)).casefold() for one in (text, heading.text))
    return said in (wanted, "".join(words(heading.number)).casefold() + wanted)


def _squeezed(text: str) -> str:
    return "".join(plain(text).split()).casefold()


def _share(right: Iterable[bool]) -> float | None:
    every = list(right)
    return sum(every) / len(every) if every else None


def table(judged: Sequence[Judged]) -> str:
    """A Markdown table, a reader a line."""
    head = ("", "characters kept", "headings", "level right", "number right", "order right", "shown wrongly", "seconds")
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    for one in judged:
        shares = (one.kept, one.headings, one.levels, one.numbers, one.in_order)
        cells = [_percent(share) for share in shares] if not one.failure else [one.failure, *[""] * 4]
        wrongly = "" if one.not_to_show is None else str(one.not_to_show)
        lines.append("| " + " | ".join([one.reader, *cells, wrongly, f"{one.seconds:.3f}"]) + " |")
    return "\n".join(lines)


def _percent(share: float | None) -> str:
    """Cut, not rounded: 100 % says that nothing is missing."""
    return "–" if share is None else f"{int(share * 1000) / 10:.1f} %"


def ahead_of_us(judged: Sequence[Judged]) -> list[str]:
    """Each column in which a peer is ahead of Memoria."""
    ours = next(one for one in judged if one.reader == OURS)
    found = []
    for peer in judged:
        for column in ("kept", "headings", "levels", "numbers", "in_order"):
            theirs, own = getattr(peer, column), getattr(ours, column)
            if theirs is not None and own is not None and theirs > own and not peer.failure:
                found.append(f"{peer.reader}: {column} {theirs:.4f} > {own:.4f}")
        if peer.not_to_show is not None and not peer.failure and peer.not_to_show < (ours.not_to_show or 0):
            found.append(f"{peer.reader}: shows {peer.not_to_show} wrongly, we {ours.not_to_show}")
    return found


def main() -> int:
    """Print the tables. Returns 1 if a peer is ahead in any column, or the torture document is not read whole."""
    arguments = _arguments()
    results: dict[str, list[Judged]] = {}
    with tempfile.TemporaryDirectory() as folder:
        torture, small = write(Path(folder) / "torture.docx"), write_small(Path(folder) / "small.docx")
        readers = (OURS, *PEERS)
        results["torture document"] = [judged_by_marks(name, read_by(name, torture, small)) for name in readers]
        for file in [*_shared(arguments.reports), _sample(Path(folder))]:
            true = outline(file)
            results[file.name] = [judged_by_words(name, read_by(name, file, small), file, true) for name in readers]
    ahead = {name: found for name, judged in results.items() if (found := ahead_of_us(judged))}
    if arguments.json:
        print(json.dumps({name: [asdict(one) for one in judged] for name, judged in results.items()}, indent=1))
    else:
        for name, judged in results.items():
            print(f"\n### {name}\n\n{table(judged)}")
        for name, found in ahead.items():
            print(f"\nAhead of us on {name}: {'; '.join(found)}")
    return int(bool(ahead) or results["torture document"][0].kept < 1)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reports", type=Path, default=ROOT.parent / "shared" / "reports", help="a folder of .docx")
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


def _shared(folder: Path) -> list[Path]:
    if not folder.is_dir():
        print(f"left out: there is no folder {folder}", file=sys.stderr)
        return []
    return sorted(folder.glob("*.docx"))


def _sample(folder: Path) -> Path:
    from data.sample import write_samples

    return next(path for path in write_samples(folder / "samples") if path.name == SAMPLE)


if __name__ == "__main__":
    sys.exit(main())
