"""Slicing by script and by usage against others' recipes. Prints tables; exits with 1 if a goal is missed.

    python tests/benchmarks/vocabulary/peers.py [--characters N] [--json]

Tokens are chosen by half of the pages of real prose in seven languages, and judged by the other half (`recipes.py` says
what the others' recipes are).
"""

import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT))

from pipeline.errors import MemoriaError  # noqa: E402
from pipeline.settings import Vocabulary  # noqa: E402
from pipeline.storage import Workspace  # noqa: E402
from pipeline.vocabulary import slice_base  # noqa: E402
from pipeline.vocabulary.characters import script_characters  # noqa: E402
from pipeline.vocabulary.keep import close  # noqa: E402
from pipeline.vocabulary.tokenizer import SourceTokenizer  # noqa: E402
from pipeline.vocabulary.usage import by_usage  # noqa: E402
from tests.benchmarks.vocabulary import corpora, recipes  # noqa: E402
from tests.benchmarks.vocabulary.readings import Pair, Reading, apart, encoder, mapped, read  # noqa: E402
from tests.benchmarks.vocabulary.synthetic import tiny_base  # noqa: E402
from tests.benchmarks.vocabulary.told import Row, arguments, finish, machine, progress  # noqa: E402
from tests.benchmarks.windows.goals import Goal  # noqa: E402
from tests.qwen3_tokenizer import QWEN3  # noqa: E402

MOST_GROWTH = 0.01  # of the tokens of unseen text, by usage
_SCRIPT, _USAGE, _USAGE_TWICE = "Memoria, by script", "Memoria, by usage", "Memoria, by usage, used twice"
_TRIMMED, _TRIMMED_WHOLE = "vocabtrimmer's recipe", "vocabtrimmer's recipe and single bytes"
_OTHERS_CHARACTERS = 300_000  # of each language in another script


def main() -> int:
    """Print tables and goals. Returns 1 if a goal is missed."""
    said = arguments(__doc__, characters=3_000_000).parse_args()
    try:
        packages = corpora.fetched([*corpora.LATIN, *corpora.OTHERS])
    except MemoriaError as error:
        print(f"nothing to measure on: {error}", file=sys.stderr)
        return 0
    prose = Prose(said.characters)
    tables: dict[str, list[Row]] = {"Machine": [machine(Path(tempfile.gettempdir()))]}
    tables["Packages"] = [{"package": file} for file in packages.values()]
    tables["Prose"] = prose.rows
    with tempfile.TemporaryDirectory() as folder:
        judged = {name: _judged(name, pair, prose) for name, pair in _made(Path(folder), prose)}
    tables["Vocabularies of Qwen3, on pages that nothing was chosen by"] = [
        one.row(name) for name, one in judged.items()
    ]
    tables["Tokens a word on these pages"] = [one.by_language(name) for name, one in judged.items()]
    return finish(tables, _goals(judged), said.json)


class Prose:
    """Pieces to choose by, and pages apart from them to judge by."""

    def __init__(self, characters: int) -> None:
        kept = script_characters(Vocabulary(), "NFC")
        self.chosen: list[str] = []
        self.within: dict[str, list[str]] = {}
        self.beyond: dict[str, list[str]] = {}
        self.words: dict[str, int] = {}
        self.rows: list[Row] = []
        for language in corpora.LATIN:
            pages = corpora.documents(language, characters)
            chosen = [piece for page in pages if not page.held_out for piece in page.pieces]
            unseen = [piece for page in pages if page.held_out for piece in page.pieces]
            self.chosen += chosen
            self.within[language], self.beyond[language] = apart(unseen, kept)
            self.words[language] = corpora.words(unseen)
            sizes = {"chosen by, characters": sum(map(len, chosen)), "judged by, characters": sum(map(len, unseen))}
            self.rows.append({"language": language, **sizes, "words": self.words[language]})
        self.others = [*corpora.every_character(), *corpora.emoji()]
        for language in corpora.OTHERS:
            self.others += (piece for page in corpora.documents(language, _OTHERS_CHARACTERS) for piece in page.pieces)
        self.others += corpora.broken(self.others[-corpora.BROKEN_PIECES :])


