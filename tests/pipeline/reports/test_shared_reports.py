"""Real files, where they lie beside the repository."""

import time
from pathlib import Path

import pytest

from pipeline.reports import SUPPORTED, ingest, read_report
from pipeline.settings import Reports
from pipeline.storage import Workspace

SHARED = Path(__file__).resolve().parents[4] / "shared" / "reports"
HANDBOOK = "Unstructured-IO__handbook-872p.docx"
pytestmark = pytest.mark.skipif(not SHARED.is_dir(), reason="the shared reports are not beside the repository")


def test_all_are_read_and_accounted_for(tmp_path: Path) -> None:
    done = ingest([SHARED], Workspace(tmp_path / "workspace"), Reports())
    files = [path for path in SHARED.rglob("*") if path.suffix in SUPPORTED]
    assert (len(done.reports), done.refused) == (len(files), ())
    assert {
        report.file: report.characters.unaccounted for report in done.reports if report.characters.unaccounted
    } == {}


def test_the_long_handbook() -> None:
    start = time.monotonic()
    report = read_report(SHARED / HANDBOOK)
    assert time.monotonic() - start < 10
    assert len(report.sections) == 295 and report.language == "en"
    assert report.characters.read > 680_000
    levels = [section.level for section in report.sections]
    # 14, 90 and 190 headings with text, as counted with python-docx, and the text before the first.
    assert [levels.count(level) for level in (1, 2, 3)] == [15, 90, 190]
