"""Does the gate refuse what was made worse on purpose? Trains real adapters of the small model on the sample reports.

    python tests/benchmarks/worse_adapters.py [--workspace FOLDER]     Markdown; exits with 1 if the gate errs

    good          the demo's own: has to beat the bare base, and serves from then on
    shuffled      each section is paired with the text of another one in its language
    one language  sees sections in one language alone

The last two are judged as any candidate is, against the good one. A workspace that is named is kept, and a second run
goes on from what is there.
"""

import argparse
import random
import sys
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from copilot.cli.terminal import Terminal  # noqa: E402
from copilot.demo import PROFILE  # noqa: E402
from data.sample import write_samples  # noqa: E402
from pipeline.corpus import describe_examples, load_examples  # noqa: E402
from pipeline.evaluation import Evaluation  # noqa: E402
from pipeline.privacy import turn_telemetry_off  # noqa: E402
from pipeline.records import Base, Example, Record  # noqa: E402
from pipeline.road import (  # noqa: E402
    Road,
    find_base,
    ingest_files,
    judge,
    make_examples,
    release,
    slice_vocabulary,
    train_adapter,
)
from pipeline.settings import load_settings  # noqa: E402
from pipeline.storage import write_text  # noqa: E402

LANGUAGE = "es"
SEED = 0


def shuffled(examples: Sequence[Example]) -> list[Example]:
    """Each prompt with the text of another section in its language."""
    by_language: dict[str | None, list[Example]] = defaultdict(list)
    for example in examples:
        by_language[example.language].append(example)
    paired = []
    for group in by_language.values():
        random.Random(SEED).shuffle(group)
        moved = [*group[1:], group[0]]
        paired += [one.model_copy(update={"target": other.target}) for one, other in zip(group, moved, strict=True)]
    return paired


def one_language(examples: Sequence[Example]) -> list[Example]:
    """The sections in one language."""
    return [example for example in examples if example.language == LANGUAGE]


def doctored(road: Road, key: str, name: str, taught: Sequence[Example]) -> str:
    """An example set with other examples to train on; those to judge by are the same."""
    made, note = load_examples(road.workspace, key), asdict(describe_examples(road.workspace, key))
    spoilt = f"{key}-{name}"
    if not road.workspace.has("examples", spoilt):
        with road.workspace.build("examples", spoilt, {**note, "train": len(taught)}) as folder:
            for part, examples in (("train", taught), ("held_out", made.held_out)):
                write_text(folder / f"{part}.jsonl", _lines(examples))
    return spoilt


def _lines(records: Sequence[Record]) -> str:
    return "".join(record.model_dump_json() + "\n" for record in records)


def judged(road: Road, base: Base, examples: str, kept: str) -> Evaluation:
    """Train on one set, judge on the other, and let the gate decide."""
    adapter = train_adapter(road, base, examples)
    evaluation = judge(road, base, kept, adapter)
    release(road, adapter, evaluation)
    return evaluation


def main() -> int:
    """Train, judge, print; 1 if the gate lets a worse one pass, or the good one not."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workspace", type=Path)
    with tempfile.TemporaryDirectory() as temporary:
        workspace = parser.parse_args().workspace or Path(temporary)
        turn_telemetry_off()
        road = Road(load_settings(PROFILE, workspace=workspace), Terminal())
        ingest_files(road, [Path(file) for file in write_samples(workspace / "archive")])
        base = slice_vocabulary(road, find_base(road))
        key = make_examples(road, base)
        taught = load_examples(road.workspace, key).train
        found = {"good": judged(road, base, key, key)}
        for name, spoil in (("shuffled", shuffled), ("one language", one_language)):
            found[name] = judged(road, base, doctored(road, key, name.replace(" ", "-"), spoil(taught)), key)
    _print(found)
    verdicts = [evaluation.verdict for evaluation in found.values()]
    return int(verdicts != ["better", "not better", "not better"])


def _print(found: dict[str, Evaluation]) -> None:
    print("| adapter | against | bits per byte | difference (95% interval) | verdict | why |")
    print("|---|---|---|---|---|---|")
    for name, evaluation in found.items():
        rival: Any = "champion" if evaluation.champion else "base"
        whole = next(
            c for c in evaluation.comparisons if (c.name, c.group, c.against) == ("bits_per_byte", "all", rival)
        )
        interval = f"{whole.difference:+.3f} [{whole.low:+.3f}, {whole.high:+.3f}]"
        told = (name, rival, f"{whole.candidate:.3f}", interval, evaluation.verdict, evaluation.reason)
        print(f"| {' | '.join(told)} |")


if __name__ == "__main__":
    sys.exit(main())
