"""What slicing by script saves, and whether text is read as before. Prints tables; exits with 1 if a goal is missed.

    python tests/benchmarks/vocabulary/lossless.py [--characters N] [--json]

The vocabularies of Qwen3 and Qwen3.6 as they are, on models of a few megabytes, are sliced by the product with its
settings as they come. Then real prose from Debian's packages is read by both tokenizers.
"""

import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT))

from pipeline.errors import MemoriaError  # noqa: E402
from pipeline.records import Base  # noqa: E402
from pipeline.settings import Vocabulary  # noqa: E402
from pipeline.storage import Workspace  # noqa: E402
from pipeline.vocabulary import load_proof, slice_base  # noqa: E402
from pipeline.vocabulary.characters import script_characters  # noqa: E402
from pipeline.vocabulary.tokenizer import SourceTokenizer  # noqa: E402
from tests.benchmarks.vocabulary import corpora  # noqa: E402
from tests.benchmarks.vocabulary.readings import (  # noqa: E402
    Pair,
    Reading,
    apart,
    by_script,
    characters_beyond,
    mapped,
    read,
)
from tests.benchmarks.vocabulary.synthetic import tiny_base  # noqa: E402
from tests.benchmarks.vocabulary.told import Row, arguments, finish, machine, progress  # noqa: E402
from tests.benchmarks.windows.goals import Goal  # noqa: E402
from tests.qwen3_tokenizer import QWEN3, QWEN3_6, Qwen  # noqa: E402

VOCABULARIES = {"Qwen3": QWEN3, "Qwen3.6": QWEN3_6}
LEAST_SAVED = {"Qwen3": 0.31}  # of the rows
_SHOWN = 12  # characters of a script

Texts = Mapping[str, Sequence[str]]


def main() -> int:
    """Print tables and goals. Returns 1 if a goal is missed."""
    said = arguments(__doc__, characters=3_000_000).parse_args()
    latin, others, packages = _texts(said.characters)
    tables: dict[str, list[Row]] = {"Machine": [machine(Path(tempfile.gettempdir()))], "Packages": packages}
    goals: list[Goal] = []
    with tempfile.TemporaryDirectory() as name:
        for vocabulary, qwen in VOCABULARIES.items():
            for title, rows, reached in _measured(vocabulary, qwen, latin, others, Path(name)):
                tables.setdefault(title, []).extend(rows)
                goals += reached
    return finish(tables, goals, said.json)


