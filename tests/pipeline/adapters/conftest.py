"""Adapters whose files are a few bytes: the registry looks at their digest only."""

import hashlib
from collections.abc import Callable

import pytest

from pipeline.records import Adapter
from pipeline.storage import Workspace


@pytest.fixture
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    return Workspace(tmp_path_factory.mktemp("workspace"))


@pytest.fixture
def make_adapter(workspace: Workspace) -> Callable[..., Adapter]:
    def make(name: str, base: str = "base-1") -> Adapter:
        folder = workspace.path("adapters", name, "adapter_config.json").parent
        (folder / "adapter_config.json").write_text("{}")
        (folder / "adapter_model.safetensors").write_bytes(name.encode())
        return Adapter(
            base=base,
            base_path="/bases/1",
            examples=f"examples of {name}",
            windows={},
            settings="settings",
            run="run",
            weights_sha256=hashlib.sha256(name.encode()).hexdigest(),
            path=str(folder),
            created="2026-11-30T00:00:00+00:00",
        )

    return make
