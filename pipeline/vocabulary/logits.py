"""Does the sliced model compute and write as the base does? Tried on both models, where they are small.

The body of both models is the same, and so is the row of each kept token in the head: the logits are the
same numbers, summed over the width. A kernel may sum a row in another order when the matrix has another
number of rows, and then differ in the last bits. So logits are compared twice: to the bit, as products of
one shape (the hidden states with the kept rows alone, laid out alike in memory); and as each model gives
them by itself, within the rounding of its number type.
"""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from pipeline.errors import FatalError, UserError
from pipeline.progress import Progress, silent
from pipeline.records import Language
from pipeline.vocabulary.proof import GreedyProof, LogitsProof
from pipeline.vocabulary.tokenizer import encode_all, load_encoder

SMALL_MODEL_BYTES = 1_000_000_000
GREEDY_TOKENS = 16

_MOST_LANGUAGES = 4
_PROMPT_TOKENS = 64
_PROMPT_CHARACTERS = 2_000
_MOST_ROUNDING = 0.02  # of the largest logit: several times what bfloat16 leaves, far less than another row would
_SENTENCES: dict[Language, str] = {
    "ca": "La memòria explica què s'ha fet i què en queda: 24 mesos, 12 tallers i 1.250 persones.",
    "es": "La memoria explica qué se ha hecho y qué falta: 24 meses, 12 talleres y 1.250 personas.",
    "en": "The report tells what was done, and what is left to do: 24 months, 12 workshops and 1,250 people.",
}


@dataclass(frozen=True)
class _Computed:
    """Of one model, on all prompts: logits [tokens, kept] in two ways, and written ids."""

    alike: list[Any]
    own: list[Any]
    written: list[list[int]]
    dtype: str


def prove_model(
    old_folder: Path,
    new_folder: Path,
    id_map: Sequence[int],
    texts: Mapping[Language, Sequence[str]],
    progress: Progress = silent,
) -> tuple[LogitsProof, dict[Language, GreedyProof]] | None:
    """Compare both models on the beginning of a text of each language (or of our own).

    None where torch is missing or the weights pass 1 GB: two such models are no small thing to load.

    Raises:
        UserError: transformers does not know such a model.
        FatalError: the logits differ by more than rounding.
    """
    weights_bytes = sum(file.stat().st_size for file in old_folder.glob("*.safetensors"))
    if weights_bytes > SMALL_MODEL_BYTES or find_spec("torch") is None or find_spec("transformers") is None:
        return None
    import torch

    prompts = _prompts(new_folder, texts)
    progress(0, 2, "the base's logits")
    old = _compute(old_folder, [[id_map[i] for i in ids] for ids in prompts.values()], id_map)
    progress(1, 2, "the sliced base's logits")
    new = _compute(new_folder, list(prompts.values()), range(len(id_map)))
    progress(2, 2, "logits")
    logits = LogitsProof(
        dtype=old.dtype,
        positions=sum(map(len, prompts.values())),
        tokens=len(id_map),
        equal=all(torch.equal(a, b) for a, b in zip(new.alike, old.alike, strict=True)),
        largest_difference=max(_difference(a, b) for a, b in zip(new.own, old.own, strict=True)),
    )
    if logits.largest_difference > _MOST_ROUNDING * max(float(a.abs().max()) for a in old.own):
        raise FatalError(f"the sliced model's logits differ by {logits.largest_difference:.3g}")
    written = zip(old.written, ([id_map[i] for i in ids] for ids in new.written), strict=True)
    greedy = {name: _greedy(*pair, set(id_map)) for name, pair in zip(prompts, written, strict=True)}
    return logits, greedy


def _prompts(new_folder: Path, texts: Mapping[Language, Sequence[str]]) -> dict[Language, list[int]]:
    """New ids of the beginning of a text of each language."""
    first = {name: next((piece for piece in pieces if piece.strip()), "") for name, pieces in texts.items()}
    shown = {name: text[:_PROMPT_CHARACTERS] for name, text in first.items() if text} or _SENTENCES
    shown = dict(list(shown.items())[:_MOST_LANGUAGES])
    encoded = encode_all(load_encoder(new_folder), shown.values())
    return {name: ids[:_PROMPT_TOKENS] for name, ids in zip(shown, encoded, strict=True) if ids}


def _compute(folder: Path, prompts: list[list[int]], kept: Sequence[int]) -> _Computed:
    """Logits of the `kept` ids, and text that follows, in the checkpoint's own number type."""
    import torch

    model = _load(folder)
    head, chosen = model.get_output_embeddings(), torch.tensor(kept)
    rows = head.weight.detach()[chosen]
    bias = head.bias.detach()[chosen] if getattr(head, "bias", None) is not None else None
    hidden: list[Any] = []
    head.register_forward_pre_hook(lambda _, given: hidden.append(given[0][0]))
    with torch.no_grad():
        own = [model(torch.tensor([ids])).logits[0][:, chosen] for ids in prompts]
        alike = [torch.nn.functional.linear(states, rows, bias) for states in hidden]
        written = [_write(model, ids) for ids in prompts]
    return _Computed(alike, own, written, str(own[0].dtype).removeprefix("torch."))


def _load(folder: Path) -> Any:
    from transformers import AutoModelForCausalLM
    from transformers.utils import logging as transformers_logging

    transformers_logging.disable_progress_bar()
    try:
        model: Any = AutoModelForCausalLM.from_pretrained(folder, dtype="auto", local_files_only=True).eval()
    except (ValueError, OSError, ImportError, KeyError) as error:
        raise UserError(f"transformers cannot load this model: {error}", where=folder, fix="choose another") from error
    for parameter in model.parameters():
        # Kernels may depend on where in memory a tensor begins, and in a mapped file it begins anywhere.
        parameter.data = parameter.data.clone()
    return model


def _write(model: Any, ids: list[int]) -> list[int]:
    import torch

    asked = torch.tensor([ids])
    settings = {"do_sample": False, "temperature": None, "top_p": None, "top_k": None, "max_new_tokens": GREEDY_TOKENS}
    return model.generate(asked, attention_mask=torch.ones_like(asked), **settings)[0, len(ids) :].tolist()


def _difference(new: Any, old: Any) -> float:
    return float((new.float() - old.float()).abs().max())


def _greedy(old: list[int], new: list[int], kept: Set[int]) -> GreedyProof:
    same = next((i for i, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    return GreedyProof(tokens=len(old), same=same, dropped=same < len(old) and old[same] not in kept)