class Judged:
    """What a vocabulary came to."""

    def __init__(self, pair: Pair, prose: Prose) -> None:
        self.tokens = pair.made.get_vocab_size()
        self.within = {language: read(pair, pieces) for language, pieces in prose.within.items()}
        self.beyond = {language: read(pair, pieces) for language, pieces in prose.beyond.items()}
        self.others = read(pair, prose.others)
        self._share = self.tokens / pair.base.get_vocab_size()
        self._words, self._unknown = prose.words, recipes.unknown(pair)

    @property
    def latin(self) -> Reading:
        """All held-out pages."""
        return sum((*self.within.values(), *self.beyond.values()), Reading())

    @property
    def in_kept(self) -> Reading:
        """Their pieces in the characters that slicing by script keeps."""
        return sum(self.within.values(), Reading())

    def row(self, name: str) -> Row:
        """Its row in the first table."""
        latin, in_kept = self.latin, self.in_kept
        return {
            "vocabulary": name,
            "tokens": self.tokens,
            "saved": f"{1 - self._share:.1%}",
            "not the base's": self._unknown,
            "tokens a word": f"{latin.tokens_after / sum(self._words.values()):.4f}",
            "more than the base": f"{latin.times - 1:+.2%}",
            "pieces": latin.pieces,
            "read otherwise": latin.differing,
            "of these in Latin and kept signs": in_kept.differing,
            "not given back": latin.lost,
            "other scripts: pieces": self.others.pieces,
            "other scripts: not given back": self.others.lost,
            "other scripts: times the tokens": f"{self.others.times:.2f}",
        }

    def by_language(self, name: str) -> Row:
        """Its row in the second."""
        tokens = {name: (self.within[name] + self.beyond[name]).tokens_after for name in self._words}
        return {"vocabulary": name} | {name: f"{tokens[name] / words:.3f}" for name, words in self._words.items()}


def _judged(name: str, pair: Pair, prose: Prose) -> Judged:
    start = time.perf_counter()
    found = Judged(pair, prose)
    progress(f"reading with: {name}", start)
    return found


def _made(folder: Path, prose: Prose) -> Iterator[tuple[str, Pair]]:
    """Each vocabulary by its name, made when it is asked for."""
    base = tiny_base(folder / "Qwen3", QWEN3)
    source = SourceTokenizer(Path(base.path))
    whole = encoder(Path(base.path))
    yield "Qwen3 itself", Pair.of(whole, whole)
    sliced = slice_base(base, {}, Workspace(folder / "workspace"), Vocabulary())
    yield _SCRIPT, mapped(Path(base.path), Path(sliced.path))

    uses = recipes.counted(whole, prose.chosen)
    number = 0
    for name, floor in ((_USAGE, 1), (_USAGE_TWICE, 2)):
        kept = close(by_usage(uses, source.vocabulary, floor) | source.always_kept, source.merges)
        pair = recipes.cut(source, kept, folder / name)
        number = number or pair.made.get_vocab_size()
        yield name, pair
    for name, single_bytes in ((_TRIMMED, False), (_TRIMMED_WHOLE, True)):
        yield name, recipes.cut(source, recipes.vocabtrimmer(uses, single_bytes=single_bytes), folder / name)
    yield "vocabslim's recipe", recipes.vocabslim(source, prose.chosen, number, folder / "vocabslim")


def _goals(judged: Mapping[str, Judged]) -> Sequence[Goal]:
    script, usage = judged[_SCRIPT], judged[_USAGE]
    lost = script.latin.lost + script.others.lost, usage.latin.lost + usage.others.lost
    growth, others = usage.latin.times - 1, judged[_TRIMMED_WHOLE].latin.times - 1
    differing = script.in_kept.differing
    return [
        Goal("by script: no piece in Latin and kept signs is read otherwise", f"{differing}", not differing),
        Goal("by script: every piece comes back, in any script", f"{lost[0]} do not", not lost[0]),
        Goal("by usage: every piece comes back, in any script", f"{lost[1]} do not", not lost[1]),
        Goal(f"by usage: at most {MOST_GROWTH:.0%} more tokens", f"{growth:+.2%}", growth <= MOST_GROWTH),
        Goal(f"by usage: fewer tokens than {_TRIMMED_WHOLE}", f"{growth:+.2%}, {others:+.2%}", growth < others),
    ]


if __name__ == "__main__":
    sys.exit(main())
