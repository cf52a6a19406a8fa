from collections.abc import Callable
from pathlib import Path

import pytest

from tests.pipeline.reports.pdf_files import make_pdf
from tests.pipeline.reports.report_files import Craft


@pytest.fixture
def craft(tmp_path: Path) -> Craft:
    return Craft(tmp_path)


@pytest.fixture
def pdf(tmp_path: Path) -> Callable[..., Path]:
    """Write a PDF: pdf(pages, bookmarks=..., password=...)."""

    def write(*arguments: object, name: str = "made.pdf", **more: object) -> Path:
        path = tmp_path / name
        path.write_bytes(make_pdf(*arguments, **more))  # type: ignore[arg-type]
        return path

    return write
