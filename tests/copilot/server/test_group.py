"""Process groups: ended whole, also without their leader, and never those of strangers."""

import os
import select
import signal
import sys
from pathlib import Path

import pytest

from copilot.server import group

# Says "up" once it has a worker; with "deaf" both ignore a polite request to end.
FAMILY = """
import os, signal, sys
if "deaf" in sys.argv:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
ready, told = os.pipe()
if os.fork() == 0:
    os.write(told, b"x")
    signal.pause()
os.read(ready, 1)
with open(sys.argv[1], "w") as pipe:
    pipe.write("up")
signal.pause()
"""


def family(tmp_path: Path, *words: str) -> group.Leader:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    leader = group.spawn([sys.executable, "-c", FAMILY, str(pipe), *words], dict(os.environ), tmp_path / "log")
    descriptor = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    assert select.select([descriptor], [], [], 20)[0]
    os.close(descriptor)
    return leader


@pytest.mark.parametrize("words", [(), ("deaf",)])
def test_the_whole_group_ends(tmp_path, words):
    leader = family(tmp_path, *words)
    assert group.leads(leader)
    assert len(group.members(leader)) == 2
    group.end(leader, timeout_seconds=0.3)
    assert group.members(leader) == []
    assert not group.leads(leader)


def test_orphans_of_a_killed_leader_end_too(tmp_path):
    leader = family(tmp_path)
    os.kill(leader.pid, signal.SIGKILL)
    while group.leads(leader):
        pass
    assert len(group.members(leader)) == 1
    group.end(leader, timeout_seconds=5)
    assert group.members(leader) == []


def test_a_stranger_with_the_same_id_is_left_alone(tmp_path):
    leader = family(tmp_path)
    mistaken = group.Leader(leader.pid, leader.started - 10)
    assert not group.leads(mistaken)
    assert group.members(mistaken) == []
    group.end(mistaken, timeout_seconds=0)
    assert len(group.members(leader)) == 2
    group.end(leader, timeout_seconds=5)


def test_it_leads_a_session_of_its_own_and_talks_to_its_log(tmp_path):
    says = "import os, sys; print(os.getsid(0) == os.getpid()); print('oh', file=sys.stderr)"
    leader = group.spawn([sys.executable, "-c", says], dict(os.environ), tmp_path / "log")
    while group.leads(leader):
        pass
    assert sorted((tmp_path / "log").read_text().split()) == ["True", "oh"]
