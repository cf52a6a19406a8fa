"""A tiny base and the examples of small reports, made once; and the settings of a run of a few seconds."""

from pathlib import Path

import pytest
import torch

from pipeline.corpus import build_examples
from pipeline.records import Base
from pipeline.settings import Corpus, Training, Windows
from pipeline.storage import Workspace
from tests.small_reports import small_reports
from tests.tiny_llama import write_base


@pytest.fixture(autouse=True, scope="session")
def one_thread() -> None:
    torch.set_num_threads(1)  # tensors are so small that threads would only wait for each other


@pytest.fixture(scope="session")
def base(tmp_path_factory: pytest.TempPathFactory) -> Base:
    return write_base(tmp_path_factory.mktemp("base"))


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace(tmp_path / "workspace")


def make_examples(base: Base, workspace: Workspace) -> str:
    """9 examples to train on and 9 to watch, in three languages; returns their key."""
    corpus = Corpus(shortest_target_tokens=4)
    return build_examples(small_reports(), base, Windows(budget_tokens=60), corpus, workspace)


SETTINGS = Training(
    rank=4,
    alpha=8,
    learning_rate=0.02,
    epochs=2,
    gradient_accumulation=2,
    checkpoint_every_steps=2,
    warmup_share=0.2,
)  # 18 examples in 9 steps
