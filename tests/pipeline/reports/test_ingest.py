"""Files and folders into the workspace: everyone gets a report or a reason, and nothing is read twice."""

import json
import os
import time
from pathlib import Path

import pytest

from pipeline.errors import FatalError, UserError
from pipeline.reports import Ingested, families, find_report, ingest, isolate, load_reports, read_report
from pipeline.settings import Reports
from pipeline.storage import Workspace
from tests.pipeline.reports.report_files import Craft

LIMITS = Reports(workers=2, timeout_seconds=60)


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace(tmp_path / "workspace")


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    folder = tmp_path / "archive"
    (folder / "deep" / ".git").mkdir(parents=True)
    (folder / "b.md").write_text("# Aims\n\nWe built a bridge over the river, for all who live there.")
    (folder / "deep" / "a.txt").write_text("El projecte ha donat bons resultats a tota la comarca del riu.")
    (folder / "bad.docx").write_text("no zip")
    (folder / "logo.png").write_text("x")
    (folder / "~$b.docx").write_text("a lock")
    (folder / ".hidden.md").write_text("x")
    (folder / "deep" / ".git" / "c.md").write_text("x")
    return folder


def children() -> set[str]:
    """Processes that this one started and that are still there; other tests have some of their own."""
    return set(Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text().split())


def test_a_folder_with_good_and_bad(archive: Path, workspace: Workspace) -> None:
    told: list[tuple[int, int]] = []
    done = ingest([archive], workspace, LIMITS, lambda done, total, note="": told.append((done, total)))
    assert [report.file for report in done.reports] == ["b.md", "a.txt"]
    assert [report.language for report in done.reports] == ["en", "ca"]
    assert {Path(refused.file).name: refused.reason for refused in done.refused} == {
        "bad.docx": "is no Word document: not a zip archive. Open it, save it as a new .docx, and read that",
        "logo.png": "not a report: .png",
    }
    assert told[0] == (0, 3) and told[-1] == (3, 3)
    first, second = load_reports(workspace)
    assert second == read_report(archive / "b.md")
    assert [report.report for report in done.reports] == [second.id, first.id]
    entry = done.reports[0]
    assert (entry.title, entry.sections, entry.characters) == (second.title, len(second.sections), second.characters)


def test_what_was_read_is_not_read_again(archive: Path, workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    first = ingest([archive / "b.md"], workspace, LIMITS)
    monkeypatch.setattr(isolate, "_nursery", lambda: pytest.fail("a file was parsed"))
    again = ingest([archive / "b.md", archive / "b.md"], workspace, LIMITS)
    assert (again.reports, again.reused, first.reused) == (first.reports, 1, 0)


def test_a_changed_file_replaces_its_report_and_keeps_the_old_record(archive: Path, workspace: Workspace) -> None:
    file = archive / "b.md"
    old = ingest([file], workspace, LIMITS).reports[0]
    file.write_text("# Aims\n\nNow it says something else.")
    new = ingest([file], workspace, LIMITS).reports[0]
    assert [report.id for report in load_reports(workspace)] == [new.report]
    entry = json.loads((workspace.root / "reports" / "catalogue.json").read_text())[str(file)]
    assert entry["sha256"] == new.source_sha256
    (earlier,) = entry["earlier"]
    assert earlier["sha256"] == old.source_sha256 and workspace.has("reports", earlier["key"])


def test_the_same_content_under_two_names(archive: Path, workspace: Workspace) -> None:
    (archive / "copy.md").write_bytes((archive / "b.md").read_bytes())
    totals: list[int] = []
    files = [archive / "b.md", archive / "copy.md"]
    done = ingest(files, workspace, LIMITS, lambda done, total, note="": totals.append(total))
    assert totals == [1, 1]  # read once
    assert [report.file for report in done.reports] == ["b.md", "copy.md"]
    assert len({report.report for report in done.reports}) == 1
    assert [report.file for report in load_reports(workspace)] == ["b.md"]
    assert find_report(workspace, "copy").id == done.reports[0].report


def test_the_same_bytes_in_two_formats_are_two_files(archive: Path, workspace: Workspace) -> None:
    (archive / "b.docx").write_bytes((archive / "b.md").read_bytes())
    done = ingest([archive / "b.docx", archive / "b.md"], workspace, LIMITS)
    assert [report.file for report in done.reports] == ["b.md"]
    assert [Path(refused.file).name for refused in done.refused] == ["b.docx"]


def test_paths_that_give_nothing(tmp_path: Path, workspace: Workspace) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "pictures").mkdir()
    (tmp_path / "pictures" / "a.png").write_text("x")
    os.mkfifo(tmp_path / "pipe.docx")
    paths = [tmp_path / name for name in ("empty", "gone.docx", "pictures", "pipe.docx")]
    done = ingest(paths, workspace, LIMITS)
    assert done.reports == ()
    assert [refused.file for refused in done.refused] == list(map(str, paths))
    reasons = [refused.reason for refused in done.refused]
    assert reasons[0].startswith("holds no report") and reasons[2].startswith("holds no report")
    assert reasons[1] == "does not exist" and reasons[3] == "is no regular file"
    assert load_reports(workspace) == []


