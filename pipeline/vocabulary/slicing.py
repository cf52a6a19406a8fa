"""From a base to the sliced base: which tokens, all the files, the proof; made once, then found again."""

import json
import logging
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pipeline.errors import UserError
from pipeline.progress import Progress, silent
from pipeline.records import Base, Language, digest, short
from pipeline.settings import Vocabulary
from pipeline.storage import Workspace, write_json
from pipeline.vocabulary.checkpoint import slice_weights
from pipeline.vocabulary.choice import Choice, choose
from pipeline.vocabulary.configuration import CONFIGURATIONS, is_tied, write_sliced_configuration
from pipeline.vocabulary.logits import prove_model
from pipeline.vocabulary.proof import PROOF, Proof, load_proof, write_proof
from pipeline.vocabulary.reading import Encoders, prove_round_trips, prove_texts
from pipeline.vocabulary.texts import Texts, read_kept_texts
from pipeline.vocabulary.tokenizer import ADDED, TOKENIZER, TOKENIZER_CONFIG, SourceTokenizer, write_sliced_tokenizer
from pipeline.vocabulary.weights import prove_weights

ID_MAP = "id_map.json"  # a list: the old id of each new id
CODE = 2  # raise it when what is written changes

# Other spellings of the vocabulary, by the old ids: tokenizer.json alone is enough for every reader.
_LEFT_OUT = {"vocab.json", "merges.txt", "manifest.json", ID_MAP, PROOF}
_WRITTEN_ANEW = {TOKENIZER, TOKENIZER_CONFIG, ADDED, *CONFIGURATIONS}
_MORE_TEMPLATES = "additional_chat_templates"  # a folder, as transformers names it

log = logging.getLogger(__name__)


def slice_base(
    base: Base,
    texts: Mapping[Language, Sequence[str]],
    workspace: Workspace,
    settings: Vocabulary,
    progress: Progress = silent,
    sources: Mapping[Language, Sequence[str]] | None = None,
) -> Base:
    """The base cut to what an office writes, by script or by usage; made once, then found again.

    What it is depends on the base, the settings, and which tokens are kept. By script, texts wholly in the
    kept scripts bring no further token, so that new reports lead to the same sliced base, and adapters remain
    comparable. By usage, a report that uses a token for the first time leads to another base. The proof is
    brought up to date with the texts at hand. Whether to slice at all (`settings.slice`) is the caller's
    question.

    Args:
        texts: by language, the office's texts; the proof compares them all.
        sources: of each text, what it was taken from (a report's id): by usage, growth is measured on whole
            sources that were not counted; None: each text is a source.

    Raises:
        UserError: not a byte-level BPE vocabulary, an unknown script, weights of an unknown kind, no room, or
            texts to keep (`settings.kept_texts`) that cannot be read.
        FatalError: the result does not read as the base does (a bug; nothing is kept of it).
    """
    tokenizer = SourceTokenizer(Path(base.path))
    at_hand = Texts(texts, sources, read_kept_texts(settings.kept_texts))
    choice = choose(tokenizer, at_hand, settings)
    made_of = {"base": base.id, **choice.made_of, "code": CODE}
    fingerprint = digest(made_of)
    key = f"{base.name.replace('/', '--')}-sliced-{short(fingerprint)}"
    with workspace.lock(f"base-{key}"):
        if not workspace.has("bases", key):
            id_map, rows = tokenizer.padded(choice.tokens, settings.pad_rows_to)
            note = {"base": {"name": f"{base.name}-{rows}", "rows": rows}, "source": made_of}
            with workspace.build("bases", key, note) as folder:
                _make(base, tokenizer, choice, (id_map, rows), at_hand, folder, progress)
            log.info("sliced base %s: %d rows of %d", key, rows, base.rows)
        made = workspace.manifest("bases", key)["base"]
        path = str(workspace.open("bases", key))
        sliced = Base(name=made["name"], fingerprint=fingerprint, rows=made["rows"], sliced_from=base.id, path=path)
        _bring_up_to_date(base, sliced, choice, at_hand, progress)
    return sliced


def _bring_up_to_date(base: Base, sliced: Base, choice: Choice, texts: Texts, progress: Progress) -> None:
    """Try the texts at hand where the proof tells of others: new reports may lead to a base that was there."""
    proof, folder = load_proof(sliced), Path(sliced.path)
    if proof.texts != texts.digest:
        id_map = json.loads((folder / ID_MAP).read_text("utf-8"))
        encoders = Encoders(Path(base.path), folder, id_map)
        write_proof(proof.model_copy(update=prove_texts(encoders, texts, choice, progress)), folder)


def _make(
    base: Base,
    tokenizer: SourceTokenizer,
    choice: Choice,
    cut: tuple[list[int], int],
    texts: Texts,
    folder: Path,
    progress: Progress,
) -> None:
    """Write the sliced base into `folder`: tokenizer, configuration, weights, and at last the proof.

    Args:
        cut: the old id of each new id, and the number of rows.
    """
    source, (id_map, rows) = Path(base.path), cut
    if max(tokenizer.by_id) >= base.rows:
        raise UserError("the tokenizer has more tokens than the model has rows", where=source, fix="mend the model")
    new_ids = {old: new for new, old in enumerate(id_map)}
    write_sliced_tokenizer(tokenizer, new_ids, folder)
    write_sliced_configuration(source, folder, new_ids, base.rows, rows)
    _copy_the_rest(source, folder)
    write_json(folder / ID_MAP, id_map)

    old_of_each = _old_rows(tokenizer, id_map, base.rows, rows)
    weights = slice_weights(source, folder, old_of_each, base.rows, tied=is_tied(source), progress=progress)
    encoders = Encoders(source, folder, id_map)
    written: dict[str, Any] = {
        **prove_texts(encoders, texts, choice, progress),
        **prove_round_trips(encoders, list(tokenizer.added), progress),
        "weights": prove_weights(source, folder, old_of_each, base.rows, progress),
    }
    logits, greedy = prove_model(source, folder, id_map, texts.reports, progress) or (None, None)
    proof = Proof(
        base=f"{base.name}-{rows}",
        sliced_from=base.name,
        method="usage" if choice.usage else "script",
        rows_before=base.rows,
        rows_after=rows,
        tokens_kept=len(id_map),
        bytes_saved=weights.before - weights.after,
        share_saved=round(1 - weights.after / weights.before, 4),
        **written,
        logits=logits,
        greedy=greedy,
    )
    write_proof(proof, folder)


def _copy_the_rest(source: Path, folder: Path) -> None:
    """What names no token by its id: templates, licence, processors of images."""
    for file in sorted(source.iterdir()):
        told = file.suffix in (".json", ".jinja") or file.name.startswith(("LICENSE", "NOTICE"))
        told = told and not file.name.endswith(".index.json")  # of weights; ours is written with them
        if file.is_file() and told and file.name not in _LEFT_OUT | _WRITTEN_ANEW:
            shutil.copyfile(file, folder / file.name)
    if (source / _MORE_TEMPLATES).is_dir():
        shutil.copytree(source / _MORE_TEMPLATES, folder / _MORE_TEMPLATES)


def _old_rows(tokenizer: SourceTokenizer, id_map: Sequence[int], old_rows: int, rows: int) -> list[int | None]:
    """The old row of each new row. Only where every token is kept can rows be left over: those take the base's own
    unused rows, then zeros (None).
    """
    spare = sorted(set(range(old_rows)) - tokenizer.by_id.keys())
    used = [*id_map, *spare][:rows]
    return [*used, *[None] * (rows - len(used))]
