"""Programs that some formats are read through, where they are installed."""

import shutil

_NAMES = {
    "libreoffice": ("soffice", "libreoffice", "/Applications/LibreOffice.app/Contents/MacOS/soffice"),
    "ocrmypdf": ("ocrmypdf",),
}


def program(name: str) -> str | None:
    """Where a program is ("libreoffice", "ocrmypdf"); None if it is not installed."""
    return next(filter(None, map(shutil.which, _NAMES[name])), None)