def test_limits_on_time_and_memory(craft: Craft, workspace: Workspace, archive: Path) -> None:
    endless = craft.docx("<w:p/>" * 4_000_000 + craft.p("x"))  # takes some 20 s to read
    before, start = children(), time.monotonic()
    late = ingest([endless, archive / "b.md"], workspace, Reports(timeout_seconds=1))
    assert time.monotonic() - start < 12
    assert [report.file for report in late.reports] == ["b.md"]
    assert [refused.reason for refused in late.refused] == [
        "took longer than 1 s to read. Open it, save it as a new file, and read that"
    ]
    fat = ingest([endless], workspace, Reports(memory_bytes=200 << 20))
    assert len(fat.refused) == 1 and "memory" in fat.refused[0].reason
    assert children() <= before


def test_the_folder_of_the_caller_is_not_on_the_path(
    archive: Path, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    (archive / "pydantic.py").write_text("raise SystemExit('imported a file that lay beside the reports')")
    monkeypatch.chdir(archive)
    assert len(ingest([Path("b.md")], workspace, LIMITS).reports) == 1


def test_the_workspace_is_not_read_into_itself(archive: Path) -> None:
    inside = Workspace(archive / "workspace")
    first = ingest([archive], inside, LIMITS)
    assert ingest([archive], inside, LIMITS) == Ingested(first.reports, first.refused, reused=2)


def test_find(archive: Path, workspace: Workspace) -> None:
    (archive / "deep" / "b.md").write_text("# Another\n\nreport of the same name, and not the same text.")
    ingest([archive], workspace, LIMITS)
    a = next(report for report in load_reports(workspace) if report.file == "a.txt")
    assert find_report(workspace, "a.txt") == find_report(workspace, "a") == find_report(workspace, a.id[:12]) == a
    with pytest.raises(UserError, match=r"2 reports are called b\.md: b\.md \(\w{12}\), b\.md \(\w{12}\)"):
        find_report(workspace, "b.md")
    with pytest.raises(UserError, match=r"no report is called zebra.*a\.txt"):
        find_report(workspace, "zebra")
    with pytest.raises(UserError, match="none yet"):
        find_report(Workspace(workspace.root / "other"), "a")


def test_a_broken_artifact_is_told_and_read_again(archive: Path, workspace: Workspace) -> None:
    entry = ingest([archive / "b.md"], workspace, LIMITS).reports[0]
    (stored,) = (workspace.root / "reports").glob("*/report.json")
    stored.write_text(stored.read_text()[:-20])
    with pytest.raises(FatalError, match="no longer a report"):
        load_reports(workspace)
    again = ingest([archive / "b.md"], workspace, LIMITS)
    assert (again.reused, again.reports) == (0, (entry,))
    assert [report.id for report in load_reports(workspace)] == [entry.report]


def test_versions_of_one_report_are_told(archive: Path, workspace: Workspace) -> None:
    text = " ".join(f"The bridge number {n} was built in {1900 + n} by {n} people." for n in range(40))
    (archive / "v1.md").write_text(f"# Bridges\n\n{text}")
    (archive / "v2.md").write_text(f"# Bridges, last version\n\n{text} And one was painted.")
    done = ingest([archive], workspace, LIMITS)
    ids = {report.report: report.file for report in done.reports if report.file.startswith("v")}
    key_of = {report.file: report.key for report in done.reports}
    assert families(workspace, [key_of["v1.md"]]) == [ids]
    assert families(workspace, [key_of["b.md"]]) == []


def test_other_settings_read_anew(archive: Path, workspace: Workspace) -> None:
    ingest([archive / "b.md"], workspace, LIMITS)
    assert ingest([archive / "b.md"], workspace, LIMITS.model_copy(update={"workers": 1})).reused == 1
    assert ingest([archive / "b.md"], workspace, LIMITS.model_copy(update={"keep": ()})).reused == 0
