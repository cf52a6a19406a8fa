"""What each contender did on each section, kept on disk: a section is measured once for each contender, ever.

<workspace>/measured/bits-<key>/sections.jsonl        SectionBits, a line a section
<workspace>/measured/written-<key>/sections.jsonl     Written

The key names the contender and how it was measured. New sections, and a run that was cut off, cost what is missing.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol, TypeVar

from pipeline.evaluation import bits
from pipeline.evaluation.bits import SectionBits, section_bits
from pipeline.evaluation.contenders import Contenders, arithmetic
from pipeline.evaluation.generation import Written, write_sections
from pipeline.progress import Progress
from pipeline.records import Adapter, Base, Example, Record, digest, short
from pipeline.storage import Workspace, write_text

KIND, _FILE = "measured", "sections.jsonl"
_WRITING_VERSION = 2
_SAVE_SECONDS = 60.0
R = TypeVar("R", SectionBits, Written)


class SectionWriter(Protocol):
    """Another way to have sections written, as by a model server: greedy, like transformers here."""

    @property
    def signature(self) -> str:
        """What determines the text besides the contender: the engine, its numbers."""

    def write(
        self, base: Base, adapter: Adapter | None, examples: Sequence[Example], most_tokens: int
    ) -> Iterator[Written]:
        """Each section, in the order in which they are done."""


class Measuring:
    """Measures contenders on one base; `total` is how many sections that will be, for the progress."""

    def __init__(
        self, base: Base, workspace: Workspace, total: int, progress: Progress, writer: SectionWriter | None = None
    ) -> None:
        self.base, self.workspace = base, workspace
        self._total, self._done, self._progress, self._writer = total, 0, progress, writer
        self.compute = arithmetic()

    @property
    def writing(self) -> str:
        """How sections are written, for signatures."""
        return self._writer.signature if self._writer else f"weights:nf4|compute:{self.compute}"

    @cached_property
    def _contenders(self) -> Contenders:
        """Loaded only if there is something that was not measured before."""
        return Contenders(self.base)

    def bits(self, adapter: Adapter | None, examples: Sequence[Example]) -> list[SectionBits]:
        """Bits of each section, in order."""

        def measure(missing: Sequence[Example]) -> Iterator[SectionBits]:
            with self._contenders.playing(adapter) as model:
                for example in missing:
                    yield section_bits(model, self._contenders.tokenizer, example)

        return self._kept("bits", [bits.VERSION, self.compute], adapter, examples, SectionBits, measure)

    def written(self, adapter: Adapter | None, examples: Sequence[Example], most_tokens: int) -> list[Written]:
        """Each section as the contender writes it, in order."""

        def write(missing: Sequence[Example]) -> Iterator[Written]:
            if self._writer is not None:
                yield from self._writer.write(self.base, adapter, missing, most_tokens)
                return
            with self._contenders.playing(adapter) as model:
                yield from write_sections(model, self._contenders.tokenizer, missing, most_tokens)

        return self._kept("written", [_WRITING_VERSION, most_tokens, self.writing], adapter, examples, Written, write)

    def _kept(
        self,
        what: str,
        how: list[Any],
        adapter: Adapter | None,
        examples: Sequence[Example],
        kind: type[R],
        measure: Callable[[Sequence[Example]], Iterator[R]],
    ) -> list[R]:
        """What was measured before, and what is measured now."""
        who = adapter.id if adapter else self.base.id
        key = f"{what}-{short(digest([*how, self.base.id, who]))}"
        note = {"by": who, "base": self.base.id, "how": how}
        with self.workspace.lock(f"measured-{key}"):
            kept = _Kept(self.workspace, key, note, kind)
            missing = [example for example in examples if example.id not in kept.records]
            self._tick(len(examples) - len(missing), what, who)
            with kept:
                for record in measure(missing) if missing else ():
                    kept.add(record)
                    self._tick(1, what, who)
        return [kept.records[example.id] for example in examples]

    def _tick(self, sections: int, what: str, who: str) -> None:
        self._done += sections
        self._progress(self._done, self._total, f"{what} by {short(who)}")


class _Kept:
    """The records of one artifact by example; on the way out of its context, whole or not, they are on disk."""

    def __init__(self, workspace: Workspace, key: str, note: dict[str, Any], kind: type[Any]) -> None:
        self._workspace, self._key, self._note = workspace, key, note
        stored = read_records(workspace.open(KIND, key) / _FILE, kind) if workspace.has(KIND, key) else []
        self.records = {record.example: record for record in stored}
        self._saved, self._saved_seconds = len(stored), time.monotonic()

    def add(self, record: Any) -> None:
        """Keep one more; hours of writing are saved as they go."""
        self.records[record.example] = record
        if time.monotonic() - self._saved_seconds > _SAVE_SECONDS:
            self._save()

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        self._save()

    def _save(self) -> None:
        if len(self.records) > self._saved:
            with self._workspace.build(KIND, self._key, self._note) as folder:
                write_records(folder / _FILE, list(self.records.values()))
        self._saved, self._saved_seconds = len(self.records), time.monotonic()


def write_records(file: Path, records: Sequence[Record]) -> None:
    """One JSON document a line."""
    write_text(file, "".join(record.model_dump_json() + "\n" for record in records))


RecordT = TypeVar("RecordT", bound=Record)


def read_records(file: Path, kind: type[RecordT]) -> list[RecordT]:
    """What `write_records` wrote."""
    with open(file, encoding="utf-8") as lines:
        return [kind.model_validate_json(line) for line in lines]
