"""Random byte-level BPE vocabularies, small enough that every rule about them can be tried."""

from hypothesis import strategies as st
from tokenizers import Tokenizer, decoders, models, pre_tokenizers

from pipeline.vocabulary.keep import byte_of

# Of 1, 2, 3 and 4 bytes each; the two faces have their first three bytes in common.
KEPT, OTHER = "aé€😀", "γ漢😁"


def spell(text: str | bytes) -> str:
    letters = {byte: letter for letter, byte in byte_of().items()}
    return "".join(letters[b] for b in (text.encode() if isinstance(text, str) else text))


def bpe(vocabulary: dict[str, int], merges: list[tuple[str, str]], whole: bool) -> Tokenizer:
    tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=merges, ignore_merges=whole))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    tokenizer.decoder = decoders.ByteLevel()
    return tokenizer


@st.composite
def vocabularies(draw: st.DrawFn) -> tuple[dict[str, int], list[tuple[str, str]]]:
    """Merges of neighbours that real text could hold, some across the border of characters, in any order."""
    words = draw(st.lists(st.text(KEPT + OTHER, min_size=2, max_size=5), min_size=1, max_size=6))
    vocabulary = {letter: i for i, letter in enumerate(byte_of())}
    merges: list[tuple[str, str]] = []
    for word in words:
        parts = list(spell(word))
        while len(parts) > 1 and draw(st.integers(0, 9)):
            at = draw(st.integers(0, len(parts) - 2))
            pair = parts[at], parts[at + 1]
            parts[at : at + 2] = ["".join(pair)]
            if pair not in merges:
                merges.append(pair)
                vocabulary.setdefault("".join(pair), len(vocabulary))
    return vocabulary, merges
