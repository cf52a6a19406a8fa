"""Running a flow by hand: where its state lies, whom it calls, what it leaves behind."""

import importlib
import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from flows.local import names, run_flow
from flows.server import serving
from pipeline.errors import TransientError, UserError
from pipeline.settings import Settings
from tests.flows.conftest import ADAPTER, SmallRoad

ROOT = Path(__file__).parents[2]

# Notes every host that a process, or one that it starts, looks up or connects to.
NOTE_HOSTS = """
import os, sys

def note(event, arguments):
    if event == "socket.getaddrinfo" or event == "socket.gethostbyname":
        host = arguments[0]
    elif event == "socket.connect" and isinstance(arguments[1], tuple):
        host = arguments[1][0]
    else:
        return
    with open(os.environ["HOSTS"], "a") as file:
        print(host.decode() if isinstance(host, bytes) else host, file=file)

sys.addaudithook(note)
"""
# Ingests, and then is killed in the midst of a retrain.
DRIVER = """
import os, signal, sys
import psutil
from flows.local import run_flow
from pipeline import road
from pipeline.settings import load_settings

settings = load_settings(workspace=sys.argv[1])
print(len(run_flow("ingest", settings, paths=sys.argv[2:]).reports))
print(len(psutil.Process().children()), os.environ.get("PREFECT_API_URL"))

from prefect.settings import get_current_settings
print(get_current_settings().server.analytics_enabled)

def find_base(here):
    print(os.environ["PREFECT_API_URL"], flush=True)
    os.kill(os.getpid(), signal.SIGKILL)

road.find_base = find_base
run_flow("retrain", settings, paths=sys.argv[2:])
"""


def test_names_are_flows_and_need_no_prefect() -> None:
    probe = "import sys, flows.local; print(*flows.local.names(), 'prefect' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", probe], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["ingest", "retrain", "release", "False"]


def test_a_wrong_name_is_the_users_to_mend(settings: Settings) -> None:
    with pytest.raises(UserError, match="no flow 'rertain'.*ingest, retrain, release"):
        run_flow("rertain", settings)


@pytest.mark.slow
def test_a_wrong_parameter_is_the_users_to_mend(named_server: str, settings: Settings) -> None:
    with pytest.raises(UserError, match="flow release: missing a required argument: 'adapter'"):
        run_flow("release", settings)
    assert all(getattr(importlib.import_module(f"flows.{name}"), name).name == name for name in names())


@pytest.mark.slow
def test_a_server_that_does_not_answer_is_told(
    server: str, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        url = f"http://127.0.0.1:{taken.getsockname()[1]}/api"
    monkeypatch.setenv("PREFECT_API_URL", url)
    with pytest.raises(UserError, match=f"{url}: no Prefect server answers"):
        run_flow("ingest", settings, paths=[])


def test_a_server_that_dies_at_its_start_is_told_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "uvicorn.py").write_text("raise SystemExit('no uvicorn today')")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with pytest.raises(TransientError, match="did not start"), serving(tmp_path / "home"):
        pass
    assert "no uvicorn today" in (tmp_path / "home" / "server.log").read_text()


@pytest.mark.slow
def test_a_killed_run_leaves_no_server_calls_nobody_and_is_run_again(
    server: str,
    settings: Settings,
    small_road: SmallRoad,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    report, hooks, home = tmp_path / "report.md", tmp_path / "hooks", tmp_path / "home"
    report.write_text("# Activities\n\nTwelve workshops were held in the valley.\n")
    hooks.mkdir()
    (hooks / "sitecustomize.py").write_text(NOTE_HOSTS)
    quiet = {"PREFECT_HOME", "PREFECT_API_URL", "DO_NOT_TRACK", "PREFECT_SERVER_ANALYTICS_ENABLED"}
    variables = {name: value for name, value in os.environ.items() if name not in quiet}
    variables |= {"PYTHONPATH": f"{hooks}:{ROOT}", "HOSTS": str(tmp_path / "hosts"), "HOME": str(home)}
    killed = subprocess.run(
        [sys.executable, "-c", DRIVER, str(settings.workspace), str(report)],
        env=variables,
        capture_output=True,
        text=True,
    )
    assert killed.returncode == -9, killed.stderr
    assert killed.stderr == ""
    assert set((tmp_path / "hosts").read_text().split()) == {"127.0.0.1"}
    reports, left_behind, analytics, url = killed.stdout.splitlines()
    assert (reports, left_behind, analytics) == ("1", "0 None", "False")
    assert (settings.workspace / "prefect" / "prefect.db").is_file()
    assert not home.exists()
    assert _ends(int(url.split(":")[2].split("/")[0]))

    (manifest,) = (settings.workspace / "reports").glob("*/manifest.json")
    made = manifest.stat().st_mtime_ns
    monkeypatch.setenv("PREFECT_API_URL", server)
    assert run_flow("retrain", settings, paths=[str(report)]) == ADAPTER
    assert manifest.stat().st_mtime_ns == made


def _ends(port: int) -> bool:
    """Does the server there end soon?"""
    end = time.monotonic() + 30
    while time.monotonic() < end:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=5).close()
        except ConnectionRefusedError:
            return True
    return False
