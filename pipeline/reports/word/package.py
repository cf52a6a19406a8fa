"""The parts of a Word file, and how they are related."""

import posixpath
from pathlib import Path
from typing import IO

from pipeline.errors import UserError
from pipeline.reports.archive import Archive
from pipeline.reports.word.names import STRICT

_USUAL_NAME = "word/document.xml"
_STRICT_MARK = b"purl.oclc.org/ooxml"


class Package(Archive):
    """A Word file. A context manager; nothing is unpacked before it is asked for."""

    def __init__(self, path: Path, inside: IO[bytes] | None = None) -> None:
        """
        Args:
            inside: the file's bytes, where it stands inside the file at `path`.

        Raises:
            UserError: it is no zip, is encrypted, holds no Word text, or is built to do harm.
        """
        super().__init__(path, inside)
        self.names = {name.lower(): info for name, info in self.names.items()}  # case is nothing to Word
        self.main_name = self._main_name()

    def xml(self, name: str) -> bytes:
        """As for any archive; the names of the ISO's "strict" files are replaced by the usual ones."""
        data = super().xml(name)
        if _STRICT_MARK in data:
            for strict, usual in STRICT.items():
                data = data.replace(strict, usual)
        return data

    def relations(self, name: str) -> dict[str, tuple[str, str, bool]]:
        """Relationships of a part: id -> (kind, target, is it outside?). Those inside are parts in small letters."""
        folder, base = posixpath.split(name)
        root = self.part(posixpath.join(folder, "_rels", f"{base}.rels"))
        found = {}
        for relation in root if root is not None else ():
            outside = relation.get("TargetMode") == "External"
            target = relation.get("Target", "")
            if not outside:
                target = posixpath.normpath(posixpath.join("/" + folder, target)).lstrip("/").lower()
            found[relation.get("Id", "")] = (relation.get("Type", "").rsplit("/", 1)[-1], target, outside)
        return found

    def related(self, kind: str) -> str | None:
        """Name of the main text's part of a kind ("styles", "numbering", "footnotes"...)."""
        return next(
            (t for k, t, outside in self.relations(self.main_name).values() if k == kind and not outside),
            None,
        )

    def related_to_file(self, kind: str) -> str | None:
        """Name of the part of a kind that belongs to the file as a whole ("core-properties"...)."""
        return next((t for k, t, outside in self.relations("").values() if k == kind and not outside), None)

    def _is_document(self, name: str) -> bool:
        """Whether a part is a main text. Some files point at another part, and Word still finds the text."""
        return name in self.names and (name == _USUAL_NAME or b"document" in self.data(name)[:4096])

    def _main_name(self) -> str:
        kinds = self.relations("").values() if "_rels/.rels" in self.names else ()
        told = (target for kind, target, outside in kinds if kind == "officeDocument" and not outside)
        name = next((target for target in told if self._is_document(target)), _USUAL_NAME)
        if name not in self.names or name.startswith(("xl/", "ppt/")):
            raise UserError("is a zip archive, but no Word document", where=self.path, fix="give the .docx itself")
        return name
