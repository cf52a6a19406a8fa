"""Artifacts are whole or absent, whatever ends their making; a full or read-only disk is one clear line."""

import errno
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from pipeline.errors import FatalError, UserError
from pipeline.storage import (
    Workspace,
    clear_disk_errors,
    file_sha256,
    fingerprint,
    require_space,
    write_json,
    write_text,
)


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace(tmp_path / "workspace")


def mounted(folder: Path, options: str) -> Iterator[Path]:
    folder.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", folder], capture_output=True).returncode:
        pytest.skip("a file system of its own can be mounted by root only")
    yield folder
    subprocess.run(["umount", folder], check=True)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    yield from mounted(tmp_path / "small", "size=256k")


@pytest.fixture
def read_only_disk(tmp_path: Path) -> Iterator[Path]:
    yield from mounted(tmp_path / "read-only", "size=64k,ro")


def test_an_artifact_holds_its_files_and_its_note(workspace: Workspace) -> None:
    note = {"made_from": "x"}
    with workspace.build("bases", "k", note) as folder:
        (folder / "sub").mkdir()
        (folder / "sub" / "a").write_text("1")
        note["learned"] = "while building"
        assert not workspace.has("bases", "k")
    assert (workspace.open("bases", "k") / "sub" / "a").read_text() == "1"
    assert workspace.manifest("bases", "k") == {"made_from": "x", "learned": "while building"}


def test_an_exception_leaves_no_artifact_and_the_earlier_one_whole(workspace: Workspace) -> None:
    def build(text: str, error: Exception | None) -> None:
        with workspace.build("bases", "k", {"text": text}) as folder:
            (folder / text).write_text(text)
            if error:
                raise error

    with pytest.raises(KeyError):
        build("first", KeyError("x"))
    assert not workspace.has("bases", "k") and workspace.keys("bases") == []
    with pytest.raises(FatalError, match="no finished bases artifact k"):
        workspace.open("bases", "k")
    build("second", None)
    assert [p.name for p in sorted(workspace.open("bases", "k").iterdir())] == ["manifest.json", "second"]
    with pytest.raises(ZeroDivisionError):
        build("third", ZeroDivisionError())
    assert (workspace.open("bases", "k") / "second").is_file() and workspace.manifest("bases", "k") == {
        "text": "second"
    }


def test_a_killed_build_leaves_no_artifact_and_the_next_begins_in_an_empty_folder(
    workspace: Workspace,
) -> None:
    code = (
        "import os, sys; from pipeline.storage import Workspace\n"
        "with Workspace(sys.argv[1]).build('bases', 'k', {}) as folder:\n"
        "    (folder / 'half').write_text('x'); os.kill(os.getpid(), 9)\n"
    )
    done = subprocess.run([sys.executable, "-c", code, str(workspace.root)])
    assert done.returncode == -signal.SIGKILL
    assert (workspace.root / "bases" / ".k.partial" / "half").is_file()
    assert not workspace.has("bases", "k") and workspace.keys("bases") == []
    with workspace.build("bases", "k", {}) as folder:
        assert list(folder.iterdir()) == []
    assert [p.name for p in (workspace.root / "bases").iterdir()] == ["k"]


def test_keys_are_told_oldest_first_and_finished_ones_only(workspace: Workspace) -> None:
    for age, key in ((3, "c"), (1, "a"), (2, "b")):
        with workspace.build("bases", key, {}):
            pass
        os.utime(workspace.open("bases", key) / "manifest.json", (1_000_000 - age, 1_000_000 - age))
    workspace.path("bases", "unfinished", "x").write_text("")
    assert workspace.keys("bases") == ["c", "b", "a"]
    assert workspace.keys("adapters") == []


@pytest.mark.parametrize("size_bytes", [1 << 20, 10])
def test_a_full_disk_is_one_clear_line_and_no_artifact(small_disk: Path, size_bytes: int) -> None:
    (small_disk / "ballast").write_bytes(bytes(255 << 10)) if size_bytes == 10 else None
    workspace = Workspace(small_disk)

    def build() -> None:
        with workspace.build("bases", "k", {}) as folder:
            for i in range(200):
                (folder / str(i)).write_bytes(bytes(size_bytes))

    with pytest.raises(UserError, match=r"^/.*: the disk is full\. Free some space, then run the same again$"):
        build()
    assert not workspace.has("bases", "k")


