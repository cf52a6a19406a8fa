"""Reading a byte-level BPE tokenizer, and writing it again with some of its tokens.

Everything that names a token by its id is rewritten: the vocabulary, added tokens, post-processor, padding.
What names tokens by their content (special tokens, chat template) stays as it is.
"""

import copy
import json
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from pipeline.errors import UserError
from pipeline.storage import write_json
from pipeline.vocabulary.documents import read_document
from pipeline.vocabulary.keep import Form, Merge, fill

if TYPE_CHECKING:
    from tokenizers import Tokenizer

TOKENIZER, TOKENIZER_CONFIG, ADDED = "tokenizer.json", "tokenizer_config.json", "added_tokens.json"
_OTHER_SPELLINGS = {"tokenizer.model": "SentencePiece", "*.tiktoken": "tiktoken", "vocab.txt": "WordPiece"}
_ANOTHER_BASE = "set vocabulary.slice = false, or choose another base (such as Qwen3 or SmolLM2)"


class SourceTokenizer:
    """A base's tokenizer, as its file says it."""

    def __init__(self, folder: Path) -> None:
        """Read it.

        Raises:
            UserError: it is not there, broken, not byte-level BPE, or normalises text in a way that we cannot follow.
        """
        self.file = folder / TOKENIZER
        if not self.file.is_file():
            others = [kind for pattern, kind in _OTHER_SPELLINGS.items() if any(folder.glob(pattern))]
            what = f"no {TOKENIZER}" + (f", only {others[0]}'s own file" if others else "")
            raise UserError(what, where=folder, fix="choose a model folder that has one")
        self.document = read_document(self.file)
        try:
            self._refuse_other_kinds()
            self.form = self._form()
            model = self.document["model"]
            self.vocabulary: dict[str, int] = {**model["vocab"]}
            self.merges: list[Merge] = [_pair(merge) for merge in model["merges"]]
            self.added: dict[str, int] = {a["content"]: a["id"] for a in self.document.get("added_tokens") or ()}
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise UserError("is no sound tokenizer", where=self.file, fix="fetch the model again") from error

    @cached_property
    def tokens(self) -> dict[str, int]:
        """Id of every token, added ones included."""
        return {**self.vocabulary, **self.added}

    @cached_property
    def by_id(self) -> dict[int, str]:
        """Token of every id, added ones included."""
        return {i: token for token, i in self.tokens.items()}

    @cached_property
    def always_kept(self) -> set[str]:
        """Tokens of the vocabulary that are no question of script: added ones, and the unknown one.

        Raises:
            UserError: another of the tokenizer's files adds a token that this one does not have.
        """
        unknown = self.document["model"].get("unk_token")
        added = self.added.keys() | ({unknown} if unknown else set())
        for name, ids in _ids_in_side_files(self.file.parent):
            if strange := sorted(ids - self.by_id.keys()):
                raise UserError(
                    f"names the token id {strange[0]}, which {TOKENIZER} does not have",
                    where=self.file.with_name(name),
                    fix="set vocabulary.slice = false, or mend the file",
                )
            added |= {self.by_id[i] for i in ids}
        return added & self.vocabulary.keys()

    def padded(self, kept: set[str], pad_rows_to: int) -> tuple[list[int], int]:
        """Old ids of the tokens to keep, in order, filled up to a round number of rows; and that number."""
        number = len(kept | self.added.keys())
        rows = -(-number // pad_rows_to) * pad_rows_to
        filled = fill(kept, self.vocabulary, self.merges, rows - number) | self.added.keys()
        return sorted({self.tokens[token] for token in filled}), rows

    def _refuse_other_kinds(self) -> None:
        model = self.document["model"]
        # The oldest files do not name the kind.
        kind = model.get("type") or ("BPE" if "merges" in model else "of no known kind")
        stages = {stage.get("type") for stage in _stages(self.document.get("pre_tokenizer"))}
        affixes = model.get("continuing_subword_prefix"), model.get("end_of_word_suffix")
        byte_level = "ByteLevel" in stages and not model.get("byte_fallback") and not any(affixes)
        if kind != "BPE" or not byte_level:
            kind = "BPE, but not of bytes" if kind == "BPE" else kind
            raise UserError(
                f"only a byte-level BPE vocabulary can be sliced; this one is {kind}",
                where=self.file,
                fix=_ANOTHER_BASE,
            )

    def _form(self) -> Form | None:
        kinds = [stage.get("type") for stage in _stages(self.document.get("normalizer"))]
        kinds = [kind for kind in kinds if kind != "Sequence"]
        if len(kinds) > 1 or any(kind not in get_args(Form) for kind in kinds):
            raise UserError(
                f"text is changed before it is encoded ({', '.join(map(str, kinds))})",
                where=self.file,
                fix="set vocabulary.slice = false, or choose another base",
            )
        return kinds[0] if kinds else None


def sliced_document(source: SourceTokenizer, new_ids: Mapping[int, int]) -> dict[str, Any]:
    """What tokenizer.json says with the tokens in `new_ids` (old id -> new id) only, by their new ids.

    Raises:
        UserError: the file names an id that no token has.
    """
    model = dict(source.document["model"])
    model["vocab"] = {token: new_ids[old] for token, old in source.vocabulary.items() if old in new_ids}
    model["merges"] = [list(merge) for merge in source.merges if _kept(merge, model["vocab"])]
    rest = copy.deepcopy({name: part for name, part in source.document.items() if name != "model"})
    try:
        for added in rest.get("added_tokens") or ():
            added["id"] = new_ids[added["id"]]
        if rest.get("padding"):
            rest["padding"]["pad_id"] = new_ids[rest["padding"]["pad_id"]]
        for stage in _stages(rest.get("post_processor")):
            _renumber_stage(stage, new_ids)
    except KeyError as error:
        raise UserError(f"names the token id {error}, which is no token's", where=source.file, fix="mend it") from error
    return {**rest, "model": model}


def write_sliced_tokenizer(source: SourceTokenizer, new_ids: Mapping[int, int], folder: Path) -> None:
    """Write the tokenizer's files with the tokens in `new_ids` (old id -> new id) only, by their new ids.

    Raises:
        UserError: a file is broken, or names an id that no token has.
    """
    write_json(folder / TOKENIZER, sliced_document(source, new_ids))
    for name in (TOKENIZER_CONFIG, ADDED):
        file = source.file.with_name(name)
        if file.is_file():
            write_json(folder / name, _renumber_side_file(read_document(file), new_ids))


def load_encoder(folder: Path) -> "Tokenizer":
    """The tokenizer of a folder, to encode whole texts with."""
    from tokenizers import Tokenizer

    return _for_whole_texts(Tokenizer.from_file(str(folder / TOKENIZER)))


def encoder_of(document: Mapping[str, Any]) -> "Tokenizer":
    """The same from what its file would say."""
    from tokenizers import Tokenizer

    return _for_whole_texts(Tokenizer.from_str(json.dumps(document)))


def encode_all(encoder: "Tokenizer", texts: Iterable[str]) -> Iterator[list[int]]:
    """Ids of each text, special tokens apart; some texts at a time, so that memory does not grow with their number."""
    for batch in batches(texts):
        for encoding in encoder.encode_batch_fast(batch, add_special_tokens=False):
            yield encoding.ids


def batches(texts: Iterable[str], most_texts: int = 1024, most_characters: int = 1 << 19) -> Iterator[list[str]]:
    """The texts in their order, as many together as have `most_characters`, one at least."""
    batch: list[str] = []
    characters = 0
    for text in texts:
        if batch and (len(batch) == most_texts or characters + len(text) > most_characters):
            yield batch
            batch, characters = [], 0
        batch.append(text)
        characters += len(text)
    if batch:
        yield batch


def _for_whole_texts(encoder: "Tokenizer") -> "Tokenizer":
    encoder.no_truncation()
    encoder.no_padding()
    return encoder


def _pair(merge: str | list[str]) -> Merge:
    # Older files write "a b"; a byte-level token never holds a space.
    first, second = merge.split(" ") if isinstance(merge, str) else merge
    return first, second


def _kept(merge: Merge, vocabulary: Mapping[str, int]) -> bool:
    first, second = merge
    return first in vocabulary and second in vocabulary and first + second in vocabulary


def _stages(stage: dict[str, Any] | None) -> Iterator[dict[str, Any]]:
    """A normaliser, pre-tokeniser or post-processor, and all that it is made of."""
    if stage:
        yield stage
        for name in ("normalizers", "pretokenizers", "processors"):
            for inner in stage.get(name, ()):
                yield from _stages(inner)


def _renumber_stage(stage: dict[str, Any], new_ids: Mapping[int, int]) -> None:
    if stage.get("type") == "TemplateProcessing":
        for special in stage.get("special_tokens", {}).values():
            special["ids"] = [new_ids[old] for old in special["ids"]]
    for name in ("sep", "cls"):  # BertProcessing, RobertaProcessing: [content, id]
        if name in stage:
            content, old = stage[name]
            stage[name] = [content, new_ids[old]]


def _ids_in_side_files(folder: Path) -> Iterator[tuple[str, set[int]]]:
    """Ids that tokenizer_config.json and added_tokens.json name, for each of them that is there."""
    for name in (TOKENIZER_CONFIG, ADDED):
        file = folder / name
        if file.is_file():
            payload = read_document(file)
            decoder = payload.get("added_tokens_decoder")
            if isinstance(decoder, dict):
                yield name, {int(old) for old in decoder}
            elif _is_map_of_ids(payload):
                yield name, set(payload.values())


def _renumber_side_file(payload: dict[str, Any], new_ids: Mapping[int, int]) -> dict[str, Any]:
    """`added_tokens_decoder` of tokenizer_config.json ({id: token}), or added_tokens.json ({content: id})."""
    decoder = payload.get("added_tokens_decoder")
    if isinstance(decoder, dict):
        return {**payload, "added_tokens_decoder": {str(new_ids[int(old)]): token for old, token in decoder.items()}}
    if _is_map_of_ids(payload):
        return {content: new_ids[old] for content, old in payload.items()}
    return payload


def _is_map_of_ids(payload: dict[str, Any]) -> bool:
    return bool(payload) and all(isinstance(old, int) and not isinstance(old, bool) for old in payload.values())
