"""Mutated files, the torture document above all: each gives a report or one clear line, and nothing else."""

import os
import re
import subprocess
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from pipeline.errors import UserError
from pipeline.records import Characters
from pipeline.reports import isolate, read_report
from pipeline.reports.artifact import Entry
from pipeline.settings import Reports
from tests.pipeline.reports.odt_files import cell, h, items, make_odt, p, table
from tests.pipeline.reports.pdf_files import make_pdf
from tests.pipeline.reports.torture.document import package_parts, some_of
from tests.pipeline.reports.torture.mutants import mutant_text, mutant_zip

ACCIDENTS = ("broke the program", "took longer", "cannot be read (", "of memory to read")
PAGE = b"""<html><head><title>t</title></head><body><h1>Aims</h1><p>Some <b>text</b> &amp; more</p>
<ul><li>one<ul><li>two</li></ul></li></ul><table><tr><th>a</th><td rowspan="2">b</td></tr><tr><td>c</td></tr></table>
<h2>Means</h2><p>x<sub>1</sub><a href="https://example.org">link</a></p><pre>code</pre></body></html>"""
MARKDOWN = b"""# Aims

Some *text*, [a link](https://example.org).

- one
  - two

| a | b |
|---|---|
| 1 | 2 |

## Means
"""
TEX = rb"""\documentclass{article}
\begin{document}\section{Aims}
Some \emph{text} \cite{x}, $a^2$ % aside
\begin{itemize}\item one \item two\end{itemize}
\subsection{Means}\begin{tabular}{ll}a & b\\ c & d\end{tabular}\footnote{below}
\end{document}"""


def word(seed: int) -> bytes:
    """A mutant of the whole torture document, or, mostly, of a handful of its parts."""
    dice = Random(seed)
    parts = package_parts(some_of(dice, 20) if dice.random() < 0.9 else None)
    return mutant_zip({name: part.encode() if isinstance(part, str) else part for name, part in parts.items()}, seed)


def pdf(seed: int) -> bytes:
    page = [(50.0, 700.0, 11.0, "Some text on a page, and more of it."), (50.0, 680.0, 18.0, "**Aims")]
    return mutant_text(make_pdf([page, page], [("Some text", 0)]), seed)


def open_document(seed: int, folder: Path) -> bytes:
    body = h("Aims") + p("Some text") + items(p("one"), p("two")) + table(cell(p("a")) + cell(p("b")))
    with zipfile.ZipFile(make_odt(folder / "whole.odt", body)) as archive:
        return mutant_zip({name: archive.read(name) for name in archive.namelist()}, seed)


def mutants(folder: Path, of_word: int, of_others: int) -> list[Path]:
    """Files named by their seed, so that a failure tells how to make its file again."""
    sources: dict[str, tuple[int, Callable[[int], bytes]]] = {
        ".docx": (of_word, word),
        ".odt": (of_others, lambda seed: open_document(seed, folder)),
        ".pdf": (of_others, pdf),
        ".html": (of_others, lambda seed: mutant_text(PAGE, seed)),
        ".md": (of_others, lambda seed: mutant_text(MARKDOWN, seed)),
        ".tex": (of_others, lambda seed: mutant_text(TEX, seed)),
    }
    found = []
    for suffix, (count, make) in sources.items():
        for seed in range(count):
            path = folder / f"seed-{seed}{suffix}"
            path.write_bytes(make(seed))
            found.append(path)
    return found


class Outcome(NamedTuple):
    """What became of a file: the account of its report, or the error's line, or what should never happen."""

    file: str
    characters: Characters | None = None
    places: tuple[str, ...] = ()
    line: str | None = None
    accident: str | None = None


def of_error(file: str, error: UserError) -> Outcome:
    if any(accident in error.what for accident in ACCIDENTS):
        return Outcome(file, accident=error.what)
    return Outcome(file, line=error.line)


def places(warnings: Sequence[str]) -> tuple[str, ...]:
    """The warnings that name a place: a block of a part, or a part."""
    return tuple(warning for warning in warnings if re.search(r": (?:\w+/)?\w+(?:\.xml|\s\w+)", warning))


def accidents(outcomes: Sequence[Outcome]) -> str:
    """Those that broke a reader, or were told in more than a line."""
    return "\n".join(
        f"{one.file}: {one.accident or one.line!r}" for one in outcomes if one.accident or "\n" in (one.line or "")
    )


