"""One typed tree of settings: code < memoria.toml < environment (MEMORIA_TRAINING__RANK=32) < a flag.

The branches stand in branches.py. Functions of the product take their own branch of the tree, never the whole of it.
"""

import os
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    SettingsError,
    TomlConfigSettingsSource,
)

from pipeline.errors import UserError
from pipeline.settings.branches import (
    App,
    Branch,
    Corpus,
    Evaluation,
    Kept,
    Reports,
    Serve,
    Training,
    Vocabulary,
    Windows,
)

__all__ = [
    "SETTINGS_FILE",
    "App",
    "Branch",
    "Corpus",
    "Evaluation",
    "Kept",
    "Reports",
    "Serve",
    "Settings",
    "Training",
    "Vocabulary",
    "Windows",
    "load_settings",
]

SETTINGS_FILE = "memoria.toml"
_PREFIX = "MEMORIA_"
_SEE = "see deploy/memoria.toml for every setting"


class Settings(BaseSettings):
    """The whole tree. `Settings()` reads ./memoria.toml if there is one, then the environment."""

    model_config = SettingsConfigDict(
        env_prefix=_PREFIX,
        env_nested_delimiter="__",
        env_ignore_empty=True,  # compose files pass on what is not set as an empty variable
        toml_file=SETTINGS_FILE,
        frozen=True,
        extra="forbid",
    )

    workspace: Path = Field(Path("workspace"), description="the folder that holds all that the product makes")
    model: str | None = Field(
        None,
        description="base model: a Hugging Face id or a folder; by default Qwen/Qwen3-8B on a card, smollm2 without",
    )
    reports: Reports = Reports()
    windows: Windows = Windows()
    corpus: Corpus = Corpus()
    vocabulary: Vocabulary = Vocabulary()
    training: Training = Training()
    evaluation: Evaluation = Evaluation()
    serve: Serve = Serve()
    app: App = App()

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        return init_settings, env_settings, TomlConfigSettingsSource(settings_cls)


def load_settings(defaults: dict[str, Any] | None = None, **said: Any) -> Settings:
    """The settings in force. `defaults` replace the code's own (a profile); `said` (by a flag) beats everything.

    Raises:
        UserError: a setting is unknown or out of range; all faults at once.
    """
    _refuse_unknown_variables()
    file = Path(SETTINGS_FILE).absolute()
    if os.path.lexists(file) and not file.is_file():  # a mount of what is not there makes a folder of it
        raise UserError("is no file", where=file, fix="mend it, or move it away")
    try:
        settings = Settings(**{name: value for name, value in said.items() if value is not None})
        return Settings(**_over(defaults or {}, settings.model_dump(exclude_unset=True))) if defaults else settings
    except ValidationError as error:
        raise UserError(
            "settings are wrong: " + "; ".join(_fault(e["loc"], e["type"], e["msg"]) for e in error.errors()),
            where=_settings_origin(),
            fix=_SEE,
        ) from error
    except SettingsError as error:  # a whole branch in one variable, and not as JSON
        raise UserError(
            f"cannot be read: {error}",
            where=f"environment ({_PREFIX}...)",
            fix="write groups and lists as JSON",
        ) from error
    except ValueError as error:  # broken TOML
        raise UserError(f"cannot be read: {error}", where=file, fix="mend the file") from error
    except OSError as error:
        raise UserError(f"cannot be read: {error.strerror}", where=file, fix="mend the file") from error


def _over(below: dict[str, Any], above: dict[str, Any]) -> dict[str, Any]:
    """One tree of values laid over another."""
    merged = dict(below)
    for name, value in above.items():
        deeper = isinstance(value, dict) and isinstance(below.get(name), dict)
        merged[name] = _over(below[name], value) if deeper else value
    return merged


def _refuse_unknown_variables() -> None:
    # pydantic-settings overlooks a variable of a branch that there is not: a typo would pass in silence. Names without
    # a double underscore are let be: a cluster sets some of its own (MEMORIA_PORT_7860_TCP).
    branches = {f"{_PREFIX}{name}".upper() for name in Settings.model_fields}
    unknown = [v for v in sorted(os.environ) if v.upper().startswith(_PREFIX) and "__" in v]
    unknown = [v for v in unknown if v.upper().split("__")[0] not in branches]
    if unknown:
        raise UserError(f"no such setting: {', '.join(unknown)}", where="environment", fix=_SEE)


def _fault(path: tuple[int | str, ...], kind: str, message: str) -> str:
    variable = _PREFIX + "__".join(map(str, path)).upper()
    told = f" ({variable})" if variable in map(str.upper, os.environ) else ""
    return f"{'.'.join(map(str, path))}{told}: {'no such setting' if kind == 'extra_forbidden' else message}"


def _settings_origin() -> str | None:
    file = Path(SETTINGS_FILE).resolve()
    if file.exists():
        return str(file)
    by_environment = any(name.upper().startswith(_PREFIX) for name in os.environ)
    return f"environment ({_PREFIX}...)" if by_environment else None  # None: a flag, which the fault names
