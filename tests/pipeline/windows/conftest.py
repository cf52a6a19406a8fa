"""A tokenizer of a few hundred byte-level tokens."""

import pytest

from pipeline.bases.tokens import Tokens
from tests.tiny_llama import write_tokenizer


@pytest.fixture(scope="session")
def tokens(tmp_path_factory: pytest.TempPathFactory) -> Tokens:
    folder = tmp_path_factory.mktemp("tokenizer")
    write_tokenizer(folder)
    return Tokens(folder)
