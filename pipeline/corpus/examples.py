"""From reports to training pairs: every section that is neither too short nor too long becomes an Example.

report ── windows ──> window of section i ── render ──> messages ┐
                                          section i's own text ──┴── Example

With `corpus.whole_reports` a report to train on becomes one Example instead: its headings, and all of its text.
"""

from collections import Counter
from collections.abc import Iterator, Sequence, Set
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.bases.tokens import Tokens, tokens_of
from pipeline.corpus.holdout import hold_out
from pipeline.errors import UserError
from pipeline.progress import Progress, silent
from pipeline.records import Base, Example, Report, Window, digest, short
from pipeline.reports import find_duplicates, sign
from pipeline.settings import Corpus, Windows
from pipeline.storage import Workspace
from pipeline.windows import VERSION as WINDOWS
from pipeline.windows import Plan, brief_of, build_windows, plan_of, render, render_report

VERSION = "examples-5"


@dataclass(frozen=True)
class ExampleSet:
    """The examples of a corpus."""

    train: tuple[Example, ...]
    held_out: tuple[Example, ...]


@dataclass(frozen=True)
class ExampleNote:
    """What is known of an example set without reading it.

    `train` and `held_out` count examples; `taught` and `examining` are the SHA-256 of the files they come from.
    `left_out` counts the sections that are no target, by reason. `windows` are the settings of the windows.
    `families` holds the ids of reports that are versions of one another.
    """

    train: int
    held_out: int
    left_out: dict[str, int]
    taught: tuple[str, ...]
    examining: tuple[str, ...]
    windows: dict[str, Any]
    families: tuple[tuple[str, ...], ...]


def build_examples(
    reports: Sequence[Report],
    base: Base,
    windows: Windows,
    corpus: Corpus,
    workspace: Workspace,
    progress: Progress = silent,
) -> str:
    """Make the examples of all reports, or find them made already; returns the artifact's key.

    Raises:
        UserError: nothing is left to train on or to examine with.
    """
    tokens = tokens_of(Path(base.path))
    made_from = [
        VERSION,
        WINDOWS,
        sorted(r.id for r in reports),
        tokens.name,
        windows.model_dump(),
        corpus.model_dump(),
    ]
    key = short(digest(made_from))
    with workspace.lock(f"examples-{key}"):
        if not workspace.has("examples", key):
            _build(key, reports, tokens, windows, corpus, workspace, progress)
    return key


def load_examples(workspace: Workspace, key: str) -> ExampleSet:
    """The examples of an artifact made by `build_examples`."""
    folder = workspace.open("examples", key)
    return ExampleSet(*(_read(folder / f"{part}.jsonl") for part in ("train", "held_out")))


def describe_examples(workspace: Workspace, key: str) -> ExampleNote:
    """What is noted of an artifact made by `build_examples`; its examples are not read."""
    note = workspace.manifest("examples", key)
    families = tuple(map(tuple, note["families"]))
    lists = {name: tuple(note[name]) for name in ("taught", "examining")}
    return ExampleNote(**{**note, **lists, "families": families})


def _build(
    key: str,
    reports: Sequence[Report],
    tokens: Tokens,
    windows: Windows,
    corpus: Corpus,
    workspace: Workspace,
    progress: Progress,
) -> None:
    alike = find_duplicates([sign(report) for report in reports])
    held_out = hold_out(reports, corpus.held_out_share, alike.families, corpus.least_held_out, corpus.funders)
    taught_kin = {alike.kin[s.id] for r in reports if r.id not in held_out for s in r.sections if s.id in alike.kin}
    left_out: Counter[str] = Counter()
    counts: dict[str, Any] = {"train": 0, "held_out": 0}
    note: dict[str, Any] = {
        "left_out": left_out,
        "families": [list(family) for family in alike.families],
        "taught": sorted(r.source_sha256 for r in reports if r.id not in held_out),
        "examining": sorted(r.source_sha256 for r in reports if r.id in held_out),
        "windows": windows.model_dump(mode="json"),
    }
    with workspace.build("examples", key, note) as folder, ExitStack() as stack:
        files = {part: stack.enter_context(open(folder / f"{part}.jsonl", "w", encoding="utf-8")) for part in counts}
        for done, report in enumerate(reports):
            progress(done, len(reports), short(report.id))
            part = "held_out" if report.id in held_out else "train"
            # A section that training has seen in another report examines nothing.
            seen = {s.id for s in report.sections if alike.kin.get(s.id) in taught_kin} if part == "held_out" else set()
            if corpus.whole_reports and part == "train":
                examples = iter([_whole(report)])
            else:
                examples = _examples_of(report, tokens, windows, corpus, left_out, seen)
            for example in examples:
                files[part].write(example.model_dump_json() + "\n")
                counts[part] += 1
        _require_both(counts, corpus, len(reports))
        note |= counts
        progress(len(reports), len(reports))


def _examples_of(
    report: Report, tokens: Tokens, windows: Windows, corpus: Corpus, left_out: Counter[str], seen: Set[str]
) -> Iterator[Example]:
    """The examples of a report; `left_out` counts its other sections. `seen` are ids of those that are left out."""
    plan = plan_of(report.sections, report.title, report.language)
    for place, window in enumerate(build_windows(report.sections, plan, tokens, windows)):
        section = report.sections[place]
        length = tokens.count(section.text)
        if section.id in seen:
            left_out["known from a report to train on"] += 1
        elif length < corpus.shortest_target_tokens:
            left_out[f"shorter than {corpus.shortest_target_tokens} tokens"] += 1
        elif length > corpus.longest_target_tokens:
            left_out[f"longer than {corpus.longest_target_tokens} tokens"] += 1
        else:
            yield _example(report, plan, place, window)


def _example(report: Report, plan: Plan, place: int, window: Window) -> Example:
    section, brief = report.sections[place], brief_of(plan, place)
    return Example(
        report=report.id,
        source_sha256=report.source_sha256,
        section=section.id,
        window=window.id,
        language=brief.language,
        messages=render(window, brief),
        target=section.text,
    )


def _whole(report: Report) -> Example:
    messages, text = render_report(plan_of(report.sections, report.title, report.language), report.sections)
    return Example(
        report=report.id,
        source_sha256=report.source_sha256,
        section=None,
        window=None,
        language=report.language,
        messages=messages,
        target=text,
    )


def _require_both(counts: dict[str, int], corpus: Corpus, reports: int) -> None:
    for part, purpose in (("train", "to train on"), ("held_out", "to examine with")):
        if not counts[part]:
            raise UserError(
                f"{reports} reports leave no section {purpose} of {corpus.shortest_target_tokens} to "
                f"{corpus.longest_target_tokens} tokens",
                fix="ingest at least two reports of one language that are no versions of each other, "
                "or change corpus.longest_target_tokens",
            )


def _read(file: Path) -> tuple[Example, ...]:
    with open(file, encoding="utf-8") as lines:
        return tuple(Example.model_validate_json(line) for line in lines)
