"""config.json and generation_config.json of a sliced base: as before, with the new rows and ids."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pipeline.errors import UserError
from pipeline.storage import write_json
from pipeline.vocabulary.documents import read_document

CONFIGURATIONS = ("config.json", "generation_config.json")
_IDS = ("_token_id", "_token_ids", "_token_index")  # the last: of images and sounds
_ALSO_IDS = {"suppress_tokens", "begin_suppress_tokens", "bad_words_ids"}


def write_sliced_configuration(
    source: Path, folder: Path, new_ids: Mapping[int, int], old_rows: int, new_rows: int
) -> None:
    """Rewrite both files, nested parts (a model's `text_config`) included.

    Raises:
        UserError: an id is named that no token has.
    """
    for name in CONFIGURATIONS:
        file = source / name
        if file.is_file():
            payload = read_document(file)
            try:
                write_json(folder / name, _renumber(payload, new_ids, old_rows, new_rows))
            except KeyError as error:
                raise UserError(
                    f"names the token id {error}, which the tokenizer does not have",
                    where=file,
                    fix="mend the file",
                ) from error


def _renumber(payload: Any, new_ids: Mapping[int, int], old_rows: int, new_rows: int) -> Any:
    if not isinstance(payload, dict):
        return payload
    renumbered = {}
    for name, value in payload.items():
        if name.endswith(_IDS) or name in _ALSO_IDS:
            value = _new(value, new_ids)
        elif name == "vocab_size" and value == old_rows:
            value = new_rows
        else:
            value = _renumber(value, new_ids, old_rows, new_rows)
        renumbered[name] = value
    return renumbered


def _new(ids: Any, new_ids: Mapping[int, int]) -> Any:
    """New ids for one id, or lists of them (of them). A negative id means that there is none."""
    if isinstance(ids, list):
        return [_new(one, new_ids) for one in ids]
    return new_ids[ids] if isinstance(ids, int) and ids >= 0 else ids


def is_tied(folder: Path) -> bool:
    """Can the head be the embedding? Where config.json is silent, the family's default may say so."""
    config = read_document(folder / "config.json")
    text = config.get("text_config")
    nested = text.get("tie_word_embeddings", True) if isinstance(text, dict) else True
    return bool(config.get("tie_word_embeddings", nested))
