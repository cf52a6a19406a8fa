"""How fast each reader is, and how much memory it takes. Prints Markdown tables; exits with 1 if a goal is missed.

    python tests/benchmarks/reports/speed.py [--reports FOLDER]                one long file at a time
    python tests/benchmarks/reports/speed.py --batch 1000 --characters 500000  many, by `memoria ingest`

Run it on a machine that does nothing else.
"""

import argparse
import sys
import tempfile
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT))

from tests.benchmarks.reports.batch import Batch, ingest_batch, made_batch  # noqa: E402
from tests.benchmarks.reports.peers import OURS, PEERS, Output, read_by  # noqa: E402
from tests.pipeline.reports.torture.document import write_small  # noqa: E402

HANDBOOK, LONG_SAMPLE = "Unstructured-IO__handbook-872p.docx", "en-river-restoration-2024.docx"
PARAGRAPHS = "python-docx, paragraphs"
READERS = (OURS, *PEERS, PARAGRAPHS)
TIMES = 5  # in each round, and the median is taken
FASTER_THAN = {"docling": 10.0, "python-docx": 3.0}
MOST_MEMORY = 10.0  # times the file's XML
MOST_INDEX_BYTES = 64 << 10
MOST_GROWTH = 1.15  # of the memory of a batch, from its second quarter to its last
LEAST_BUSY = 0.8  # share of the cores


@dataclass(frozen=True)
class Goal:
    """Something promised, and what was measured."""

    what: str
    measured: str
    met: bool


def main() -> int:
    """Print tables and goals. Returns 1 if a goal is missed."""
    arguments = _arguments()
    with tempfile.TemporaryDirectory() as folder:
        if arguments.batch:
            files = made_batch(_sample(Path(folder)), Path(folder) / "batch", arguments.batch, arguments.characters)
            goals = _of_batch(ingest_batch(files, Path(folder) / "workspace"), arguments)
        else:
            goals = _one_by_one(Path(folder), arguments.reports, arguments.rounds)
    print("\n| goal | measured | |\n|---|---|---|")
    for goal in goals:
        print(f"| {goal.what} | {goal.measured} | {'met' if goal.met else '**missed**'} |")
    return int(not all(goal.met for goal in goals))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--reports", type=Path, default=ROOT.parent / "shared" / "reports", help="where the handbook is"
    )
    parser.add_argument("--rounds", type=int, default=2, help="how often all readers take their turn; the best counts")
    parser.add_argument("--batch", type=int, default=0, help="ingest that many reports instead")
    parser.add_argument("--characters", type=int, default=500_000, help="visible characters of each of them")
    return parser.parse_args()


def _sample(folder: Path) -> Path:
    from data.sample import write_samples

    return next(path for path in write_samples(folder / "samples") if path.name == LONG_SAMPLE)


def _one_by_one(folder: Path, reports: Path, count: int) -> list[Goal]:
    small, goals = write_small(folder / "small.docx"), []
    files = [_sample(folder)]
    if (reports / HANDBOOK).is_file():
        files.insert(0, reports / HANDBOOK)
    else:
        print(f"left out: there is no {reports / HANDBOOK}", file=sys.stderr)
    for file in files:
        rounds = [{name: read_by(name, file, small, TIMES) for name in READERS} for _ in range(count)]
        # Whatever else the machine did can only have made a reader slower.
        outputs = {name: min((one[name] for one in rounds), key=lambda output: output.seconds) for name in READERS}
        print(f"\n### {file.name}: {_xml_bytes(file) / 1e6:.1f} MB of XML\n\n{_table(outputs, _xml_bytes(file))}")
        goals += _goals(file.name, outputs, _xml_bytes(file))
    return goals


def _xml_bytes(file: Path) -> int:
    with zipfile.ZipFile(file) as archive:
        return sum(info.file_size for info in archive.infolist() if info.filename.endswith(".xml"))


def _table(outputs: dict[str, Output], xml_bytes: int) -> str:
    lines = ["| | seconds | times ours | memory, times the XML |", "|---|---|---|---|"]
    for name, output in outputs.items():
        if output.failure:
            lines.append(f"| {name} | {output.failure} | | |")
            continue
        times = output.seconds / outputs[OURS].seconds
        lines.append(f"| {name} | {output.seconds:.3f} | {times:.1f} | {output.peak_bytes / xml_bytes:.1f} |")
    return "\n".join(lines)


def _goals(file: str, outputs: dict[str, Output], xml_bytes: int) -> list[Goal]:
    ours, goals = outputs[OURS], []
    for peer, least in FASTER_THAN.items():
        if not outputs[peer].failure:
            times = outputs[peer].seconds / ours.seconds
            goals.append(Goal(f"{file}: {least:g} times as fast as {peer}", f"{times:.1f}", times >= least))
    memory = ours.peak_bytes / xml_bytes
    goals.append(Goal(f"{file}: memory under {MOST_MEMORY:g} times the XML", f"{memory:.1f}", memory < MOST_MEMORY))
    return goals


def _of_batch(batch: Batch, arguments: argparse.Namespace) -> list[Goal]:
    per_second = batch.reports / batch.seconds
    millions = per_second * arguments.characters / 1e6
    print(
        f"{batch.reports} reports of {arguments.characters} characters: {batch.seconds:.1f} s on {batch.cores} cores,"
    )
    print(f"{per_second:.1f} a second, {millions:.1f} million characters a second; again {batch.seconds_again:.1f} s\n")
    print("| memory, most in each quarter (MB) | 1st | 2nd | 3rd | 4th |\n|---|---|---|---|---|")
    for name, found in (("the command itself", batch.own_bytes), ("with its readers", batch.all_bytes)):
        print(f"| {name} | " + " | ".join(f"{most / 1e6:.0f}" for most in quarters(found)) + " |")
    busy = batch.cpu_seconds / batch.seconds / batch.cores
    goals = [
        Goal(
            "every report read, no character lost",
            f"{batch.whole} of {arguments.batch}",
            batch.whole == arguments.batch,
        ),
        Goal(f"cores at least {LEAST_BUSY:.0%} busy", f"{busy:.0%}", busy >= LEAST_BUSY),
    ]
    _, second, _, last = quarters(batch.all_bytes)
    goals.append(Goal("memory flat", f"× {last / second:.2f}", last <= MOST_GROWTH * second))
    _, second, _, last = quarters(batch.own_bytes)  # at its end the command looks for versions of one report
    index_bytes = (last - second) / arguments.batch
    goals.append(
        Goal(
            f"at most {MOST_INDEX_BYTES >> 10} KB a report to find its versions by",
            f"{index_bytes / 1024:.0f} KB",
            index_bytes <= MOST_INDEX_BYTES,
        )
    )
    return goals


def quarters(found: Sequence[int]) -> list[int]:
    """The most of each quarter of a series of at least four."""
    edges = [len(found) * quarter // 4 for quarter in range(5)]
    return [max(found[start:end]) for start, end in zip(edges, edges[1:], strict=False)]


if __name__ == "__main__":
    sys.exit(main())
