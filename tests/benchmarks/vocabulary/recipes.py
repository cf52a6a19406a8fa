"""Vocabularies cut by others' recipes, done anew.

vocabtrimmer 0.0.2 (MIT) keeps the tokens that a corpus uses at least twice, and the special ones. It takes models with
a masked or an encoder-decoder head only; and as it leaves all merges, BPE would not load ("out of vocabulary"). Here
merges go with their tokens, the least that makes its choice run at all.

vocabslim 0.1.4 (Apache-2.0) lets transformers train a new tokenizer of the wanted size on a corpus, and gives a token
that the base lacks the mean of the rows of those that the base reads it as. Here that one call of transformers is made.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.vocabulary.keep import byte_of
from pipeline.vocabulary.tokenizer import SourceTokenizer, write_sliced_tokenizer
from tests.benchmarks.vocabulary.readings import Pair, encoded, encoder

if TYPE_CHECKING:
    from tokenizers import Tokenizer

LEAST_USES = 2  # vocabtrimmer's min_frequency


def counted(base: "Tokenizer", pieces: Sequence[str]) -> Counter[str]:
    """How often the base uses each token."""
    uses: Counter[int] = Counter()
    for ids in encoded(base, pieces):
        uses.update(ids)
    return Counter({str(base.id_to_token(i)): number for i, number in uses.items()})


def vocabtrimmer(uses: Mapping[str, int], *, single_bytes: bool) -> set[str]:
    """Its choice, special tokens apart; `single_bytes`: and all 256 single bytes, which byte-level BPE begins with."""
    kept = {token for token, number in uses.items() if number >= LEAST_USES}
    return kept | set(byte_of()) if single_bytes else kept


def cut(source: SourceTokenizer, kept: Iterable[str], folder: Path) -> Pair:
    """The base's tokenizer with these tokens and the added ones, and the merges that are left between them."""
    ids = sorted(source.tokens[token] for token in {*kept, *source.added} if token in source.tokens)
    folder.mkdir()
    write_sliced_tokenizer(source, {old: new for new, old in enumerate(ids)}, folder)
    return Pair(encoder(source.file.parent), encoder(folder), ids)


def vocabslim(source: SourceTokenizer, pieces: Sequence[str], number: int, folder: Path) -> Pair:
    """A new tokenizer with so many tokens, trained on the pieces."""
    from transformers import PreTrainedTokenizerFast

    base = PreTrainedTokenizerFast(tokenizer_file=str(source.file))
    trained = base.train_new_from_iterator(iter(pieces), vocab_size=number, show_progress=False)
    folder.mkdir()
    trained.backend_tokenizer.save(str(folder / "tokenizer.json"))
    return Pair.of(encoder(source.file.parent), encoder(folder))


def unknown(pair: Pair) -> int:
    """Tokens that the base does not have."""
    return sum(old is None for old in pair.base_ids)
