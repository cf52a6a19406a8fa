"""The zip that a .docx is, opened with distrust: sizes capped, DOCTYPEs refused, no link followed."""

import posixpath
import zipfile
import zlib
from pathlib import Path
from types import TracebackType

from lxml import etree

from pipeline.errors import UserError
from pipeline.reports.word.names import STRICT, Element

MOST_PARTS = 5_000
LARGEST_PART_BYTES = 64 << 20
LARGEST_SUM_BYTES = 256 << 20  # of all XML that is unpacked; pictures are never unpacked
_OLE_MAGIC = b"\xd0\xcf\x11\xe0"  # old .doc, and the wrapper of an encrypted .docx
_SAVE_AGAIN = "open it in Word, save it as a new .docx, and read that"


class Package:
    """The parts of one file by name. A context manager; nothing is unpacked before it is asked for."""

    def __init__(self, path: Path) -> None:
        """
        Raises:
            UserError: it is no zip, is encrypted, holds no Word text, or is built to do harm.
        """
        self.path = path
        try:
            self._zip = zipfile.ZipFile(path)
        except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
            raise self._no_zip() from error
        self._unpacked_bytes = 0
        infos = self._zip.infolist()
        if len(infos) > MOST_PARTS:
            raise self._harmful(f"has {len(infos)} parts, more than {MOST_PARTS}")
        if any(info.flag_bits & 1 for info in infos):
            raise UserError("is encrypted", where=path, fix="save it without a password")
        self.names = {info.filename: info for info in infos}
        self.main_name = self._main_name()

    def __enter__(self) -> "Package":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._zip.close()

    def part(self, name: str | None) -> Element | None:
        """The root element of an XML part; None if there is no such part.

        Raises:
            UserError: it is too large, damaged, or has a DOCTYPE.
        """
        info = self.names.get(name or "")
        if info is None:
            return None
        data = self._read(info)
        if b"purl.oclc.org/ooxml" in data:
            for strict, usual in STRICT.items():
                data = data.replace(strict, usual)
        parser = etree.XMLParser(
            resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True, remove_pis=True
        )
        try:
            root = etree.fromstring(data, parser)
        except etree.XMLSyntaxError as error:
            raise UserError(
                f"is damaged: {info.filename} is no sound XML ({error.msg})", where=self.path, fix=_SAVE_AGAIN
            ) from error
        if root.getroottree().docinfo.internalDTD is not None:
            raise self._harmful(f"its part {info.filename} has a DOCTYPE")
        return root

    def relations(self, name: str) -> dict[str, tuple[str, str, bool]]:
        """Relationships of a part: id -> (kind, target, is it outside?). Targets inside are part names."""
        folder, base = posixpath.split(name)
        root = self.part(posixpath.join(folder, "_rels", f"{base}.rels"))
        found = {}
        for relation in root if root is not None else ():
            outside = relation.get("TargetMode") == "External"
            target = relation.get("Target", "")
            if not outside:
                target = posixpath.normpath(posixpath.join("/" + folder, target)).lstrip("/")
            found[relation.get("Id", "")] = (relation.get("Type", "").rsplit("/", 1)[-1], target, outside)
        return found

    def related(self, kind: str) -> str | None:
        """Name of the main text's part of a kind ("styles", "numbering", "footnotes"...)."""
        return next(
            (t for k, t, outside in self.relations(self.main_name).values() if k == kind and not outside),
            None,
        )

    def _read(self, info: zipfile.ZipInfo) -> bytes:
        # The declared size may lie, so the reading itself stops at the cap.
        try:
            with self._zip.open(info) as file:
                data = file.read(LARGEST_PART_BYTES + 1)
        except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError) as error:
            raise UserError(
                f"is damaged: {info.filename} cannot be unpacked", where=self.path, fix=_SAVE_AGAIN
            ) from error
        self._unpacked_bytes += len(data)
        if len(data) > LARGEST_PART_BYTES or self._unpacked_bytes > LARGEST_SUM_BYTES:
            raise self._harmful(f"{info.filename} unpacks to more than {LARGEST_PART_BYTES >> 20} MB of text")
        return data

    def _main_name(self) -> str:
        kinds = self.relations("").values() if "_rels/.rels" in self.names else ()
        name = next(
            (target for kind, target, outside in kinds if kind == "officeDocument" and not outside),
            "word/document.xml",
        )
        if name not in self.names or not name.startswith("word/"):
            raise UserError("is a zip archive, but no Word document", where=self.path, fix="give the .docx itself")
        return name

    def _no_zip(self) -> UserError:
        with open(self.path, "rb") as file:
            start = file.read(4)
        if start == _OLE_MAGIC:
            return UserError(
                "is encrypted, or an old .doc with a new name",
                where=self.path,
                fix="save it as .docx without a password",
            )
        return UserError("is no Word document: not a zip archive", where=self.path, fix=_SAVE_AGAIN)

    def _harmful(self, why: str) -> UserError:
        return UserError(f"is refused: {why}", where=self.path, fix=_SAVE_AGAIN)
