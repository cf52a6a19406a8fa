"""Many long reports through `memoria ingest`, and the memory that this takes while it runs."""

import os
import re
import resource
import subprocess
import sys
import time
import zipfile
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path

from lxml import etree

from pipeline.reports import ingest
from pipeline.settings import Reports
from pipeline.storage import Workspace

ROOT = Path(__file__).resolve().parents[3]
_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_MAIN = "word/document.xml"
_EVERY_SECONDS = 0.25


@dataclass(frozen=True)
class Batch:
    """A batch that was ingested. `whole` reports came without a character unaccounted for.

    `seconds_again` is what it takes to ingest the same files a second time. `own_bytes` is the resident memory of
    the command over time, `all_bytes` with that of its readers, shared pages counted once (PSS).
    """

    reports: int
    whole: int
    seconds: float
    seconds_again: float
    cpu_seconds: float
    cores: int
    own_bytes: tuple[int, ...]
    all_bytes: tuple[int, ...]


def made_batch(source: Path, folder: Path, count: int, characters: int) -> Path:
    """A folder of reports made of `source`: its blocks up to so many characters, again if need be, and a first one."""
    folder.mkdir()
    with zipfile.ZipFile(source) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    root = _of_length(etree.fromstring(parts[_MAIN]), characters)
    first = etree.SubElement(etree.SubElement(etree.Element(f"{_W}p"), f"{_W}r"), f"{_W}t")
    root[0].insert(0, first.getparent().getparent())
    for number in range(count):
        first.text = f"Report number {number} of {count}."
        with zipfile.ZipFile(
            folder / f"report-{number:05}.docx", "w", zipfile.ZIP_DEFLATED, compresslevel=1
        ) as archive:
            for name, content in parts.items():
                archive.writestr(name, etree.tostring(root) if name == _MAIN else content)
    return folder


def _of_length(root: etree._Element, characters: int) -> etree._Element:
    """The document with its blocks repeated, or cut off, at so many characters that are no space."""
    body = root[0]
    blocks = [block for block in body if block.tag != f"{_W}sectPr"]
    for block in blocks:
        body.remove(block)
    # Each note is called for once in the source; called for again it would be read once all the same.
    lengths = [len(re.sub(r"\s", "", "".join(block.itertext(f"{_W}t")))) for block in blocks]
    total, place = 0, 0
    while total < characters:
        body.insert(place, deepcopy(blocks[place % len(blocks)]))
        total += lengths[place % len(blocks)]
        place += 1
    return root


def ingest_batch(files: Path, workspace: Path) -> Batch:
    """Run the command on a folder, and look at its memory four times a second."""
    command = [sys.executable, "-m", "copilot.cli", "ingest", str(files), "--workspace", str(workspace)]
    start, before = time.perf_counter(), _cpu_seconds()
    own: list[int] = []
    every: list[int] = []
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=ROOT)
    while process.poll() is None:
        own.append(_bytes_of(process.pid, "Rss"))
        every.append(sum(_bytes_of(member, "Pss") for member in _family(process.pid)))
        time.sleep(_EVERY_SECONDS)
    seconds, cpu_seconds = time.perf_counter() - start, _cpu_seconds() - before
    start = time.perf_counter()
    again = ingest([files], Workspace(workspace), Reports())
    return Batch(
        reports=again.reused,
        whole=sum(report.characters.unaccounted == 0 for report in again.reports),
        seconds=seconds,
        seconds_again=time.perf_counter() - start,
        cpu_seconds=cpu_seconds,
        cores=len(os.sched_getaffinity(0)),
        own_bytes=tuple(own[:-1]),
        all_bytes=tuple(every[:-1]),
    )


def _cpu_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _family(process: int) -> list[int]:
    """A process and all below it."""
    parents: dict[int, int] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                # proc(5): the name, in brackets, may hold spaces; after it come the state and the parent.
                parents[int(folder.name)] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue  # it has ended meanwhile
    family = [process]
    for member in family:
        family += [child for child, parent in parents.items() if parent == member]
    return family


def _bytes_of(process: int, kind: str) -> int:
    try:
        rollup = Path(f"/proc/{process}/smaps_rollup").read_text()
    except OSError:
        return 0  # it has ended meanwhile
    match = re.search(rf"^{kind}:\s+(\d+)", rollup, re.M)
    return int(match[1]) * 1024 if match else 0
