"""What scores of written sections cost, and whether they tell good text from bad. Prints a Markdown table.

A third of the sample reports are to train on; of the others, 200 sections are "written" by spoiling the true ones, a
little or much. Exits with 1 if all scores of the 200 take more than 60 seconds.

python tests/benchmarks/scores.py
"""

import argparse
import random
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from data.sample import write_samples  # noqa: E402
from pipeline.evaluation.scores import Context, Judged, Score, section_scores  # noqa: E402
from pipeline.records import Example, Message, Report, Section, Window, WindowPart  # noqa: E402
from pipeline.reports.read import read_report  # noqa: E402
from pipeline.windows import Brief, render  # noqa: E402

MOST_SECONDS = 60
WINDOW_CHARACTERS = 60_000  # some 20,000 tokens
FEWEST_CHARACTERS = 200


def main() -> int:
    """Score, print, and tell whether the goal is met."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sections", type=int, default=200)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        reports = [read_report(file) for file in sorted(write_samples(Path(folder))) if file.suffix == ".docx"]
    taught = [example for report in reports[::3] for example in examples_of(report)]
    held_out = [example for place, report in enumerate(reports) if place % 3 for example in examples_of(report)]
    judged = random.Random(0).sample(held_out, min(arguments.sections, len(held_out)))
    print(f"{len(taught)} sections to train on, {len(judged)} judged", file=sys.stderr)
    scores = section_scores(Context(languages=("ca", "es", "en"), taught=taught))
    foreign = [example.target for example in taught]
    ways: dict[str, Callable[[str, random.Random], str]] = {
        "true": lambda text, _: text,
        "a little spoilt": a_little,
        "much spoilt": lambda text, chance: much(text, chance, foreign),
    }
    written = {name: list(spoil(judged, way)) for name, way in ways.items()}
    return report_of(scores, written, len(judged))


def examples_of(report: Report) -> list[Example]:
    """The sections of a report, each with what stands before it as its window."""
    before, made = "", []
    for section in report.sections:
        if len(section.text) >= FEWEST_CHARACTERS:
            made.append(
                Example(
                    report=report.id,
                    source_sha256=report.source_sha256,
                    section=section.id,
                    window=section.id,
                    language=section.language,
                    messages=prompt(report, section, before[-WINDOW_CHARACTERS:]),
                    target=section.text,
                )
            )
        before += f"\n\n{section.title}\n\n{section.text}"
    return made


def prompt(report: Report, section: Section, before: str) -> tuple[Message, ...]:
    """What the product asks, with all that stands before as the window's one part."""
    part = WindowPart(section="before", title="", level=1, spans=(), text=before, tokens=0, share_kept=1)
    window = Window(
        document=report.id,
        section=section.id,
        policy="tail",
        tokenizer="",
        budget_tokens=0,
        used_tokens=0,
        outline="",
        outline_tokens=0,
        parts=(part,),
    )
    brief = Brief(report_title=report.title, section_title=section.title, language=section.language)
    return render(window, brief)


def spoil(examples: Sequence[Example], way: Callable[[str, random.Random], str]) -> Iterator[Judged]:
    """Sections as a model might have written them; the same every time."""
    for place, example in enumerate(examples):
        text = way(example.target, random.Random(place))
        yield Judged(text=text, finish="whole" if place % 10 else "clipped", example=example)


def a_little(text: str, chance: random.Random) -> str:
    """A word in ten lost, and a digit in ten another."""
    words = [word for word in re.split(r"(?<=\s)", text) if chance.random() > 0.1]
    return re.sub(r"\d", lambda digit: digit[0] if chance.random() > 0.1 else str(chance.randrange(10)), "".join(words))


def much(text: str, chance: random.Random, foreign: Sequence[str]) -> str:
    """Half of the sentences lost, a passage of another report instead, and the end in a circle."""
    kept = [sentence for sentence in re.split(r"(?<=[.\n])", text) if chance.random() > 0.5]
    return f"{''.join(kept)}\n\n{chance.choice(foreign)[:400]}\n\n" + "Es va fer i es va fer bé. " * 6


def report_of(scores: Sequence[Score], written: dict[str, list[Judged]], sections: int) -> int:
    """Print the table; the last column is what a score costs for one contender, indices included."""
    print(f"| score | {' | '.join(written)} | better | seconds of {sections} sections |")
    print(f"|---|{'---|' * len(written)}---|---|")
    total = 0.0
    for score in scores:
        values, costs = [], []
        for judged in written.values():
            began = time.perf_counter()
            parts = [part for part in map(score.of, judged) if part is not None]
            costs.append(time.perf_counter() - began)
            weight = sum(weight for _, weight in parts)
            values.append(f"{sum(value for value, _ in parts) / weight:.3f}" if weight else "-")
        total += max(costs)
        print(f"| {score.name} | {' | '.join(values)} | {score.better} | {max(costs):.2f} |")
    print(f"\nAll scores of {sections} sections: {total:.1f} s, at most {MOST_SECONDS} allowed")
    return int(total > MOST_SECONDS)


if __name__ == "__main__":
    sys.exit(main())
