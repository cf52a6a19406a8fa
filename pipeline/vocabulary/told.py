"""A proof told to a person: one table, a line for each thing that was tried."""

from typing import TYPE_CHECKING

from pipeline.vocabulary.proof import LanguageProof, Proof, RoundTrip

if TYPE_CHECKING:
    from rich.table import Table

_LANGUAGES = {
    "ca": "Catalan", "de": "German", "en": "English", "es": "Spanish", "eu": "Basque", "fr": "French",
    "gl": "Galician", "it": "Italian", "pt": "Portuguese", "und": "language not known",
}  # fmt: skip


def table(proof: Proof) -> "Table":
    """The proof as a table of rich, with what was saved as its title."""
    from rich.table import Table

    shown = Table(title=saved(proof), title_justify="left")
    for heading in ("tried on", "how much", "found"):
        shown.add_column(heading)
    for name, language in proof.languages.items():
        growth = f"; unseen text: {proof.growth[name]:+.2%} tokens" if name in proof.growth else ""
        shown.add_row(f"reports: {_LANGUAGES.get(name, name)}", _pieces(language), _alike(language) + growth)
    if proof.kept_texts:
        shown.add_row("texts to keep", _pieces(proof.kept_texts), _alike(proof.kept_texts))
    shown.add_section()
    shown.add_row("all of Unicode", f"{proof.unicode.characters:,} characters", _back(proof.unicode))
    shown.add_row("random strings", f"{proof.random.texts:,} strings", _back(proof.random))
    for name, trip in sorted(proof.other_scripts.items(), key=lambda item: _times(item[1])):
        shown.add_row(f"a sentence: {name}", f"{trip.tokens_before:,} tokens", _back(trip))
    shown.add_section()
    weights = proof.weights
    shown.add_row(
        "weights", f"{weights.tensors:,} tensors, {weights.rows:,} rows of tokens", "the base's, byte by byte"
    )
    _add_model(shown, proof)
    return shown


def saved(proof: Proof) -> str:
    """What slicing saved, in one line."""
    return (
        f"{proof.sliced_from}, cut by {proof.method}: {proof.rows_before:,} -> {proof.rows_after:,} rows, "
        f"{proof.bytes_saved / 1e6:,.1f} MB less ({proof.share_saved:.1%} of the model)"
    )


def _add_model(shown: "Table", proof: Proof) -> None:
    if proof.logits is None or proof.greedy is None:
        shown.add_row("logits, written text", "not tried", "only for models of up to 1 GB, where torch is installed")
        return
    logits = proof.logits
    found = "equal to the bit" if logits.equal else "equal within rounding"
    if logits.largest_difference:
        found += f"; summed in another order, within {logits.largest_difference:.2g}"
    shown.add_row("logits", f"{logits.positions:,} x {logits.tokens:,} in {logits.dtype}", found)
    tokens, same = (sum(getattr(g, name) for g in proof.greedy.values()) for name in ("tokens", "same"))
    written = "the same" if same == tokens else f"{same:,} the same, up to the first other in each language"
    if dropped := sum(greedy.dropped for greedy in proof.greedy.values()):
        written += f"; in {dropped} the base takes a token that is not kept"
    shown.add_row("written text", f"{tokens:,} tokens in {', '.join(proof.greedy)}", written)


def _pieces(language: LanguageProof) -> str:
    return f"{language.pieces:,} pieces, {language.tokens:,} tokens"


def _alike(language: LanguageProof) -> str:
    if not language.differing:
        return "read alike, every one"
    return f"{language.identical:.2%} read alike, {language.differing:,} otherwise"


def _back(trip: RoundTrip) -> str:
    return f"comes back; {_times(trip):.2f} times the tokens"


def _times(trip: RoundTrip) -> float:
    return trip.tokens_after / trip.tokens_before if trip.tokens_before else 1.0
