"""Mutated files, the torture document above all: each gives a report or one clear line, and nothing else."""

import os
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

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


def wrong(characters: Characters | None, error: UserError | None) -> str | None:
    """What is wrong with an outcome; None if nothing is."""
    if characters is not None:
        lost = characters.visible - characters.read - sum(characters.left_out.values())
        return f"{lost} characters unaccounted for" if lost or characters.unaccounted else None
    assert error is not None
    if "\n" in error.line or not error.what:
        return f"not one line: {error.line!r}"
    return error.what if any(accident in error.what for accident in ACCIDENTS) else None


def told(faults: dict[str, str]) -> str:
    return "\n".join(f"{name}: {fault}" for name, fault in sorted(faults.items()))


def test_a_hundred_mutants_in_this_process(tmp_path: Path) -> None:
    faults = {}
    for path in mutants(tmp_path, of_word=70, of_others=6):
        try:
            fault = wrong(read_report(path).characters, None)
        except UserError as error:
            fault = wrong(None, error)
        except Exception as error:  # told with its seed, like the other faults
            fault = repr(error)
        if fault:
            faults[path.name] = fault
    assert faults == {}, told(faults)


@pytest.fixture
def marked_processes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Callable[[], list[int]]]:
    """Mark all that this test starts by its environment; the function gives those that still run."""
    name = f"OF_TEST={tmp_path}"
    monkeypatch.setenv("OF_TEST", str(tmp_path))

    def running() -> list[int]:
        found = []
        for process in Path("/proc").iterdir():
            if process.name.isdigit() and int(process.name) != os.getpid():
                try:
                    environment = (process / "environ").read_bytes()
                except OSError:
                    continue
                if name.encode() in environment.split(b"\0"):
                    found.append(int(process.name))
        return found

    yield running


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc").is_dir(), reason="strays are looked for in /proc")
def test_two_thousand_mutants_each_in_its_process(
    tmp_path: Path, marked_processes: Callable[[], list[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    rooms = tmp_path / "temporary"
    rooms.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(rooms))
    files = mutants(tmp_path, of_word=1750, of_others=50)
    assert len(files) == 2000
    read, faults = 0, {}
    for index, outcome in isolate.read_all(files, Reports(timeout_seconds=30)):
        if isinstance(outcome, UserError):
            fault = wrong(None, outcome)
        else:
            read += 1
            fault = wrong(Entry.model_validate_json((outcome / "entry.json").read_bytes()).characters, None)
        if fault:
            faults[files[index].name] = fault
    assert faults == {}, told(faults)
    assert read > 1000  # or the mutants were too broken to be read at all
    assert marked_processes() == []
    assert list(rooms.iterdir()) == []
