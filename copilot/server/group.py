"""A process group of its own: spawned, recognised later even by another process, and ended whole.

A killed parent leaves its workers behind, with gigabytes; they keep its group, so the group is what is ended.
Ids are used again by the system, so a leader is known by its id and the time it was started.
"""

import contextlib
import errno
import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path

START_TOLERANCE_SECONDS = 2.0  # a start time is counted from the boot, and the clock may be set meanwhile


@dataclass(frozen=True)
class Leader:
    """The first process of a session and group of its own: its id is the group's id too."""

    pid: int
    started: float


def spawn(command: list[str], environment: dict[str, str], log: Path) -> Leader:
    """Start a command as leader of a new session; it reads nothing, and all it says goes to `log`."""
    import psutil

    output = os.O_WRONLY | os.O_CREAT | os.O_APPEND
    pid = os.posix_spawn(
        command[0],
        command,
        environment,
        file_actions=[
            (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
            (os.POSIX_SPAWN_OPEN, 1, str(log), output, 0o600),
            (os.POSIX_SPAWN_DUP2, 1, 2),
        ],
        setsid=True,
        setsigdef=[signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE],
    )
    return Leader(pid, psutil.Process(pid).create_time())


def leads(leader: Leader) -> bool:
    """Does the very process that was started still run?"""
    import psutil

    _reap(leader.pid)
    try:
        process = psutil.Process(leader.pid)
        same = abs(process.create_time() - leader.started) < START_TOLERANCE_SECONDS
        return same and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def members(leader: Leader) -> list[int]:
    """Ids of the living processes in the leader's group, also when the leader itself is gone.

    An id is not given away while a group bears it. So if the leader's id belongs to a stranger, the whole
    group has ended; and if it belongs to nobody, what bears the group's id is the leader's own.
    """
    import psutil

    _reap(leader.pid)
    if psutil.boot_time() > leader.started + START_TOLERANCE_SECONDS:
        return []
    if psutil.pid_exists(leader.pid) and not leads(leader) and not _is_zombie(leader.pid):
        return []
    return [pid for pid in psutil.pids() if _group(pid) == leader.pid and not _is_zombie(pid)]


def end(leader: Leader, timeout_seconds: float) -> None:
    """Ask the whole group to end, and after `timeout_seconds` end it; returns when none of it is left."""
    for request, patience in ((signal.SIGTERM, timeout_seconds), (signal.SIGKILL, 10.0)):
        if not members(leader):
            return
        _signal(leader.pid, request)
        deadline = time.monotonic() + patience
        while members(leader) and time.monotonic() < deadline:
            time.sleep(0.1)


def _signal(group: int, request: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(group, request)


def _group(pid: int) -> int | None:
    try:
        return os.getpgid(pid)
    except OSError as error:
        if error.errno not in (errno.ESRCH, errno.EPERM):
            raise
        return None


def _is_zombie(pid: int) -> bool:
    import psutil

    try:
        return bool(psutil.Process(pid).status() == psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return True


def _reap(pid: int) -> None:
    """Take note of a child's end, if it is a child of ours and has ended."""
    with contextlib.suppress(ChildProcessError):
        os.waitpid(pid, os.WNOHANG)
