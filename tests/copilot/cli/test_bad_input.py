"""Bad input through the real command: one clear line each, exit 2, the others still done, never a traceback."""

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from copilot.cli import app
from pipeline.errors import MemoriaError
from tests.pipeline.reports.pdf_files import make_pdf
from tests.tiny_llama import write_tokenizer

Done = subprocess.CompletedProcess[str]


def memoria(*words: str | Path, before: Sequence[str] = (), **variables: str) -> Done:
    """Run the command to its end, in the test's own folder."""
    command = [*before, sys.executable, "-m", "copilot.cli", *map(str, words)]
    here = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3]), **variables}
    done = subprocess.run(command, capture_output=True, env=here, text=True, timeout=120)
    assert "Traceback" not in done.stderr, done.stderr
    return done


def line_of(done: Done, *parts: str) -> str:
    """The one line in which a failure is told; there is nothing else, and nothing on stdout."""
    assert (done.returncode, done.stdout) == (2, ""), done
    (line,) = done.stderr.splitlines()
    assert line.startswith("memoria: ") and all(part in line for part in parts), line
    return line


def refusal(*words: str | Path) -> str:
    """The line that the command would tell, seen in this process: a hundred times faster."""
    done = CliRunner().invoke(app, [str(word) for word in words])
    assert isinstance(done.exception, MemoriaError) and done.stdout == "", done
    return done.exception.line


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that passes for a base where only its tokens are counted."""
    folder = tmp_path_factory.mktemp("bases") / "tiny"
    write_tokenizer(folder)
    (folder / "config.json").write_text('{"vocab_size": 480}')
    (folder / "model.safetensors").write_bytes(b"")
    return folder


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """Two reports of one name, and one with many numbered sections."""
    folder = tmp_path / "archive"
    for place in ("north", "south"):
        (folder / place).mkdir(parents=True)
        (folder / place / "same.md").write_text(f"# Aims\n\nThe {place} is another place.\n")
    sections = (f"# {number} Part\n\nWhat was done in month {number}.\n\n" for number in range(1, 41))
    (folder / "long report.md").write_text("".join(sections))
    return folder


@pytest.fixture
def read(archive: Path) -> Path:
    """The archive, read into the default workspace."""
    assert memoria("ingest", archive).returncode == 0
    return archive


def bad_files(folder: Path) -> set[str]:
    """Put files into a folder that give no report; returns their names."""
    contents = {
        "empty.docx": b"",
        "blank.txt": b"  \n",
        "no-zip.docx": b"hello",
        "secret.pdf": make_pdf([[(50.0, 700.0, 11.0, "A line of text.")]], password="secret"),
        "bytes.md": bytes(range(256)) * 40,
        "bytes.html": bytes(range(256)) * 40,
        "two\nlines \x1b[31m.docx": b"x",
    }
    for name, data in contents.items():
        (folder / name).write_bytes(data)
    with open(os.fsencode(folder) + b"/old-\xe9.md", "wb") as file:
        file.write(b"# Aims\n\nSome text.\n")
    (folder / "loop.md").symlink_to("loop.md")
    os.mkfifo(folder / "pipe.md")
    return {*contents, "old-\udce9.md", "loop.md", "pipe.md"}


def test_every_bad_file_is_told_and_the_others_are_read(archive: Path, tiny: Path, tmp_path: Path):
    refused = bad_files(archive)
    barren = tmp_path / "barren"
    barren.mkdir()
    gone = tmp_path / ("x" * 300 + ".docx")
    done = memoria("ingest", archive, barren, gone, "--model", tiny, "--json")
    document: dict[str, Any] = json.loads(done.stdout)
    assert done.returncode == 2
    assert sorted(r["file"] for r in document["reports"]) == ["long report.md", "same.md", "same.md"]
    assert {Path(r["file"]).name for r in document["refused"]} == {*refused, "barren", gone.name}
    lines = [line for line in done.stderr.splitlines() if line.startswith("Not read: ")]
    assert len(lines) == len(refused) + 2 and all(line.isprintable() for line in lines)
    assert "another place" not in done.stderr, "texts of reports stay out of what is told"


@pytest.mark.skipif(os.geteuid() == 0 and not shutil.which("setpriv"), reason="root reads everything")
def test_what_may_not_be_looked_at_is_told(archive: Path):
    closed, file = archive / "north", archive / "south" / "same.md"
    closed.chmod(0)
    file.chmod(0)
    drop = ("setpriv", "--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-all")
    done = memoria("ingest", archive, before=drop if os.geteuid() == 0 else ())
    closed.chmod(0o700)
    assert done.returncode == 2
    assert f"Not read: {closed}: cannot be looked into" in done.stderr and f"Not read: {file}: " in done.stderr


def test_a_killed_ingest_leaves_nothing_and_is_done_again(tmp_path: Path):
    folder, workspace, spare = tmp_path / "many", tmp_path / "workspace", tmp_path / "tmp"
    folder.mkdir()
    spare.mkdir()
    for number in range(40):
        (folder / f"{number}.md").write_text(f"# Aims\n\nReport {number}.\n")
    command = [sys.executable, "-m", "copilot.cli", "ingest", str(folder)]
    here = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3]), "TMPDIR": str(spare)}
    with subprocess.Popen(command, env=here, stderr=subprocess.DEVNULL) as process:
        while process.poll() is None and not any((workspace / "reports").glob("[!.]*/manifest.json")):
            os.sched_yield()
        process.send_signal(signal.SIGKILL)
    again = memoria("ingest", folder, TMPDIR=str(spare))
    assert again.returncode == 0 and "Read 40 reports" in again.stderr
    assert not any(workspace.glob("reports/.*")) and not any(spare.iterdir())


@pytest.mark.parametrize(
    "settings", ["x = [", "nonsense = 1", "[app]\nport = 'abc'", "[reports]\ntimeout_seconds = inf", None]
)
def test_a_broken_settings_file_is_named(tmp_path: Path, settings: str | None):
    file = tmp_path / "memoria.toml"
    file.mkdir() if settings is None else file.write_text(settings)
    line_of(memoria("doctor", "--json"), str(file))


@pytest.mark.parametrize(("name", "value"), [("APP__PORT", "abc"), ("WINDOWS", "5"), ("NONSENSE__X", "1")])
def test_a_wrong_variable_is_named(name: str, value: str):
    line_of(memoria("doctor", "--json", **{f"MEMORIA_{name}": value}), f"MEMORIA_{name}")


@pytest.mark.parametrize("kind", ["file", "loop", "long", "nobody"])
def test_a_workspace_that_cannot_be(tmp_path: Path, archive: Path, kind: str):
    (tmp_path / "file").write_text("x")
    (tmp_path / "loop").symlink_to("loop")
    workspace = {"file": "file", "loop": "loop", "long": "x" * 300, "nobody": "~no-such-user/w"}[kind]
    for verb in (["ingest", archive], ["adapters", "list", "--json"], ["serve", "--status", "--json"]):
        line_of(memoria(*verb, "--workspace", workspace), workspace)


@pytest.mark.parametrize("content", ["", "{", "[]", "{}", '{"a": 5}'])
def test_what_is_broken_in_the_workspace_is_told_and_mended_as_told(
    tmp_path: Path, archive: Path, tiny: Path, content: str
):
    def ingest() -> int:
        return CliRunner().invoke(app, ["ingest", str(archive)]).exit_code

    look = ("outline", "long report", "--model", tiny)
    assert ingest() == 0
    for file in ("report.json", "manifest.json"):
        for path in tmp_path.glob(f"workspace/reports/*/{file}"):
            path.write_text(content)
        assert file in refusal(*look)
        assert ingest() == 0
        assert CliRunner().invoke(app, [*map(str, look)]).exit_code == 0
    if content != "{}":  # a catalogue of nothing is sound
        (tmp_path / "workspace/reports/catalogue.json").write_text(content)
        line_of(memoria(*look), "catalogue.json", "Delete it and ingest")
    (tmp_path / "workspace/serve").mkdir()
    (tmp_path / "workspace/serve/server.json").write_text(content)
    assert "server.json" in refusal("serve", "--stop", "--json")


def test_names_that_mean_nothing_or_too_much(read: Path, tiny: Path):
    line_of(memoria("outline", "same", "--json"), "2 reports", "same.md")
    for words, told in {
        ("outline", "nonsense", "--json"): "choose one of: long report.md",
        ("window", "long report", "nonsense", "--model", tiny): "memoria outline",
        ("adapters", "promote", "nonsense"): "adapters list",
        ("adapters", "rollback"): "0 bases",
        ("flows", "run", "nonsense"): "retrain",
        ("outline", "long report", "--model", "nonsense"): "smollm2",
        ("outline", "long report", "--model", read): "config.json",
    }.items():
        assert told.lower() in refusal(*words).lower()


def test_a_section_is_found_by_its_number_whatever_ids_begin_with(read: Path, tiny: Path):
    common = ["--model", str(tiny), "--json"]
    shown = CliRunner().invoke(app, ["outline", "long report", *common])
    ids = {section["number"]: section["id"] for section in json.loads(shown.stdout)["sections"]}
    assert any(identity.startswith(number) for number in ids for identity in ids.values()), "the test has a point"
    for number, identity in ids.items():
        for name in (number, identity[:12]):
            found = CliRunner().invoke(app, ["window", "long report", name, *common])
            assert json.loads(found.stdout)["section"] == identity


def test_numbers_out_of_range():
    for words in (["window", "x", "1", "--budget", "0"], ["window", "x", "1", "--budget", "abc"]):
        assert memoria(*words).returncode == 2
    for port in ("-1", "65536"):
        done = memoria("app", "--no-browser", "--port", port)
        assert done.returncode == 2 and "--port" in done.stderr


def test_nothing_to_train_on_is_told_before_a_base_is_looked_for():
    line_of(memoria("train", "--json", "--model", "/nonsense"), "no reports", "memoria ingest")


def test_a_server_that_does_not_run():
    asked = memoria("serve", "--status", "--json")
    assert asked.returncode == 1 and json.loads(asked.stdout)["state"] == "stopped"
    stopped = memoria("serve", "--stop", "--json")
    assert stopped.returncode == 0 and json.loads(stopped.stdout)["state"] == "stopped"


def test_a_hub_that_does_not_answer(read: Path, tmp_path: Path):
    nowhere = {"HF_HUB_OFFLINE": "0", "HF_ENDPOINT": "http://127.0.0.1:9", "HF_HOME": str(tmp_path / "hub")}
    line_of(memoria("outline", "long report", "--model", "owner/name", **nowhere), "owner/name", "network")


def test_no_room_for_the_base(archive: Path, tmp_path: Path):
    small = tmp_path / "small"
    small.mkdir()
    inside = ["unshare", "--map-root-user", "--mount", "sh", "-c"]
    mounted = f"mount -t tmpfs -o size=3m tmpfs {small} && "
    if not shutil.which("unshare") or subprocess.run([*inside, mounted + "true"], capture_output=True).returncode:
        pytest.skip("no disk of three megabytes can be had here")
    command = f"{sys.executable} -m copilot.cli ingest {archive} -w {small}/w --model smollm2"
    done = memoria(before=[*inside, f"{mounted}{command} && exec {command} --json", "sh"])
    told, account, again, same_account, failure = done.stderr.splitlines()
    assert account == same_account and "0 not accounted for" in account
    assert told == again and told.startswith("Read 3 reports")
    assert (
        failure.startswith("memoria: ") and f"{small}/w" in failure and "no room" in failure and "ree some" in failure
    )
    assert (done.returncode, done.stdout) == (2, "")


def test_json_is_utf8_in_any_surrounding_and_a_full_disk_is_told(read: Path, tiny: Path, tmp_path: Path):
    (read / "año.md").write_text("# Año\n\nMás texto.\n")
    done = memoria("ingest", read, "--json", "--model", tiny, PYTHONIOENCODING="utf-8")
    asked = memoria("outline", "año", "--json", "--model", tiny, PYTHONIOENCODING="ascii:strict", LC_ALL="C.UTF-8")
    assert done.returncode == asked.returncode == 0
    assert json.loads(asked.stdout)["sections"][0]["heading"] == "Año"
    with open("/dev/full", "w") as full:
        here = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])}
        failed = subprocess.run(
            [sys.executable, "-m", "copilot.cli", "doctor", "--json"], stdout=full, stderr=-1, env=here
        )
    assert failed.returncode == 2 and failed.stderr.startswith(b"memoria: ") and failed.stderr.count(b"\n") == 1
