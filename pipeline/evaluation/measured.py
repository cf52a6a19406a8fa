"""What each contender did on each section, kept on disk: a champion, or the bare base, is measured once.

<workspace>/measured/bits-<key>/sections.jsonl        SectionBits
<workspace>/measured/written-<key>/sections.jsonl     Written
"""

from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from pipeline.evaluation import bits
from pipeline.evaluation.bits import SectionBits, section_bits
from pipeline.evaluation.contenders import Contenders, arithmetic
from pipeline.evaluation.generation import Written, write_sections
from pipeline.progress import Progress
from pipeline.records import Adapter, Base, Example, Record, digest, short
from pipeline.storage import Workspace, write_text

KIND, _FILE = "measured", "sections.jsonl"
_WRITING_VERSION = 1
R = TypeVar("R", bound=Record)


class Measuring:
    """Measures contenders on one base; `total` is how many sections that will be, for the progress."""

    def __init__(self, base: Base, workspace: Workspace, total: int, progress: Progress) -> None:
        self.base, self.workspace = base, workspace
        self._total, self._done, self._progress = total, 0, progress
        self.compute = arithmetic()

    @cached_property
    def _contenders(self) -> Contenders:
        """Loaded only if there is something that was not measured before."""
        return Contenders(self.base)

    def bits(self, adapter: Adapter | None, examples: Sequence[Example]) -> list[SectionBits]:
        """Bits of each section, in order."""

        def measure(tick: Callable[[int], None]) -> list[SectionBits]:
            found = []
            with self._contenders.playing(adapter) as model:
                for done, example in enumerate(examples, 1):
                    found.append(section_bits(model, self._contenders.tokenizer, example))
                    tick(done)
            return found

        return self._kept("bits", [bits.VERSION], adapter, examples, SectionBits, measure)

    def written(self, adapter: Adapter | None, examples: Sequence[Example], most_tokens: int) -> list[Written]:
        """Each section as the contender writes it, in order."""

        def write(tick: Callable[[int], None]) -> list[Written]:
            with self._contenders.playing(adapter) as model:
                return write_sections(model, self._contenders.tokenizer, examples, most_tokens, tick)

        return self._kept("written", [_WRITING_VERSION, most_tokens], adapter, examples, Written, write)

    def _kept(
        self,
        what: str,
        how: list[Any],
        adapter: Adapter | None,
        examples: Sequence[Example],
        kind: type[R],
        measure: Callable[[Callable[[int], None]], list[R]],
    ) -> list[R]:
        """What was measured before, or is measured now."""
        who, began = adapter.id if adapter else self.base.id, self._done
        ids = [example.id for example in examples]
        key = f"{what}-{short(digest([*how, self.compute, self.base.id, who, ids]))}"

        def tick(done: int) -> None:
            self._progress(began + done, self._total, f"{what} by {short(who)}")

        with self.workspace.lock(f"measured-{key}"):
            if not self.workspace.has(KIND, key):
                note = {"by": who, "base": self.base.id, "compute": self.compute, "how": how}
                with self.workspace.build(KIND, key, note) as folder:
                    write_records(folder / _FILE, measure(tick))
        self._done += len(examples)
        tick(len(examples))
        return read_records(self.workspace.open(KIND, key) / _FILE, kind)


def write_records(file: Path, records: Sequence[Record]) -> None:
    """One JSON document a line."""
    write_text(file, "".join(record.model_dump_json() + "\n" for record in records))


def read_records(file: Path, kind: type[R]) -> list[R]:
    """What `write_records` wrote."""
    with open(file, encoding="utf-8") as lines:
        return [kind.model_validate_json(line) for line in lines]
