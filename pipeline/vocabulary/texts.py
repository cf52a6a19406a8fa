"""The texts that a sliced base must read well: the office's own, and files that the settings name.

    reports     language -> pieces     compared one by one; by usage, they say which tokens are kept
    kept        pieces of vocabulary.kept_texts: every token of theirs is kept, whatever the method

Pieces are dealt into folds, so that what slicing by usage costs on unseen text can be measured: what was
taken from one source (a report) lies in one fold, for its sections share names and words.
"""

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from pipeline.errors import UserError
from pipeline.records import Language

FOLDS = 5
SUFFIXES = (".txt", ".md")
_FIX = "mend vocabulary.kept_texts"
_PIECE = re.compile(r".*?(?:\n\s*\n|\Z)", re.DOTALL)


@dataclass(frozen=True)
class Texts:
    """What is to be read as before.

    Args:
        reports: texts by language.
        sources: of each of those texts, what it was taken from; None: each stands alone.
        kept: further texts, in whatever language.
    """

    reports: Mapping[Language, Sequence[str]]
    sources: Mapping[Language, Sequence[str]] | None = None
    kept: Sequence[str] = field(default=())

    def __iter__(self) -> Iterator[str]:
        for pieces in self.reports.values():
            yield from pieces
        yield from self.kept

    @cached_property
    def digest(self) -> str:
        """SHA-256 (hex) of all that is here, languages and order included."""
        found = hashlib.sha256()
        for name, pieces in (*self.reports.items(), ("", self.kept)):
            found.update(f"\0{name}\0{len(pieces)}".encode())
            for piece in pieces:
                found.update(_sha256(piece))
        return found.hexdigest()

    @cached_property
    def folds(self) -> Mapping[Language, Sequence[int]]:
        """The fold (0 to `FOLDS` - 1) of each text of the reports; the sources are dealt out by their digests."""
        if self.sources is None:
            names = {language: [_sha256(piece) for piece in pieces] for language, pieces in self.reports.items()}
        else:
            names = {language: [_sha256(source) for source in sources] for language, sources in self.sources.items()}
        dealt = {name: place % FOLDS for place, name in enumerate(sorted({n for each in names.values() for n in each}))}
        return {language: [dealt[name] for name in each] for language, each in names.items()}


def _sha256(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def read_kept_texts(paths: Sequence[Path]) -> list[str]:
    """The texts of files, and of all .txt and .md files in folders and their subfolders, parted at empty lines.

    A token that reaches over the end of an empty line is made of white space or signs, and those are always
    kept: so the parts hold every token of the whole that could be left out.

    Raises:
        UserError: a path leads nowhere, to a file of another kind or not in UTF-8, or to a folder without texts.
    """
    pieces: list[str] = []
    for path in paths:
        for file in _files(path.expanduser()):
            pieces += [piece for piece in _PIECE.findall(_text_of(file)) if piece and not piece.isspace()]
    return pieces


def _files(path: Path) -> list[Path]:
    if path.is_dir():
        found = sorted(file for file in path.rglob("*") if file.suffix.lower() in SUFFIXES and file.is_file())
        if not found:
            raise UserError("no .txt or .md file in this folder", where=path, fix=_FIX)
        return found
    if not path.is_file():
        raise UserError("no such file or folder", where=path.absolute(), fix=_FIX)
    if path.suffix.lower() not in SUFFIXES:
        raise UserError("is no .txt or .md file", where=path, fix=_FIX)
    return [path]


def _text_of(file: Path) -> str:
    try:
        return file.read_text("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UserError("is not in UTF-8", where=file, fix="save it as UTF-8, or " + _FIX) from error
    except OSError as error:
        raise UserError(f"cannot be read: {error.strerror}", where=file, fix=_FIX) from error
