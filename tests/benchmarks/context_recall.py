"""What windows show of what a section takes up again. Prints Markdown tables; exits with 1 if a goal is missed.

    python tests/benchmarks/context_recall.py [--reports FOLDER]     recall, prefix cache, seconds
    python tests/benchmarks/context_recall.py --figure recall.png    and a figure of recall against budget
    python tests/benchmarks/context_recall.py --json                 one JSON document in place of tables

`windows/recall.py` says what recall is. Run it on a machine that does nothing else.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from time import perf_counter
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from pipeline.bases.tokens import Tokens  # noqa: E402
from pipeline.records import Window  # noqa: E402
from pipeline.settings import Windows  # noqa: E402
from pipeline.windows import VERSION  # noqa: E402
from tests.benchmarks.windows.documents import LONG, MOST_SECTION_TOKENS, Document, documents  # noqa: E402
from tests.benchmarks.windows.figure import draw  # noqa: E402
from tests.benchmarks.windows.goals import LEAST_RECALL, LONG_TOKENS, goals_of  # noqa: E402
from tests.benchmarks.windows.prefix import cached, prompts  # noqa: E402
from tests.benchmarks.windows.recall import DAYS, facts_kept, kind_of, recall, true_facts_kept  # noqa: E402
from tests.benchmarks.windows.seconds import seconds_for  # noqa: E402
from tests.benchmarks.windows.tables import printed  # noqa: E402
from tests.qwen3_tokenizer import write_qwen3_tokenizer  # noqa: E402

# Tail and decay as they are known: chosen anew for every section.
POLICIES: dict[str, dict[str, Any]] = {
    "tail": {"policy": "tail", "refill_share": 1.0},
    "decay": {"policy": "decay", "refill_share": 1.0},
    "select": {"policy": "select"},
    "select, refill 1": {"policy": "select", "refill_share": 1.0},
}
POLICIES_CACHED = POLICIES.keys() - {"tail"}
BUDGETS = (2_000, 4_000, 8_000, 20_000, 40_000)
BUDGETS_BY_KIND = (8_000, 20_000)
BUDGET, BUDGET_SHORT = 20_000, 8_000  # of the prompts and seconds; short documents at both
LENGTHS = (1, 2, 4)

Row = dict[str, Any]


def main() -> int:
    """Print tables and goals. Returns 1 if a goal is missed."""
    arguments = _arguments()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_qwen3_tokenizer(folder / "base")
        tokens = Tokens(folder / "base")
        bench = Bench(tokens, folder / "base" / "tokenizer.json")
        for document in documents(folder / "samples", arguments.reports, tokens):
            bench.measure(document)
            if document.name == LONG:
                bench.measure_seconds(document)
    results = bench.results
    results["goals"] = [asdict(goal) for goal in goals_of(results)]
    if arguments.figure:
        rows = [row for row in results["recall"] if row["facts"] == "found" and row["kind"] == "all"]
        sizes = {row["document"]: row["tokens"] for row in results["documents"]}
        draw(arguments.figure, rows, sizes, LEAST_RECALL, LONG_TOKENS)
    print(json.dumps(results, ensure_ascii=False, indent=1) if arguments.json else printed(results))
    return int(not all(goal["met"] for goal in results["goals"]))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--reports", type=Path, default=ROOT.parent / "shared" / "reports", help="a folder of real documents"
    )
    parser.add_argument("--figure", type=Path, help="write a PNG")
    parser.add_argument("--json", action="store_true", help="one JSON document in place of tables")
    return parser.parse_args()


class Bench:
    """Measures one document after the other; `results` has the rows of every table."""

    def __init__(self, tokens: Tokens, tokenizer_json: Path) -> None:
        self._tokens, self._tokenizer_json = tokens, tokenizer_json
        self.results: dict[str, list[Row]] = {"settings": [{"version": VERSION, **Windows().model_dump()}]}
        self.results |= {"documents": [], "recall": [], "prefix": [], "seconds": []}

    def measure(self, document: Document) -> None:
        """Recall by all policies and budgets, and what a prefix cache serves, for some."""
        self.results["documents"].append(_about(document))
        short = {BUDGET_SHORT} if document.tokens <= LONG_TOKENS else set()
        for policy, said in POLICIES.items():
            for budget in BUDGETS:
                start = perf_counter()
                windows = document.windows(self._tokens, Windows(budget_tokens=budget, **said))
                at = {"document": document.name, "policy": policy, "budget_tokens": budget}
                self.results["recall"] += [{**at, **row} for row in _recall(document, windows, budget)]
                if policy in POLICIES_CACHED and budget in {BUDGET, *short}:
                    found = cached(prompts(document, windows, self._tokenizer_json))
                    self.results["prefix"].append({**at, **asdict(found), "share": found.share})
                _progress(f"{document.name}, {policy}, {budget}", start)

    def measure_seconds(self, document: Document) -> None:
        """For all windows of a document, and of the same several times as long."""
        for length in LENGTHS:
            start = perf_counter()
            found = seconds_for(document, length, self._tokens, Windows(budget_tokens=BUDGET))
            self.results["seconds"].append({"length": length, **asdict(found), "in_all": found.in_all})
            _progress(f"seconds of {document.name} × {length}", start)


def _about(document: Document) -> Row:
    return {
        "document": document.name,
        "sections": len(document.measured),
        "tokens": document.tokens,
        "copies_left_out": document.repeated,
        f"sections_over_{MOST_SECTION_TOKENS}_tokens_left_out": document.too_long,
    }


def _recall(document: Document, windows: Sequence[Window], budget: int) -> Iterator[Row]:
    """Of all facts that the extractor finds; by kind at some budgets; and of those that are known to recur."""
    targets = facts_kept(document, windows)
    yield {"facts": "found", "kind": "all", **asdict(recall(targets))}
    if budget in BUDGETS_BY_KIND:
        for kind in sorted({kind_of(key) for one in targets for key in one.wanted}):
            of_kind = recall(targets, lambda key, kind=kind: kind_of(key) == kind)
            yield {"facts": "found", "kind": kind, **asdict(of_kind)}
        others = recall(targets, lambda key: kind_of(key) != DAYS)
        yield {"facts": "found", "kind": f"all but {DAYS}", **asdict(others)}
    if document.true_facts is not None:
        yield {"facts": "true", "kind": "all", **asdict(recall(true_facts_kept(document, windows)))}


def _progress(what: str, start: float) -> None:
    print(f"{what}: {perf_counter() - start:.1f} s", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
