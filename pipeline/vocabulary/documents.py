"""The JSON files of a base: other people's work, so read with clear errors."""

import json
from pathlib import Path
from typing import Any

from pipeline.errors import UserError

_FIX = "fetch the model again"


def read_document(file: Path) -> dict[str, Any]:
    """The JSON object in a file.

    Raises:
        UserError: it cannot be read, or is no JSON object.
    """
    try:
        read = json.loads(file.read_text("utf-8"))
    except (ValueError, RecursionError) as error:
        raise UserError("is no sound JSON", where=file, fix=_FIX) from error
    except OSError as error:
        raise UserError(f"cannot be read: {error.strerror}", where=file, fix=_FIX) from error
    if not isinstance(read, dict):
        raise UserError("is no JSON object", where=file, fix=_FIX)
    return read
