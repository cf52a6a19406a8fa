"""Settings: which source beats which, and what is said of a wrong one."""

import pickle
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from pipeline.errors import UserError
from pipeline.records import digest
from pipeline.settings import Settings, load_settings


def toml(text: str) -> None:
    Path("memoria.toml").write_text(text, "utf-8")


def test_code_is_beaten_by_profile_by_file_by_environment_by_flag(monkeypatch: pytest.MonkeyPatch) -> None:
    profile: dict[str, Any] = {"training": {"rank": 2, "alpha": 2, "seed": 2}, "model": "profile"}

    def now(**said: Any) -> tuple[object, ...]:
        settings = load_settings(profile, **said)
        training = settings.training
        return training.rank, training.alpha, training.seed, training.epochs, settings.model

    code = load_settings()
    assert (code.training.rank, code.training.alpha, code.training.seed, code.model) == (16, 16, 0, None)
    assert now() == (2, 2, 2, 1, "profile")
    toml('model = "file"\n[training]\nrank = 3\nalpha = 3')
    assert now() == (3, 3, 2, 1, "file")
    monkeypatch.setenv("MEMORIA_TRAINING__RANK", "4")
    monkeypatch.setenv("MEMORIA_MODEL", "environment")
    assert now() == (4, 3, 2, 1, "environment")
    assert now(model="flag", workspace=None) == (4, 3, 2, 1, "flag")
    assert now(training={"rank": 5}) == (5, 3, 2, 1, "environment")


def test_a_value_that_equals_the_default_still_beats_the_profile() -> None:
    toml("[training]\nrank = 16")
    assert load_settings({"training": {"rank": 2}}).training.rank == 16


def test_the_types_of_a_profile_are_those_of_the_settings() -> None:
    settings = load_settings({"workspace": "w", "vocabulary": {"scripts": ["Greek"]}})
    assert (settings.workspace, settings.vocabulary.scripts) == (Path("w"), ("Greek",))


@pytest.mark.parametrize(
    ("file", "variables", "profile", "said"),
    [
        ("[training]\nrnk = 3", {}, {}, "training.rnk: no such setting"),
        ("[trainig]\nrank = 3", {}, {}, "trainig: no such setting"),
        ("[training]\nrank = 0", {}, {}, "training.rank: Input should be greater than 0"),
        ('[training]\nrank = "many"', {}, {}, "training.rank: Input should be a valid integer"),
        ("[corpus]\nheld_out_share = 1.0", {}, {}, "corpus.held_out_share: Input should be less than 1"),
        (
            "[windows]\nhalf_life_sections = nan",
            {},
            {},
            "windows.half_life_sections: Input should be a finite number",
        ),
        ("", {"MEMORIA_TRAINING__RNK": "3"}, {}, "training.rnk (MEMORIA_TRAINING__RNK): no such setting"),
        (
            "",
            {"MEMORIA_TRAINING__RANK": "-1"},
            {},
            "training.rank (MEMORIA_TRAINING__RANK): Input should be greater",
        ),
        ("", {"MEMORIA_TRAINIG__RANK": "3"}, {}, "environment: no such setting: MEMORIA_TRAINIG__RANK"),
        (
            "",
            {"MEMORIA_TRAINING": "3,4"},
            {},
            "environment (MEMORIA_...): cannot be read: error parsing value for fie",
        ),
        ("", {}, {"training": {"rnk": 3}}, "training.rnk: no such setting"),
        ("", {}, {"training": {"rank": 0}}, "training.rank: Input should be greater than 0"),
    ],
)
def test_a_wrong_setting_is_one_line_that_names_it(
    file: str, variables: dict[str, str], profile: dict[str, Any], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    toml(file)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(UserError) as caught:
        load_settings(profile)
    assert said in caught.value.line


def test_all_faults_are_told_at_once_with_the_file() -> None:
    toml("[training]\nrank = 0\n[windows]\nbudget_tokens = -1\ntypo = 1")
    with pytest.raises(UserError) as caught:
        load_settings()
    line = caught.value.line
    assert line.startswith(str(Path("memoria.toml").resolve()))
    assert all(name in line for name in ("training.rank", "windows.budget_tokens", "windows.typo"))


@pytest.mark.parametrize("broken", [b"[training\nrank = 1", b"rank = \xff\xfe", b"rank = 1\nrank = 2"])
def test_broken_toml_is_one_line_that_names_the_file(broken: bytes) -> None:
    Path("memoria.toml").write_bytes(broken)
    with pytest.raises(UserError, match="cannot be read: .* Mend the file") as caught:
        load_settings()
    assert caught.value.where == Path("memoria.toml").resolve()


def test_an_empty_variable_is_one_that_is_not_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMORIA_WORKSPACE", "")
    monkeypatch.setenv("MEMORIA_TRAINING__RANK", "")
    settings = load_settings()
    assert (settings.workspace, settings.training.rank) == (Path("workspace"), 16)


def test_variables_that_others_set_are_let_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMORIA_CACHE", "/c")
    monkeypatch.setenv("MEMORIA_PORT_7860_TCP", "tcp://10.0.0.1:7860")
    assert load_settings() == Settings()


def test_settings_are_frozen_and_can_be_sent_to_another_process() -> None:
    settings = load_settings({"training": {"rank": 2}})
    assert pickle.loads(pickle.dumps(settings)) == settings
    with pytest.raises(ValueError, match="frozen"):
        settings.training.rank = 3  # type: ignore[misc]


def test_a_default_that_is_said_aloud_is_the_same_value() -> None:
    # Runs and artifacts are named by the JSON of their settings, where 6 and 6.0 are not the same.
    said = Settings.model_validate_json(Settings().model_dump_json())
    for branch in ("reports", "windows", "corpus", "training", "evaluation"):
        assert digest(getattr(said, branch).model_dump()) == digest(getattr(Settings(), branch).model_dump())


def test_every_setting_says_what_it_is() -> None:
    def undescribed(branch: type[BaseModel], path: str = "") -> list[str]:
        found = []
        for name, field in branch.model_fields.items():
            if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
                found += undescribed(field.annotation, f"{path}{name}.")
            elif not field.description:
                found.append(f"{path}{name}")
        return found

    assert undescribed(Settings) == []