def _texts(characters: int) -> tuple[Texts, Texts, list[Row]]:
    """Pieces in the seven languages, pieces in other scripts, and the packages; only what is made here without apt."""
    named = {"every character of Unicode": corpora.every_character(), "emoji": corpora.emoji()}
    try:
        packages = corpora.fetched([*corpora.LATIN, *corpora.OTHERS])
    except MemoriaError as error:
        print(f"left out: the real prose. {error}", file=sys.stderr)
        return {}, named, [{"package": "none: no prose is measured"}]
    start = time.perf_counter()
    latin, others = (
        {language: [p for d in corpora.documents(language, most) for p in d.pieces] for language in languages}
        for languages, most in ((corpora.LATIN, characters), (corpora.OTHERS, characters // 4))
    )
    damaged = (latin["Catalan"], others["Chinese"], others["Arabic"])
    named["broken UTF-8"] = corpora.broken(piece for pieces in damaged for piece in pieces[: corpora.BROKEN_PIECES])
    progress("reading the prose", start)
    return latin, {**others, **named}, [{"package": file} for file in packages.values()]


def _measured(
    vocabulary: str, qwen: Qwen, latin: Texts, others: Texts, folder: Path
) -> Iterator[tuple[str, list[Row], list[Goal]]]:
    """Each table's title with this vocabulary's rows of it, and what was to be reached."""
    settings, start = Vocabulary(), time.perf_counter()
    base = tiny_base(folder / vocabulary, qwen)
    sliced = slice_base(base, {}, Workspace(folder / "workspace"), settings)
    progress(f"{vocabulary}: making the base and slicing it", start)
    pair = mapped(Path(base.path), Path(sliced.path))
    yield "Rows", [_rows(vocabulary, base, sliced, pair.base.get_vocab_size())], _saved(vocabulary, base, sliced)

    kept = script_characters(settings, SourceTokenizer(Path(base.path)).form)
    foreign: list[str] = []
    within_rows: list[Row] = []
    beyond_rows: list[Row] = []
    in_all = Reading()
    for language, pieces in latin.items():
        start = time.perf_counter()
        within, beyond = apart(pieces, kept)
        foreign += beyond
        reading, other = read(pair, within), read(pair, beyond)
        row = {"vocabulary": vocabulary, "language": language, "pieces": reading.pieces, "differing": reading.differing}
        within_rows.append({**row, "tokens": reading.tokens_before, "not given back": reading.lost})
        row |= {"pieces": other.pieces, "differing": other.differing, "not given back": other.lost}
        beyond_rows.append({**row, "times the tokens": f"{other.times:.3f}"})
        in_all += reading
        progress(f"{vocabulary}: {language}", start)
    what = f"{vocabulary}: prose of every language, in kept characters, reads as before"
    yield "Pieces in the kept characters", within_rows, [_none_differs(what, in_all)] if latin else []
    yield "Pieces that hold characters beyond the kept ones", beyond_rows, []
    yield "Those characters", _characters(vocabulary, characters_beyond(foreign, kept)), []
    yield _given(vocabulary, base, foreign, folder, settings)
    yield "Other scripts", *_others(vocabulary, pair, others)


def _rows(vocabulary: str, base: Base, sliced: Base, tokens: int) -> Row:
    proof = load_proof(sliced)
    equal = {None: "not compared", True: "equal", False: "not equal"}
    return {
        "vocabulary": vocabulary,
        "rows": base.rows,
        "rows kept": sliced.rows,
        "saved": f"{1 - sliced.rows / base.rows:.2%}",
        "tokens": tokens,
        "tokens kept": proof.tokens_kept,
        "of them saved": f"{1 - proof.tokens_kept / tokens:.2%}",
        "logits of the tiny model": equal[None if proof.logits is None else proof.logits.equal],
    }


def _saved(vocabulary: str, base: Base, sliced: Base) -> list[Goal]:
    share, least = 1 - sliced.rows / base.rows, LEAST_SAVED.get(vocabulary)
    what = f"{vocabulary}: at least {least:.0%} fewer rows" if least else ""
    return [Goal(what, f"{share:.2%}", share >= least)] if least else []


def _characters(vocabulary: str, characters: Counter[str]) -> list[Row]:
    return [
        {
            "vocabulary": vocabulary,
            "script": script,
            "characters": len(found),
            "in pieces": found.total(),
            "the most frequent": " ".join(f"U+{ord(c):04X}" for c, _ in found.most_common(_SHOWN)),
        }
        for script, found in by_script(characters).items()
    ]


def _given(
    vocabulary: str, base: Base, foreign: Sequence[str], folder: Path, settings: Vocabulary
) -> tuple[str, list[Row], list[Goal]]:
    """The same base, sliced with the foreign pieces at hand as an office's reports would be."""
    title = "The same pieces, given to slicing as the office's own texts"
    if not foreign:
        return title, [], []
    start = time.perf_counter()
    sliced = slice_base(base, {"en": foreign}, Workspace(folder / "workspace"), settings)
    reading = read(mapped(Path(base.path), Path(sliced.path)), foreign)
    progress(f"{vocabulary}: {title.lower()}", start)
    row = {
        "vocabulary": vocabulary,
        "pieces": reading.pieces,
        "differing": reading.differing,
        "rows kept": sliced.rows,
        "saved": f"{1 - sliced.rows / base.rows:.2%}",
    }
    what = f"{vocabulary}: texts given to slicing read as before, whatever they hold"
    return title, [row], [_none_differs(what, reading)]


def _none_differs(what: str, reading: Reading) -> Goal:
    return Goal(what, f"{reading.differing} of {reading.pieces:,} pieces differ", not reading.differing)


def _others(vocabulary: str, pair: Pair, others: Texts) -> tuple[list[Row], list[Goal]]:
    rows: list[Row] = []
    in_all = Reading()
    for name, pieces in others.items():
        reading = read(pair, pieces)
        row = {"vocabulary": vocabulary, "text": name, "pieces": reading.pieces, "not given back": reading.lost}
        tokens = {"tokens before": reading.tokens_before, "after": reading.tokens_after}
        rows.append({**row, **tokens, "times": f"{reading.times:.2f}"})
        in_all += reading
    measured = f"{in_all.lost} of {in_all.pieces:,} pieces do not"
    return rows, [
        Goal(f"{vocabulary}: other scripts, all of Unicode and broken UTF-8 come back", measured, not in_all.lost)
    ]


if __name__ == "__main__":
    sys.exit(main())
