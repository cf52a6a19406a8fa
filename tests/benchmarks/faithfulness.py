"""How well, how fast and how rarely by chance the tracer finds a source. Prints Markdown tables; 1 if a goal is missed.

    python tests/benchmarks/faithfulness.py                     labelled cases, seconds, chance
    python tests/benchmarks/faithfulness.py --misses            and every mistake on the labelled cases
    python tests/benchmarks/faithfulness.py --reports FOLDER    real reports, too, where there are some

Chance: claims made up by lot, in ordinary sentences, held against the full windows of real sections. What is found in
one says nothing, so the less the better; small numbers stand everywhere, and their share is told without a goal.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from pipeline.bases.tokens import Tokens  # noqa: E402
from pipeline.faithfulness import VERSION, sources_of_draft, trace  # noqa: E402
from pipeline.settings import Windows  # noqa: E402
from pipeline.windows import brief_of  # noqa: E402
from tests.benchmarks.tracer.chance import Chance, chance  # noqa: E402
from tests.benchmarks.windows.documents import Document, documents  # noqa: E402
from tests.pipeline.faithfulness.labelled.cases import labelled  # noqa: E402
from tests.pipeline.faithfulness.labelled.measure import Measured, Tally, measure  # noqa: E402
from tests.qwen3_tokenizer import write_qwen3_tokenizer  # noqa: E402

LEAST = 0.95  # precision and recall on the labelled cases, of both sorts of claims
MOST_SECONDS, SECTIONS = 20.0, 200  # on one core
BUDGET_TOKENS = 20_000


def main() -> int:
    """Print tables and goals. Returns 1 if a goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--misses", action="store_true", help="print every mistake on the labelled cases")
    parser.add_argument(
        "--reports",
        type=Path,
        default=ROOT.parent / "shared" / "reports",
        help="folder with real reports (default: ../shared/reports)",
    )
    arguments = parser.parse_args()
    print(f"{VERSION}\n")
    goals = _print_labelled(measure(labelled()), arguments.misses)
    with tempfile.TemporaryDirectory() as name:
        write_qwen3_tokenizer(Path(name) / "base")
        tokens = Tokens(Path(name) / "base")
        found = [
            (document, document.windows(tokens, Windows(budget_tokens=BUDGET_TOKENS)))
            for document in documents(Path(name) / "samples", arguments.reports, tokens)
        ]
    print("\n| document | sections | characters of a prompt | claims of the true sections | with a source | seconds |")
    print("|---|---:|---:|---:|---:|---:|")
    seconds, sections = zip(*(_print_seconds(document, windows) for document, windows in found), strict=True)
    for_all = SECTIONS * max(s / n for s, n in zip(seconds, sections, strict=True) if n >= 100)
    goals.append((f"{SECTIONS} sections of the slowest document in {for_all:.1f} s", for_all < MOST_SECONDS))
    goals += _print_chance(chance([(document, windows) for document, windows in found]))
    print()
    for said, reached in goals:
        print(f"- {'reached' if reached else 'MISSED'}: {said}")
    return 0 if all(reached for _, reached in goals) else 1


def _print_labelled(measured: Measured, misses: bool) -> list[tuple[str, bool]]:
    rows = {"all": (measured.unsupported, measured.supported), **dict(sorted(measured.by_kind.items()))}
    print("| kind | without a source | precision | recall | with a source | precision | recall |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    for kind, tallies in rows.items():
        print(f"| {kind} | {' | '.join(map(_cells, tallies))} |")
    if misses:
        print("", *(f"- {line}" for line in measured.mistakes), sep="\n")
    return [
        (f"claims {name} a source: precision {tally.precision:.1%}, recall {tally.recall:.1%}", _holds(tally))
        for name, tally in (("without", measured.unsupported), ("with", measured.supported))
    ]


def _cells(tally: Tally) -> str:
    return f"{tally.labelled} | {tally.precision:.1%} | {tally.recall:.1%}"


def _holds(tally: Tally) -> bool:
    return tally.precision >= LEAST and tally.recall >= LEAST


def _print_seconds(document: Document, windows: Sequence) -> tuple[float, int]:
    characters = claims = supported = 0
    started = time.process_time()
    for place, (one, window) in enumerate(zip(document.measured, windows, strict=True)):
        sources = sources_of_draft(window, brief_of(document.plan, place))
        characters += sum(len(source.text) for source in sources)
        traced = trace(one.section.text, one.section.language, sources)
        claims += len(traced.claims)
        supported += len(traced.supported)
    seconds = time.process_time() - started
    share = f"{supported / claims:.1%}" if claims else "-"
    mean = characters / len(windows)
    print(f"| {document.name} | {len(windows)} | {mean:,.0f} | {claims} | {share} | {seconds:.1f} |")
    return seconds, len(windows)


def _print_chance(found: Sequence[Chance]) -> list[tuple[str, bool]]:
    print("\n| made up by lot | tried | found in a full window | at most |")
    print("|---|---:|---:|---:|")
    for one in found:
        most = "-" if one.most is None else f"{one.most:.0%}"
        print(f"| {one.name} | {one.tried} | {one.share:.1%} | {most} |")
    return [(f"{one.name} by chance: {one.share:.1%}", one.share <= one.most) for one in found if one.most is not None]


if __name__ == "__main__":
    sys.exit(main())
