"""Memory and time of one training step against its length, on this CPU: plain transformers and peft, and in parts.

python tests/benchmarks/long/resident.py            Markdown; exits with 1 if a goal is missed
python tests/benchmarks/long/resident.py --json     one JSON document

Every step runs in a process of its own (one_step.py). The slope is by least squares over the lengths, in bytes a token.
"""

import argparse
import json
import os
import subprocess
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT))

from tests.benchmarks.long.one_step import SCHEDULES, TARGET_TOKENS  # noqa: E402
from tests.benchmarks.long.predicted import predicted_bytes  # noqa: E402

LENGTHS = (2048, 4096, 8192, 16_384)
MODES = ("plain", "targets", *SCHEDULES)
OURS = "in parts"
LARGEST_SLOPE_SHARE, LARGEST_GAP = 0.25, 0.10
ENVIRONMENT = {"MALLOC_MMAP_THRESHOLD_": "65536", "MALLOC_TRIM_THRESHOLD_": "65536", "OMP_WAIT_POLICY": "PASSIVE"}


@dataclass(frozen=True)
class Measured:
    """One step in a process of its own; `simulated_bytes` is what the simulator says of it."""

    mode: str
    tokens: int
    peak_bytes: int
    seconds: float
    loss: float
    simulated_bytes: int


def measure(mode: str, tokens: int) -> Measured:
    """Run one step."""
    command = [sys.executable, str(Path(__file__).with_name("one_step.py")), mode, str(tokens)]
    done = subprocess.run(command, env={**os.environ, **ENVIRONMENT}, capture_output=True, text=True, check=True)
    return Measured(mode, tokens, **json.loads(done.stdout), simulated_bytes=predicted_bytes(mode, tokens))


def slope(points: list[Measured]) -> float:
    """Bytes a token, by least squares."""
    mean_x = sum(p.tokens for p in points) / len(points)
    mean_y = sum(p.peak_bytes for p in points) / len(points)
    return sum((p.tokens - mean_x) * (p.peak_bytes - mean_y) for p in points) / sum(
        (p.tokens - mean_x) ** 2 for p in points
    )


def main() -> None:
    """Measure, print, and judge."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true")
    as_json = parser.parse_args().json
    found: list[Measured] = []
    for mode in MODES:
        for tokens in LENGTHS:
            found.append(measure(mode, tokens))
            print(found[-1], file=sys.stderr)
    slopes = {mode: slope([m for m in found if m.mode == mode]) for mode in MODES}
    longest = [m for m in found if m.mode == OURS][-1]
    share = slopes[OURS] / slopes["plain"]
    gap = longest.simulated_bytes / longest.peak_bytes - 1
    if as_json:
        print(json.dumps({"steps": [asdict(m) for m in found], "slopes": slopes}))
    else:
        _print_table(found, slopes)
        print(f"\nSlope in parts / plain: {share:.3f} (goal: at most {LARGEST_SLOPE_SHARE})")
        print(f"Simulated / measured at {longest.tokens:,} tokens: {gap:+.1%} (goal: within {LARGEST_GAP:.0%})")
    sys.exit(share > LARGEST_SLOPE_SHARE or abs(gap) > LARGEST_GAP)


def _print_table(found: list[Measured], slopes: dict[str, float]) -> None:
    print(f"The last {TARGET_TOKENS:,} tokens are targets. MiB at the peak (simulated), and tokens a second:\n")
    print("| | " + " | ".join(f"{tokens:,}" for tokens in LENGTHS) + " | KiB a token |")
    print("|---" * (len(LENGTHS) + 2) + "|")
    for mode in MODES:
        cells = [
            f"{m.peak_bytes / 2**20:,.0f} ({m.simulated_bytes / 2**20:,.0f}), {m.tokens / m.seconds:,.0f}/s"
            for m in found
            if m.mode == mode
        ]
        print(f"| {mode} | " + " | ".join(cells) + f" | {slopes[mode] / 1024:.1f} |")


if __name__ == "__main__":
    main()
