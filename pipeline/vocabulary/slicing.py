"""From a base to the sliced base: which tokens, all the files, the proof; made once, then found again."""

import json
import logging
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from pipeline.errors import UserError
from pipeline.progress import Progress, silent
from pipeline.records import Base, Language, digest, short
from pipeline.settings import Vocabulary
from pipeline.storage import Workspace, write_json
from pipeline.vocabulary.checkpoint import INDEX, slice_weights
from pipeline.vocabulary.configuration import CONFIGURATIONS, write_sliced_configuration
from pipeline.vocabulary.keep import Alphabet, by_script, close, fill, kept_characters, spelled
from pipeline.vocabulary.proof import (
    PROOF,
    Encoders,
    Proof,
    prove_logits,
    prove_reading,
    write_proof,
)
from pipeline.vocabulary.tokenizer import (
    ADDED,
    TOKENIZER,
    TOKENIZER_CONFIG,
    SourceTokenizer,
    load_encoder,
    write_sliced_tokenizer,
)

ID_MAP = "id_map.json"  # a list: the old id of each new id
CODE = 1  # raise it when what is written changes

# Other spellings of the vocabulary, by the old ids: tokenizer.json alone is enough for every reader.
_LEFT_OUT = {"vocab.json", "merges.txt", "manifest.json", ID_MAP, PROOF}
_WRITTEN_ANEW = {TOKENIZER, TOKENIZER_CONFIG, ADDED, *CONFIGURATIONS}

log = logging.getLogger(__name__)


def slice_base(
    base: Base,
    texts: Mapping[Language, Sequence[str]],
    workspace: Workspace,
    settings: Vocabulary,
    progress: Progress = silent,
) -> Base:
    """The base cut to `settings.scripts`, and to what `texts` use beyond them; made once, then found again.

    What it is depends on the base, the settings, and the tokens that only the texts bring: texts wholly in
    the kept scripts bring none, so that new reports lead to the same sliced base, and adapters remain
    comparable. Whether to slice at all (`settings.slice`) is the caller's question.

    Args:
        texts: by language, texts that must be encoded exactly as before; the proof compares them all.

    Raises:
        UserError: not a byte-level BPE vocabulary, an unknown script, weights of an unknown kind, or no room.
        FatalError: the result does not read as the base does (a bug; nothing is kept of it).
    """
    tokenizer = SourceTokenizer(Path(base.path))
    characters = _characters(tokenizer, settings)
    kept = by_script(tokenizer.vocabulary, Alphabet(characters)) | tokenizer.always_kept
    extra = _brought_by(texts, characters, tokenizer, base) - kept
    made_of = {
        "base": base.id,
        "settings": settings.model_dump(mode="json", exclude={"slice"}),
        "extra_tokens": sorted(extra),
        "code": CODE,
    }
    fingerprint = digest(made_of)
    key = f"{base.name.replace('/', '--')}-sliced-{short(fingerprint)}"
    with workspace.lock(f"base-{key}"):
        if not workspace.has("bases", key):
            id_map, rows = _padded(close(kept | extra, tokenizer.merges), tokenizer, settings.pad_rows_to)
            note = {"base": {"name": f"{base.name}-{rows}", "rows": rows}, "source": made_of}
            with workspace.build("bases", key, note) as folder:
                _make(base, tokenizer, id_map, rows, texts, folder, progress)
            log.info("sliced base %s: %d rows of %d", key, rows, base.rows)
    made = workspace.manifest("bases", key)["base"]
    path = str(workspace.open("bases", key))
    return Base(name=made["name"], fingerprint=fingerprint, rows=made["rows"], sliced_from=base.id, path=path)


def _characters(tokenizer: SourceTokenizer, settings: Vocabulary) -> frozenset[str]:
    wanted = kept_characters(settings.scripts, settings.extra_characters, tokenizer.form)
    characters = spelled(wanted, tokenizer.vocabulary)
    if characters != wanted and tokenizer.form:
        # Normalising could lead from the characters that have all their bytes to one that has not.
        raise UserError(
            "the tokenizer lacks bytes of characters that are to be kept",
            where=tokenizer.file,
            fix="set vocabulary.slice = false, or choose another base",
        )
    return characters


def _brought_by(
    texts: Mapping[Language, Sequence[str]],
    characters: frozenset[str],
    tokenizer: SourceTokenizer,
    base: Base,
) -> set[str]:
    """Tokens of the texts that hold a character beyond the kept ones; no other text brings a new token."""
    foreign = [text for pieces in texts.values() for text in pieces if not characters.issuperset(text)]
    if not foreign:
        return set()
    encoded = load_encoder(Path(base.path)).encode_batch(foreign, add_special_tokens=False)
    return {token for encoding in encoded for token in encoding.tokens} & tokenizer.vocabulary.keys()


def _padded(kept: set[str], tokenizer: SourceTokenizer, pad_rows_to: int) -> tuple[list[int], int]:
    """Old ids of the tokens to keep, in order, filled up to a round number of rows; and that number."""
    number = len(kept | tokenizer.added.keys())
    rows = -(-number // pad_rows_to) * pad_rows_to
    filled = fill(kept, tokenizer.vocabulary, tokenizer.merges, rows - number) | tokenizer.added.keys()
    return sorted({tokenizer.tokens[token] for token in filled}), rows


def _make(
    base: Base,
    tokenizer: SourceTokenizer,
    id_map: list[int],
    rows: int,
    texts: Mapping[Language, Sequence[str]],
    folder: Path,
    progress: Progress,
) -> None:
    """Write the sliced base into `folder`: tokenizer, configuration, weights, and at last the proof."""
    source = Path(base.path)
    if max(tokenizer.tokens.values()) >= base.rows:
        raise UserError("the tokenizer has more tokens than the model has rows", where=source, fix="mend the model")
    new_ids = {old: new for new, old in enumerate(id_map)}
    write_sliced_tokenizer(tokenizer, new_ids, folder)
    write_sliced_configuration(source, folder, new_ids, base.rows, rows)
    for file in sorted(source.iterdir()):
        told = file.suffix in (".json", ".jinja") or file.name.startswith(("LICENSE", "NOTICE"))
        if file.is_file() and told and file.name not in _LEFT_OUT | _WRITTEN_ANEW | {INDEX}:
            shutil.copyfile(file, folder / file.name)
    write_json(folder / ID_MAP, id_map)

    # Only where every token is kept can rows be left over: those take the base's own unused rows, then zeros.
    spare = sorted(set(range(base.rows)) - set(tokenizer.tokens.values()))
    used = [*id_map, *spare][:rows]
    sources = [*used, *[None] * (rows - len(used))]
    weights = slice_weights(source, folder, sources, base.rows, tied=_tied(source), progress=progress)

    proof = Proof(
        base=f"{base.name}-{rows}",
        sliced_from=base.name,
        rows_before=base.rows,
        rows_after=rows,
        tokens_kept=len(id_map),
        bytes_saved=weights.before - weights.after,
        share_saved=round(1 - weights.after / weights.before, 4),
        **prove_reading(Encoders(source, folder, id_map), texts, progress),
        logits=prove_logits(source, folder, id_map, texts),
    )
    write_proof(proof, folder)


def _tied(folder: Path) -> bool:
    """Can the head be the embedding? Where config.json is silent, the family's default may say so."""
    return bool(json.loads((folder / "config.json").read_text("utf-8")).get("tie_word_embeddings", True))
