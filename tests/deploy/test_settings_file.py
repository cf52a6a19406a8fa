"""deploy/memoria.toml lists every setting with its default; it is written from the code, never by hand.

After a change of pipeline/settings:  pytest tests/deploy/test_settings_file.py --regenerate-golden
"""

import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import pytest
from pydantic import BaseModel

from pipeline.settings import Settings, load_settings

FILE = Path(__file__).parents[2] / "deploy" / "memoria.toml"
HEAD = """\
# Every setting of Memoria with its default. Copy this file to the folder you work in, and take the # off what
# you change. The environment beats the file (MEMORIA_TRAINING__RANK=32), and a flag beats both.
"""


def as_toml(settings: Settings) -> str:
    """The tree as TOML, each value behind a # under its description; None is no value at all."""
    return HEAD + "".join(_lines_of(settings))


def _lines_of(branch: BaseModel, table: str = "") -> Iterator[str]:
    deeper: list[tuple[str, BaseModel]] = []
    for name, field in type(branch).model_fields.items():
        value = getattr(branch, name)
        if isinstance(value, BaseModel):
            deeper.append((f"{table}.{name}".lstrip("."), value))
            continue
        yield f"\n# {field.description}{_choices(field.annotation)}\n"
        yield f"#{name} = {'' if value is None else _value(value)}".rstrip() + "\n"
    for name, below in deeper:
        yield f"\n\n# {(type(below).__doc__ or '').strip()}\n[{name}]\n"
        yield from _lines_of(below, name)


def _choices(annotation: Any) -> str:
    return f" (one of: {', '.join(get_args(annotation))})" if get_origin(annotation) is Literal else ""


def _value(value: Any) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:_}" if value > 9_999 else str(value)
    return json.dumps(str(value) if isinstance(value, Path) else value, ensure_ascii=False)


def uncommented(text: str) -> str:
    """The file with the # taken off every setting that has a value."""
    return re.sub(r"^#([a-z_]+ = .)", r"\1", text, flags=re.MULTILINE)


def test_the_file_is_what_the_code_says(request: pytest.FixtureRequest) -> None:
    text = as_toml(Settings())
    if request.config.getoption("--regenerate-golden"):
        FILE.write_text(text, "utf-8")
    assert FILE.read_text("utf-8") == text


def test_the_file_as_it_is_changes_nothing() -> None:
    tables = tomllib.loads(FILE.read_text("utf-8"))
    assert tables and not any(tables.values())


def test_the_file_with_every_setting_taken_in_is_the_defaults() -> None:
    text = uncommented(FILE.read_text("utf-8"))
    Path("memoria.toml").write_text(text, "utf-8")
    assert load_settings() == Settings.model_construct() == Settings()
    told = tomllib.loads(text)
    assert all(told[name] for name, field in Settings.model_fields.items() if isinstance(field.default, BaseModel))


def test_every_setting_is_in_the_file() -> None:
    text = FILE.read_text("utf-8")
    assert len(re.findall(r"^#[a-z_]+ =", text, re.MULTILINE)) == _count(Settings)


def _count(branch: type[BaseModel]) -> int:
    fields = [field.annotation for field in branch.model_fields.values()]
    below = [f for f in fields if isinstance(f, type) and issubclass(f, BaseModel)]
    return len(fields) - len(below) + sum(map(_count, below))
