"""The zip that a Word or OpenDocument file is, opened with distrust: sizes capped, DOCTYPEs and bombs refused."""

import zipfile
import zlib
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from lxml import etree

from pipeline.errors import UserError

Element = Any  # lxml's own element type is private to its stubs

MOST_PARTS = 5_000
LARGEST_PART_BYTES = 64 << 20
LARGEST_SUM_BYTES = 256 << 20  # of all XML that is unpacked; pictures are never unpacked
SAVE_AGAIN = "open it, save it as a new .docx, and read that"
OLE_MAGIC = b"\xd0\xcf\x11\xe0"  # old .doc, and the wrapper of an encrypted .docx
_DOCTYPE = b"<!DOCTYPE"


class Archive:
    """The parts of one file by name. A context manager; nothing is unpacked before it is asked for."""

    def __init__(self, path: Path, inside: IO[bytes] | None = None) -> None:
        """
        Args:
            inside: the archive's bytes, where it stands inside the file at `path`.

        Raises:
            UserError: it is no zip, is encrypted, or is built to do harm.
        """
        self.path = path
        try:
            self._zip = zipfile.ZipFile(inside or path)
        except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
            raise self._no_zip() from error
        self._unpacked_bytes = 0
        infos = self._zip.infolist()
        if len(infos) > MOST_PARTS:
            raise self.harmful(f"has {len(infos)} parts, more than {MOST_PARTS}")
        if any(info.flag_bits & 1 for info in infos):
            raise UserError("is encrypted", where=path, fix="save it without a password")
        # Some programs write the names with backslashes, or with a slash in front.
        self.names = {info.filename.replace("\\", "/").lstrip("/"): info for info in infos}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._zip.close()

    def data(self, name: str) -> bytes:
        """The bytes of a part.

        Raises:
            UserError: it is too large, or cannot be unpacked.
            KeyError: there is no such part.
        """
        info = self.names[name]
        # The declared size may lie, so the reading itself stops at the cap.
        try:
            with self._zip.open(info) as file:
                data = file.read(LARGEST_PART_BYTES + 1)
        except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError) as error:
            raise UserError(f"is damaged: {name} cannot be unpacked", where=self.path, fix=SAVE_AGAIN) from error
        self._unpacked_bytes += len(data)
        if len(data) > LARGEST_PART_BYTES or self._unpacked_bytes > LARGEST_SUM_BYTES:
            raise self.harmful(f"{name} unpacks to more than {LARGEST_PART_BYTES >> 20} MB of text")
        return data

    def xml(self, name: str) -> bytes:
        """The bytes of an XML part, which has no DOCTYPE: the door through which entities harm.

        Raises:
            UserError: it is too large, damaged, or has a DOCTYPE.
        """
        data = self.data(name)
        narrow = data.replace(b"\0", b"") if b"\0" in data[:200] else data  # UTF-16 and UTF-32
        if _DOCTYPE in narrow:
            raise self.harmful(f"its part {name} has a DOCTYPE")
        return data

    def part(self, name: str | None) -> Element | None:
        """The root element of an XML part; None if there is no such part.

        Raises:
            UserError: it is too large, damaged, or has a DOCTYPE.
        """
        if name is None or name not in self.names:
            return None
        try:
            root = etree.fromstring(self.xml(name), parser())
        except etree.XMLSyntaxError as error:
            raise self.damaged(name, error) from error
        if root.getroottree().docinfo.internalDTD is not None:  # in an encoding that hid it from the first look
            raise self.harmful(f"its part {name} has a DOCTYPE")
        return root

    def damaged(self, name: str, error: etree.XMLSyntaxError) -> UserError:
        """What to tell of a part that is no sound XML, or deeper than libxml2 goes (256 elements)."""
        if "depth" in error.msg:
            return UserError("is nested too deeply", where=self.path, fix=SAVE_AGAIN)
        return UserError(f"is damaged: {name} is no sound XML ({error.msg})", where=self.path, fix=SAVE_AGAIN)

    def harmful(self, why: str) -> UserError:
        """What to tell of a file that is built to do harm."""
        return UserError(f"is refused: {why}", where=self.path, fix=SAVE_AGAIN)

    def _no_zip(self) -> UserError:
        with open(self.path, "rb") as file:
            start = file.read(4)
        if start == OLE_MAGIC:
            return UserError("is encrypted", where=self.path, fix="save it without a password")
        if start.startswith(b"PK"):
            return UserError("is incomplete or damaged", where=self.path, fix="copy it again from where it came from")
        return UserError("is no Word document: not a zip archive", where=self.path, fix=SAVE_AGAIN)


# No entity is resolved and nothing fetched; comments and instructions are no text.
_SAFE: dict[str, Any] = dict(
    resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True, remove_pis=True
)


def parser() -> etree.XMLParser:
    """A parser for XML that nobody vouches for."""
    return etree.XMLParser(**_SAFE)


def pull_parser(tags: Sequence[str]) -> "etree.XMLPullParser":
    """The same for large XML that comes in pieces: it tells of the end of each element with one of these tags."""
    return etree.XMLPullParser(("end",), tag=tags, **_SAFE)