def lost(outcomes: Sequence[Outcome]) -> str:
    """Those of which characters went nowhere, and nobody told where.

    A mutant may hold text in a place that no program knows; then a warning has to name the place.
    """
    silent = (one for one in outcomes if one.characters and one.characters.unaccounted and not one.places)
    return "\n".join(f"{one.file}: {one.characters.unaccounted} characters" for one in silent if one.characters)


def share_unaccounted(outcomes: Sequence[Outcome]) -> float:
    """Which share of the reports does not account for each of its characters?"""
    read = [one for one in outcomes if one.characters]
    return sum(bool(one.characters and one.characters.unaccounted) for one in read) / len(read)


@pytest.fixture(scope="module")
def hundred(tmp_path_factory: pytest.TempPathFactory) -> list[Outcome]:
    """A hundred mutants, read in this process."""
    outcomes = []
    for path in mutants(tmp_path_factory.mktemp("hundred"), of_word=70, of_others=6):
        try:
            report = read_report(path)
            outcomes.append(Outcome(path.name, report.characters, places(report.warnings)))
        except UserError as error:
            outcomes.append(of_error(path.name, error))
        except Exception as error:  # told with its seed, like the other accidents
            outcomes.append(Outcome(path.name, accident=repr(error)))
    return outcomes


def test_a_hundred_mutants_give_a_report_or_a_line(hundred: list[Outcome]) -> None:
    assert len(hundred) == 100
    assert not accidents(hundred), accidents(hundred)


def test_no_character_of_a_hundred_mutants_is_lost(hundred: list[Outcome]) -> None:
    assert not lost(hundred), lost(hundred)


class Batch(NamedTuple):
    """The outcomes of a batch, and what it left behind: processes that still run, files in the temporary folder."""

    outcomes: list[Outcome]
    processes: list[int]
    files: list[Path]


@pytest.fixture(scope="module")
def two_thousand(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Batch]:
    """Two thousand mutants, each read in its process."""
    folder, rooms = tmp_path_factory.mktemp("mutants"), tmp_path_factory.mktemp("temporary")
    files = mutants(folder, of_word=1750, of_others=50)
    outcomes = []
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(tempfile, "tempdir", str(rooms))
        patched.setenv("OF_TEST", str(folder))  # all that is started below inherits it, and is known by it
        for index, outcome in isolate.read_all(files, Reports(timeout_seconds=30)):
            if isinstance(outcome, UserError):
                outcomes.append(of_error(files[index].name, outcome))
            else:
                entry = Entry.model_validate_json((outcome / "entry.json").read_bytes())
                outcomes.append(Outcome(files[index].name, entry.characters, places(entry.warnings)))
    yield Batch(outcomes, running_with(f"OF_TEST={folder}"), list(rooms.iterdir()))


def running_with(variable: str) -> list[int]:
    """Processes whose environment held this when they began, but for this one."""
    found = []
    for process in Path("/proc").iterdir():
        if process.name.isdigit() and int(process.name) != os.getpid():
            try:
                environment = (process / "environ").read_bytes()
            except OSError:  # it has ended, or is somebody else's
                continue
            if variable.encode() in environment.split(b"\0"):
                found.append(int(process.name))
    return found


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="strays are looked for in /proc")
def test_a_stray_would_be_found(tmp_path: Path) -> None:
    stray = subprocess.Popen(["sleep", "60"], env={**os.environ, "OF_TEST": str(tmp_path)})
    try:
        assert running_with(f"OF_TEST={tmp_path}") == [stray.pid]
    finally:
        stray.kill()
        stray.wait()
    assert running_with(f"OF_TEST={tmp_path}") == []


@pytest.mark.slow
def test_two_thousand_mutants_give_a_report_or_a_line(two_thousand: Batch) -> None:
    assert len(two_thousand.outcomes) == 2000
    assert not accidents(two_thousand.outcomes), accidents(two_thousand.outcomes)
    read = sum(one.characters is not None for one in two_thousand.outcomes)
    assert 1000 < read < 2000  # or the mutants were too broken, or not broken


@pytest.mark.slow
def test_no_character_of_two_thousand_mutants_is_lost(two_thousand: Batch) -> None:
    assert not lost(two_thousand.outcomes), lost(two_thousand.outcomes)
    assert share_unaccounted(two_thousand.outcomes) < 0.05


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc").is_dir(), reason="strays are looked for in /proc")
def test_two_thousand_mutants_leave_nothing_behind(two_thousand: Batch) -> None:
    assert two_thousand.processes == []
    assert two_thousand.files == []
