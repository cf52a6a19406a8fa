"""The house itself: its walls, its tree, its command, and what an import costs."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest
from pydantic import BaseModel

from pipeline.settings import Settings
from tests.house_tree import BEGIN, END, ROOMS, ROOT, tree

HEAVY = {
    "torch",
    "transformers",
    "peft",
    "gradio",
    "prefect",
    "openai",
    "lingua",
    "matplotlib",
    "lxml",
    "docx",
    "uvicorn",
}
VERBS = {
    "ingest", "outline", "window", "plan", "slice", "train", "evaluate", "adapters", "serve", "app", "demo", "doctor",
    "flows",
}  # fmt: skip
PYTHON_FILES = [path for room in ROOMS for path in sorted((ROOT / room).rglob("*.py"))]


def test_walls_between_rooms_hold():
    done = subprocess.run([Path(sys.executable).with_name("lint-imports")], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_readme_shows_the_tree_that_is_on_disk(request):
    readme = (ROOT / "README.md").read_text("utf-8")
    shown = readme[readme.index(BEGIN) : readme.index(END) + len(END)]
    if request.config.getoption("--regenerate-golden"):
        (ROOT / "README.md").write_text(readme.replace(shown, tree()), "utf-8")
    else:
        assert shown == tree(), "run: pytest tests/test_house.py --regenerate-golden"


def test_the_top_of_the_house_is_fixed():
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split(
        "\n"
    )
    top = {line.split("/")[0] for line in tracked if line and not line.startswith(".")}
    assert top <= {*ROOMS, "tests", "deploy", "pyproject.toml", "README.md", "Makefile", "LICENSE", "constraints.txt"}


@pytest.mark.parametrize("module", ["pipeline", "pipeline.records", "copilot", "copilot.cli", "flows"])
def test_importing_the_core_stays_light(module):
    probe = f"import sys, {module}; print(' '.join(m for m in {sorted(HEAVY)} if m in sys.modules))"
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_the_command_has_its_verbs():
    done = subprocess.run([sys.executable, "-m", "copilot.cli", "--help"], capture_output=True, text=True, check=True)
    assert set(re.findall(r"^\W+([a-z]+)\s", done.stdout, re.M)) >= VERBS


def test_readme_names_every_verb():
    readme = (ROOT / "README.md").read_text("utf-8")
    assert [verb for verb in sorted(VERBS) if f"memoria {verb}" not in readme] == []


def _settings(branch: type[BaseModel], path: str = "") -> list[tuple[str, str | None]]:
    found: list[tuple[str, str | None]] = []
    for name, field in branch.model_fields.items():
        kind = field.annotation
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            found += _settings(kind, f"{path}{name}.")
        else:
            found.append((f"{path}{name}", field.description))
    return found


def test_every_setting_is_described():
    assert [name for name, description in _settings(Settings) if not description] == []


@pytest.mark.parametrize("file", PYTHON_FILES, ids=lambda file: str(file.relative_to(ROOT)))
def test_every_module_says_what_it_is(file):
    source = file.read_text("utf-8")
    assert not source.strip() or ast.get_docstring(ast.parse(source)), "no docstring"
    assert len(source.splitlines()) <= 300 or file.parent.name == "text", "longer than one room should be"
