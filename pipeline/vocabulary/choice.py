"""Which tokens a sliced base keeps, and from what that follows: the name of the sliced base hangs on it.

| method | kept                                                | another base is made when                         |
|--------|-----------------------------------------------------|---------------------------------------------------|
| script | all that texts in the kept scripts can hold, and    | texts bring a token beyond the scripts that none   |
|        | what the texts at hand use beyond them              | had brought                                       |
| usage  | what the texts at hand use, digits and punctuation  | texts use a token that none had used (often enough) |
"""

from dataclasses import dataclass
from typing import Any

from pipeline.errors import UserError
from pipeline.records import digest
from pipeline.settings import Vocabulary
from pipeline.vocabulary.characters import script_characters
from pipeline.vocabulary.keep import Alphabet, by_script, close, spelled
from pipeline.vocabulary.texts import Texts
from pipeline.vocabulary.tokenizer import SourceTokenizer, encode_all, load_encoder
from pipeline.vocabulary.usage import Usage


@dataclass(frozen=True)
class Choice:
    """Tokens of the vocabulary to keep, closed under merges; what they follow from; and the usage, if from that."""

    tokens: set[str]
    made_of: dict[str, Any]
    usage: Usage | None = None


def choose(tokenizer: SourceTokenizer, texts: Texts, settings: Vocabulary) -> Choice:
    """The tokens to keep by the method that the settings name.

    Raises:
        UserError: an unknown script, or one that the vocabulary cannot spell; by usage, no texts.
    """
    if settings.method == "usage":
        if not any(texts):
            raise UserError(
                "no texts to choose tokens by", where="vocabulary.method", fix="run: memoria ingest PATH..."
            )
        usage = Usage(tokenizer, texts, settings)
        tokens = usage.tokens()
        said = settings.model_dump(mode="json", include={"method", "usage_floor", "extra_characters", "pad_rows_to"})
        return Choice(tokens, {"settings": said, "tokens": digest(sorted(tokens))}, usage)
    characters = _characters(tokenizer, settings)
    kept = by_script(tokenizer.vocabulary, Alphabet(characters)) | tokenizer.always_kept
    extra = _brought_by(texts, characters, tokenizer) - kept
    said = settings.model_dump(mode="json", exclude={"slice", "usage_floor", "kept_texts"})
    return Choice(close(kept | extra, tokenizer.merges), {"settings": said, "extra_tokens": sorted(extra)})


def _characters(tokenizer: SourceTokenizer, settings: Vocabulary) -> frozenset[str]:
    wanted = script_characters(settings, tokenizer.form)
    characters = spelled(wanted, tokenizer.vocabulary)
    if characters != wanted and tokenizer.form:
        # Normalising could lead from the characters that have all their bytes to one that has not.
        raise UserError(
            "the tokenizer lacks bytes of characters that are to be kept",
            where=tokenizer.file,
            fix="set vocabulary.slice = false, or choose another base",
        )
    return characters


def _brought_by(texts: Texts, characters: frozenset[str], tokenizer: SourceTokenizer) -> set[str]:
    """Tokens of the texts that hold a character beyond the kept ones; no other text brings a new token."""
    foreign = [text for text in texts if not characters.issuperset(text)]
    if not foreign:
        return set()
    encoded = encode_all(load_encoder(tokenizer.file.parent), foreign)
    return {tokenizer.by_id[i] for ids in encoded for i in ids} & tokenizer.vocabulary.keys()