def test_a_full_disk_is_told_also_where_a_library_hides_it(small_disk: Path) -> None:
    torch = pytest.importorskip("torch")
    from safetensors.torch import save_file

    weights = {"w": torch.zeros(1 << 18)}
    with pytest.raises(UserError, match="the disk is full"), clear_disk_errors(small_disk):
        save_file(weights, small_disk / "w.safetensors")
    with (
        pytest.raises(UserError, match="the disk is full"),
        clear_disk_errors(small_disk),
        open(small_disk / "w.pt", "wb") as file,
    ):
        torch.save(weights, file)


def test_a_file_that_does_not_fit_leaves_the_old_one_and_no_rest(small_disk: Path) -> None:
    write_text(small_disk / "a", "old")
    with pytest.raises(UserError, match="the disk is full"):
        write_text(small_disk / "a", "x" * (1 << 20))
    assert [p.name for p in small_disk.iterdir()] == ["a"] and (small_disk / "a").read_text() == "old"


def test_a_disk_that_cannot_be_written_is_one_clear_line(read_only_disk: Path) -> None:
    workspace = Workspace(read_only_disk)
    for use in (
        lambda: workspace.path("runs", "k"),
        lambda: workspace.lock("x"),
        workspace.build("a", "k", {}).__enter__,
    ):
        with pytest.raises(UserError, match=r"cannot write here\. Choose another --workspace"):
            use()


def test_a_file_where_the_workspace_should_be_is_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for root in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(UserError, match="cannot write here"):
            Workspace(root).lock("x")
        with pytest.raises(UserError, match="cannot write here"):
            write_json(root / "a.json", {})


def test_other_errors_pass_as_they_are() -> None:
    for error in (
        FileNotFoundError(errno.ENOENT, "no"),
        ValueError("no"),
        UserError("no"),
        KeyboardInterrupt(),
    ):
        with pytest.raises(type(error)) as caught, clear_disk_errors(Path("/x")):
            raise error
        assert caught.value is error
    # A refusal that somebody else met and handled is not ours to tell.
    with pytest.raises(ValueError, match="other"), clear_disk_errors(Path("/x")):
        try:
            raise PermissionError(errno.EACCES, "no")
        except PermissionError:
            raise ValueError("other")  # noqa: B904


def test_room_is_asked_for_before_the_work(tmp_path: Path) -> None:
    require_space(tmp_path / "not" / "there" / "yet", 1 << 20, "the model")
    with pytest.raises(UserError, match=r"no room for the model: 1100000\.0 GB needed, .* GB free"):
        require_space(tmp_path / "not" / "there", 10**15, "the model")


def test_a_lock_keeps_other_processes_out_and_dies_with_its_holder(workspace: Workspace) -> None:
    code = (
        "import sys; from pipeline.storage import Workspace\n"
        "lock = Workspace(sys.argv[1]).lock('x'); lock.acquire()\n"
        "print('held', flush=True); sys.stdin.read()\n"
    )
    holder = subprocess.Popen(
        [sys.executable, "-c", code, str(workspace.root)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert holder.stdout and holder.stdout.readline() == "held\n"
        with pytest.raises(TimeoutError):
            workspace.lock("x").acquire(timeout=0)
        with workspace.lock("y").acquire(timeout=0):
            pass
    finally:
        holder.kill()
        holder.communicate()
    with workspace.lock("x").acquire(timeout=10):
        pass


def test_threads_that_write_one_file_leave_one_of_their_texts(tmp_path: Path) -> None:
    texts = [str(i) * 100_000 for i in range(4)]
    failed: list[BaseException] = []

    def write(text: str) -> None:
        try:
            for _ in range(10):
                write_text(tmp_path / "a", text)
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=write, args=(text,)) for text in texts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed
    assert (tmp_path / "a").read_text() in texts and [p.name for p in tmp_path.iterdir()] == ["a"]


def test_json_is_readable_and_keeps_odd_characters(tmp_path: Path) -> None:
    payload = {"à\u2028": ['"', "\x00\x1f", "😀"]}
    write_json(tmp_path / "a.json", payload)
    assert "à" in (text := (tmp_path / "a.json").read_text("utf-8")) and json.loads(text) == payload


def test_a_file_is_named_by_its_bytes(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"abc")
    assert file_sha256(tmp_path / "a") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


def test_a_model_folder_is_named_by_its_files_and_not_by_its_manifest(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("1")
    before = fingerprint(tmp_path)
    (tmp_path / "manifest.json").write_text("{}")
    (tmp_path / ".cache").write_text("")
    assert fingerprint(tmp_path) == before
    (tmp_path / "config.json").write_text("2")
    assert fingerprint(tmp_path) != before
