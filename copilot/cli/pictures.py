"""The option --picture: a page for the browser or an image, as the file's ending says."""

from collections.abc import Callable
from pathlib import Path

from pipeline.errors import UserError

_ENDINGS = (".html", ".png")


def require_ending(picture: Path | None) -> None:
    """Look before anything is computed.

    Raises:
        UserError: the file is to be neither a page nor an image.
    """
    if picture is not None and picture.suffix.lower() not in _ENDINGS:
        raise UserError("a picture is a .html or a .png file", where=picture, fix="choose one of these endings")


def write_picture(file: Path, page: Callable[[], str], png: Callable[[], bytes]) -> None:
    """Draw into a file by the one of both that its ending asks for.

    Raises:
        UserError: the disk is full, or no file can be there; or what draws an image is not installed.
    """
    from pipeline.storage import clear_disk_errors

    content = png() if file.suffix.lower() == ".png" else page().encode("utf-8")
    with clear_disk_errors(file, "choose another file"):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
