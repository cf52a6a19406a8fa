"""From reports to training pairs: every section that is neither too short nor too long becomes an Example.

report ── windows ──> window of section i ── render ──> messages ┐
                                          section i's own text ──┴── Example
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pipeline.bases.tokens import Tokens, tokens_of
from pipeline.corpus.holdout import hold_out
from pipeline.errors import UserError
from pipeline.progress import Progress, silent
from pipeline.records import Base, Example, Report, Section, Window, digest, short
from pipeline.settings import Corpus, Windows
from pipeline.storage import Workspace
from pipeline.windows import Brief, build_windows, render

VERSION = "examples-1"


@dataclass(frozen=True)
class ExampleSet:
    """The examples of a corpus. `left_out`: sections that are no target, by reason; `reports`: hashes of files."""

    key: str
    train: tuple[Example, ...]
    held_out: tuple[Example, ...]
    left_out: dict[str, int]
    reports: tuple[str, ...]


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
    key = short(
        digest([VERSION, sorted(r.id for r in reports), tokens.name, windows.model_dump(), corpus.model_dump()])
    )
    if workspace.has("examples", key):
        return key
    held_out = hold_out(reports, corpus.held_out_share)
    left_out: Counter[str] = Counter()
    note = {
        "reports": sorted(r.source_sha256 for r in reports),
        "held_out": sorted(held_out),
        "left_out": left_out,
    }
    with workspace.lock(f"examples-{key}"), workspace.build("examples", key, note) as folder:
        counts = {"train": 0, "held_out": 0}
        with (
            open(folder / "train.jsonl", "w", encoding="utf-8") as train,
            open(folder / "held_out.jsonl", "w", encoding="utf-8") as examine,
        ):
            for done, report in enumerate(reports):
                progress(done, len(reports), short(report.id))
                part = "held_out" if report.id in held_out else "train"
                for example in _examples_of(report, tokens, windows, corpus, left_out):
                    (examine if part == "held_out" else train).write(example.model_dump_json() + "\n")
                    counts[part] += 1
        _require_both(counts, corpus, len(reports))
        progress(len(reports), len(reports))
    return key


def load_examples(workspace: Workspace, key: str) -> ExampleSet:
    """The examples of an artifact made by `build_examples`."""
    folder, note = workspace.open("examples", key), workspace.manifest("examples", key)
    train, held_out = (_read(folder / f"{part}.jsonl") for part in ("train", "held_out"))
    return ExampleSet(key, train, held_out, note["left_out"], tuple(note["reports"]))


def _examples_of(
    report: Report, tokens: Tokens, windows: Windows, corpus: Corpus, left_out: Counter[str]
) -> Iterator[Example]:
    for section, window in zip(report.sections, build_windows(report.sections, tokens, windows), strict=True):
        length = tokens.count(section.text)
        if length < corpus.shortest_target_tokens:
            left_out[f"shorter than {corpus.shortest_target_tokens} tokens"] += 1
        elif length > corpus.longest_target_tokens:
            left_out[f"longer than {corpus.longest_target_tokens} tokens"] += 1
        else:
            yield _example(report, section, window, length, tokens)


def _example(report: Report, section: Section, window: Window, target_tokens: int, tokens: Tokens) -> Example:
    language = section.language or report.language
    messages = render(window, Brief(report_title=report.title, section_title=section.title, language=language))
    return Example(
        report=report.id,
        section=section.id,
        window=window.id,
        language=language,
        messages=messages,
        target=section.text,
        prompt_tokens=sum(tokens.count(message.content) for message in messages),
        target_tokens=target_tokens,
    )


def _require_both(counts: dict[str, int], corpus: Corpus, reports: int) -> None:
    for part, purpose in (("train", "to train on"), ("held_out", "to examine with")):
        if not counts[part]:
            raise UserError(
                f"{reports} reports leave no section {purpose} of {corpus.shortest_target_tokens} to "
                f"{corpus.longest_target_tokens} tokens",
                fix="ingest at least two reports of one language, or change corpus.longest_target_tokens",
            )


def _read(file: Path) -> tuple[Example, ...]:
    with open(file, encoding="utf-8") as lines:
        return tuple(Example.model_validate_json(line) for line in lines)
