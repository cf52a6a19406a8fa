"""The sample reports, written once for all tests of this folder."""

from pathlib import Path

import pytest

from data.sample.document import Document
from data.sample.writing import compose_samples, write_samples


@pytest.fixture(scope="session")
def samples_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with every sample report in it."""
    folder = tmp_path_factory.mktemp("samples")
    write_samples(folder)
    return folder


@pytest.fixture(scope="session")
def documents() -> list[Document]:
    """Every sample report before it is a Word file."""
    return compose_samples()
