"""What a proof says of a sliced base, and where it lies: beside the base, as proof.json."""

from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict

from pipeline.errors import FatalError
from pipeline.records import Base, Language
from pipeline.storage import read_json, write_json

PROOF = "proof.json"


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class LanguageProof(_Value):
    """Texts of one language, encoded by both tokenizers.

    `differing` of the `pieces` are encoded otherwise, the share `identical` is not; `with_dropped` of them
    hold a token that is not kept.
    """

    pieces: int
    differing: int
    identical: float
    with_dropped: int
    tokens: int
    tokens_after: int


class RoundTrip(_Value):
    """Text that need not be encoded alike: what it costs, and whether it comes back as from the base."""

    texts: int
    characters: int
    tokens_before: int
    tokens_after: int
    same: bool


class WeightsProof(_Value):
    """Files read again: `rows` of the matrices with a row a token, and `tensors` that are as they were."""

    rows: int
    tensors: int
    compared_bytes: int


class LogitsProof(_Value):
    """Logits of both models at the kept tokens, on the same texts, in the checkpoint's own number type.

    `equal`: to the bit, where both are computed by products of the same shape. `largest_difference`: between
    what the models give by themselves, where a product over fewer rows may be summed in another order.
    """

    dtype: str
    positions: int
    tokens: int
    equal: bool
    largest_difference: float


class GreedyProof(_Value):
    """Text written by both models, always the likeliest token: `same` of the base's `tokens`, up to the first other.

    `dropped`: that first other is a token that the sliced base does not have; else it was a close call, or none.
    """

    tokens: int
    same: int
    dropped: bool


class Proof(_Value):
    """What slicing changed, and what it did not, tried on the texts whose digest is `texts`.

    `growth`: by usage, by what share a language's tokens grow on unseen text. `kept_texts`: None if there
    are none. `logits`, `greedy`: None for over 1 GB, or where torch is missing.
    """

    base: str
    sliced_from: str
    method: Literal["script", "usage"]
    rows_before: int
    rows_after: int
    tokens_kept: int
    bytes_saved: int
    share_saved: float
    texts: str
    languages: dict[Language, LanguageProof]
    kept_texts: LanguageProof | None
    growth: dict[Language, float]
    other_scripts: dict[str, RoundTrip]
    unicode: RoundTrip
    random: RoundTrip
    weights: WeightsProof
    logits: LogitsProof | None
    greedy: dict[Language, GreedyProof] | None
    path: str = ""


def load_proof(base: Base) -> Proof:
    """The proof of a sliced base, with the path where the base lies now.

    Raises:
        FatalError: the base has none (it is not a sliced one).
    """
    file = Path(base.path) / PROOF
    if not file.is_file():
        raise FatalError("this base has no proof: it was not sliced here", where=base.path)
    said = read_json(file, fix="delete its folder, and run: memoria slice")
    return Proof.model_validate(said).model_copy(update={"path": base.path})


def write_proof(proof: Proof, folder: Path) -> None:
    """Write it as the file that `load_proof` reads; the path is left out, for the folder may move."""
    write_json(folder / PROOF, proof.model_dump(mode="json", exclude={"path"}))
