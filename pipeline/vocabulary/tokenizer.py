"""Reading a byte-level BPE tokenizer, and writing it again with some of its tokens.

Everything that names a token by its id is rewritten: the vocabulary, added tokens, post-processor, padding.
What names tokens by their content (special tokens, chat template) stays as it is.
"""

import json
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from pipeline.errors import UserError
from pipeline.storage import write_json
from pipeline.vocabulary.keep import Form, Merge

if TYPE_CHECKING:
    from tokenizers import Tokenizer

TOKENIZER, TOKENIZER_CONFIG, ADDED = "tokenizer.json", "tokenizer_config.json", "added_tokens.json"


class SourceTokenizer:
    """A base's tokenizer, as its file says it."""

    def __init__(self, folder: Path) -> None:
        """Read it.

        Raises:
            UserError: it is not there, not byte-level BPE, or normalises text in a way that we cannot follow.
        """
        self.file = folder / TOKENIZER
        if not self.file.is_file():
            raise UserError(f"no {TOKENIZER}", where=folder, fix="choose a model folder that has one")
        self.document: dict[str, Any] = json.loads(self.file.read_text("utf-8"))
        self._refuse_other_kinds()
        model = self.document["model"]
        self.vocabulary: dict[str, int] = model["vocab"]
        self.merges: list[Merge] = [_pair(merge) for merge in model["merges"]]
        self.added: dict[str, int] = {a["content"]: a["id"] for a in self.document.get("added_tokens") or ()}
        self.form = self._form()

    @cached_property
    def tokens(self) -> dict[str, int]:
        """Id of every token, added ones included."""
        return {**self.vocabulary, **self.added}

    @cached_property
    def always_kept(self) -> set[str]:
        """Tokens of the vocabulary that are no question of script: added ones, and the unknown one."""
        unknown = self.document["model"].get("unk_token")
        return (self.added.keys() | ({unknown} if unknown else set())) & self.vocabulary.keys()

    def _refuse_other_kinds(self) -> None:
        model = self.document.get("model") or {}
        kind = model.get("type", "unknown")
        stages = {stage.get("type") for stage in _stages(self.document.get("pre_tokenizer"))}
        affixes = model.get("continuing_subword_prefix"), model.get("end_of_word_suffix")
        byte_level = "ByteLevel" in stages and not model.get("byte_fallback") and not any(affixes)
        if kind != "BPE" or not byte_level:
            kind = "BPE, but not of bytes" if kind == "BPE" else kind
            raise UserError(
                f"only a byte-level BPE vocabulary can be sliced; this one is {kind}",
                where=self.file,
                fix="set vocabulary.slice = false, or choose another base (such as Qwen3 or SmolLM2)",
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


def write_sliced_tokenizer(source: SourceTokenizer, new_ids: Mapping[int, int], folder: Path) -> None:
    """Write the tokenizer's files with the tokens in `new_ids` (old id -> new id) only, by their new ids."""
    document = json.loads(json.dumps(source.document))
    model = document["model"]
    model["vocab"] = {token: new_ids[old] for token, old in source.vocabulary.items() if old in new_ids}
    model["merges"] = [list(merge) for merge in source.merges if _kept(merge, model["vocab"])]
    for added in document.get("added_tokens") or ():
        added["id"] = new_ids[added["id"]]
    if document.get("padding"):
        document["padding"]["pad_id"] = new_ids[document["padding"]["pad_id"]]
    for stage in _stages(document.get("post_processor")):
        _renumber_stage(stage, new_ids)
    write_json(folder / TOKENIZER, document)

    for name in (TOKENIZER_CONFIG, ADDED):
        file = source.file.with_name(name)
        if file.is_file():
            write_json(folder / name, _renumber_side_file(json.loads(file.read_text("utf-8")), new_ids))


def load_encoder(folder: Path) -> "Tokenizer":
    """The tokenizer of a folder, to encode whole texts with."""
    from tokenizers import Tokenizer

    encoder = Tokenizer.from_file(str(folder / TOKENIZER))
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


def _renumber_side_file(payload: dict[str, Any], new_ids: Mapping[int, int]) -> dict[str, Any]:
    """`added_tokens_decoder` of tokenizer_config.json ({id: token}), or added_tokens.json ({content: id})."""
    decoder = payload.get("added_tokens_decoder")
    if isinstance(decoder, dict):
        kept = {str(new_ids[int(old)]): token for old, token in decoder.items() if int(old) in new_ids}
        return {**payload, "added_tokens_decoder": kept}
    if payload and all(isinstance(old, int) and not isinstance(old, bool) for old in payload.values()):
        return {content: new_ids[old] for content, old in payload.items() if old in new_ids}
    return payload
