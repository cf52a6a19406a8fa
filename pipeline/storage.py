"""Artifacts on disk: made whole or not at all.

<workspace>/
  reports/ bases/ examples/ adapters/ measured/ evaluations/    one folder an artifact, named by its key
    <key>/...  manifest.json       written last: its presence proves that the rest is complete
    .<key>.partial/                a build in progress; after a crash it is made anew
  runs/<key>/                      a training run: grows in place, so that it can go on after a crash
  adapters.db  library.db          the registry of adapters; projects and drafts
  serve/                           the model server's state, key and log
"""

import errno
import hashlib
import json
import os
import re
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from filelock import FileLock

from pipeline.errors import FatalError, MemoriaError, UserError
from pipeline.records import digest

MANIFEST = "manifest.json"
_NOT_HERE = (  # no rights, a file where a folder should be, a name that no disk takes
    *(errno.EROFS, errno.EACCES, errno.EPERM),
    *(errno.ENOTDIR, errno.EEXIST, errno.ELOOP, errno.ENAMETOOLONG),
)


class Workspace:
    """One folder that holds all that the product makes. Nothing outside it is written but the user's cache."""

    def __init__(self, root: Path | str) -> None:
        try:
            self.root = Path(root).expanduser().resolve()
        except RuntimeError as error:  # a link that leads to itself, or the home of a user that there is not
            raise UserError("leads nowhere", where=root, fix="choose another --workspace") from error

    def path(self, *parts: str) -> Path:
        """A place in the workspace; its parent folder exists afterwards."""
        place = self.root.joinpath(*parts)
        with clear_disk_errors(place.parent):
            place.parent.mkdir(parents=True, exist_ok=True)
        return place

    def has(self, kind: str, key: str) -> bool:
        """Is the artifact there, and complete?"""
        return (self.root / kind / key / MANIFEST).is_file()

    def keys(self, kind: str) -> list[str]:
        """Keys of the complete artifacts of a kind, oldest first."""
        found = (self.root / kind).glob(f"[!.]*/{MANIFEST}")
        return [m.parent.name for m in sorted(found, key=lambda m: (m.stat().st_mtime_ns, m.parent.name))]

    def open(self, kind: str, key: str) -> Path:
        """The folder of a complete artifact.

        Raises:
            FatalError: it is not there, or was never finished.
        """
        if not self.has(kind, key):
            raise FatalError(f"no finished {kind} artifact {key}", where=self.root)
        return self.root / kind / key

    def manifest(self, kind: str, key: str) -> dict[str, Any]:
        """What the artifact was made from and what its maker noted."""
        return read_json(self.open(kind, key) / MANIFEST, fix="delete its folder, and make it again")

    @contextmanager
    def build(self, kind: str, key: str, note: dict[str, Any]) -> Iterator[Path]:
        """Make an artifact: yields an empty folder; what is in it at the end becomes the artifact.

        `note` goes into the manifest and may be filled while building. An artifact that exists already is replaced
        only when the new one is whole.
        """
        partial, final = self.path(kind, f".{key}.partial"), self.path(kind, key)
        with clear_disk_errors(partial):
            if partial.exists():
                shutil.rmtree(partial)
            partial.mkdir(parents=True)
            yield partial
            _flush(partial)
            write_json(partial / MANIFEST, note)
            if final.exists():
                shutil.rmtree(final)
            partial.rename(final)

    def lock(self, name: str) -> FileLock:
        """A lock between processes (context manager); it dies with its holder."""
        file = self.path("locks", f"{name}.lock")
        with clear_disk_errors(file):
            file.touch()
        return FileLock(file)


def user_cache() -> Path:
    """Where downloads are kept between workspaces and clones: $MEMORIA_CACHE, else the user's cache folder."""
    import platformdirs

    return Path(os.environ.get("MEMORIA_CACHE") or platformdirs.user_cache_dir("memoria")).expanduser().resolve()


@contextmanager
def clear_disk_errors(where: Path, elsewhere: str = "choose another --workspace") -> Iterator[None]:
    """Turn a full or read-only disk into one clear line, also where a library hides it in an error of its own.

    Args:
        where: the place that is written.
        elsewhere: how the user has something else written instead.
    """
    try:
        yield
    except MemoriaError:
        raise
    except Exception as error:
        if _errno_of(error) in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            raise UserError("the disk is full", where=where, fix="free some space, then run the same again") from error
        if isinstance(error, OSError) and error.errno in _NOT_HERE:
            raise UserError("cannot write here", where=error.filename or where, fix=elsewhere) from error
        raise


def _errno_of(error: BaseException | None) -> int | None:
    """The system's error number in an error or what led to it: torch raises another while it handles the first,
    and libraries in Rust give it in their text alone.
    """
    while error is not None:
        if isinstance(error, OSError) and error.errno is not None:
            return error.errno
        if told := re.search(r"\(os error (\d+)\)", str(error)):
            return int(told[1])
        error = error.__cause__ or error.__context__
    return None


def require_space(folder: Path, needed_bytes: int, what: str, elsewhere: str = "choose another --workspace") -> None:
    """Refuse to begin what the disk cannot hold; `elsewhere` says how the user chooses another disk.

    Raises:
        UserError: less than `needed_bytes` and a tenth is free where `folder` lies or will lie.
    """
    there = next(p for p in (folder, *folder.parents) if p.exists())
    free_bytes = shutil.disk_usage(there).free
    if free_bytes < needed_bytes * 1.1:
        raise UserError(
            f"no room for {what}: {needed_bytes * 1.1 / 1e9:.1f} GB needed, {free_bytes / 1e9:.1f} GB free",
            where=folder,
            fix=f"free some space or {elsewhere}",
        )


def write_text(path: Path, text: str) -> None:
    """Write a file that is either the old or the new one, whatever happens in between."""
    partial = path.with_name(f".{path.name}.{os.getpid()}-{threading.get_ident()}.partial")
    with clear_disk_errors(path.parent):
        try:
            with open(partial, "w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            partial.replace(path)
        finally:
            partial.unlink(missing_ok=True)


def _flush(folder: Path) -> None:
    """Have the disk hold every file of a folder: a manifest that survives a power cut must not stand alone."""
    for path in folder.rglob("*"):
        if path.is_file():
            with open(path, "rb") as file:
                os.fsync(file.fileno())


def write_json(path: Path, payload: Any) -> None:
    """`write_text` of readable JSON."""
    write_text(path, json.dumps(payload, ensure_ascii=False, indent=1) + "\n")


def read_json(path: Path, *, fix: str) -> dict[str, Any]:
    """The JSON object in a file of ours.

    Raises:
        FatalError: it is none: the file is no longer what was written.
    """
    try:
        read = json.loads(path.read_text("utf-8"))
    except ValueError as error:
        raise FatalError("is no sound JSON", where=path, fix=fix) from error
    if not isinstance(read, dict):
        raise FatalError("is no JSON object", where=path, fix=fix)
    return read


def file_sha256(path: Path) -> str:
    """SHA-256 (hex) of a file's bytes, read in pieces."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def fingerprint(folder: Path) -> str:
    """Identity of a model folder: small files by content, weights by name, size and time of change.

    Reading 16 GB to name them would cost more than it protects from: weights are never edited in place here.
    """
    entries = []
    for path in sorted(
        p for p in folder.iterdir() if p.is_file() and p.name != MANIFEST and not p.name.startswith(".")
    ):
        state = path.stat()
        small = state.st_size < 64 << 20
        entries.append([path.name, state.st_size, file_sha256(path) if small else state.st_mtime_ns])
    return digest(entries)
