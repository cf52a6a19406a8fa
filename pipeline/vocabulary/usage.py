"""Which tokens an office's own texts use: a smaller vocabulary than by script, with a price on unseen text.

Kept are the tokens that the texts hold often enough, all 256 bytes, and the tokens of digits, punctuation
and white space, with the parts that all of these are merged from. A text whose tokens are all kept is
encoded as before (`keep` argues why); any other text comes back all the same, and takes more tokens.

How many more is measured: the sources are dealt into folds, and each fold is read with the tokens of the
other folds, so that every text is once a text that nothing was chosen by. The base itself is then cut by
all texts, for the more it has seen, the less it costs: the measured growth is an upper estimate.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache, cached_property
from typing import TYPE_CHECKING

from pipeline.records import Language
from pipeline.settings import Vocabulary
from pipeline.vocabulary.keep import Alphabet, by_script, close, normalised, spelled
from pipeline.vocabulary.texts import FOLDS, Texts
from pipeline.vocabulary.tokenizer import SourceTokenizer, encode_all, encoder_of, load_encoder, sliced_document

if TYPE_CHECKING:
    from tokenizers import Tokenizer


@cache
def plain_characters() -> frozenset[str]:
    """ASCII, Latin-1, general punctuation and currencies, without their letters."""
    return frozenset(c for c in map(chr, (*range(0x100), *range(0x2000, 0x2070), *range(0x20A0, 0x20D0)))
                     if not c.isalpha())  # fmt: skip


def by_usage(counts: Mapping[str, int], vocabulary: Iterable[str], floor: int) -> set[str]:
    """Tokens that are used at least `floor` times, all single bytes, and those of digits and punctuation.

    Args:
        counts: how often each token stands in the encoded texts; tokens beyond the vocabulary are passed over.

    Returns:
        Tokens of the vocabulary; not closed under merges yet (`keep.close`).
    """
    vocabulary = set(vocabulary)
    used = {token for token, count in counts.items() if count >= floor}
    return by_script(vocabulary, Alphabet(plain_characters())) | used & vocabulary


class Usage:
    """What texts use of a tokenizer, and what keeping no more than that costs on texts that were not counted."""

    def __init__(self, tokenizer: SourceTokenizer, texts: Texts, settings: Vocabulary) -> None:
        self._tokenizer, self._texts, self._settings = tokenizer, texts, settings

    def tokens(self, without: int | None = None) -> set[str]:
        """The tokens to keep, closed under merges; `without` one fold of the reports if it is to be unseen."""
        counts: Counter[str] = Counter()
        for fold, counted in enumerate(self._counted):
            if fold != without:
                counts.update(counted)
        used = by_usage(counts, self._tokenizer.vocabulary, self._settings.usage_floor)
        return close(used | self._always, self._tokenizer.merges)

    def growth(self, before: Mapping[Language, int]) -> dict[Language, float]:
        """By what share a language's tokens grow on unseen text; empty where all texts are of one source.

        Args:
            before: by language, how many tokens the base makes of all its texts.
        """
        folds = sorted({fold for each in self._texts.folds.values() for fold in each})
        if len(folds) < 2:
            return {}
        after: Counter[Language] = Counter()
        for fold in folds:
            id_map, _ = self._tokenizer.padded(self.tokens(without=fold), self._settings.pad_rows_to)
            new_ids = {old: new for new, old in enumerate(id_map)}
            unseen = encoder_of(sliced_document(self._tokenizer, new_ids))
            for language, pieces in self._in_fold(fold).items():
                after[language] += sum(map(len, encode_all(unseen, pieces)))
        return {name: round(after[name] / tokens - 1, 6) for name, tokens in before.items() if tokens}

    def _in_fold(self, fold: int) -> dict[Language, list[str]]:
        folds = self._texts.folds
        return {
            language: [piece for piece, its in zip(pieces, folds[language], strict=True) if its == fold]
            for language, pieces in self._texts.reports.items()
        }

    @cached_property
    def _always(self) -> set[str]:
        """Tokens of extra characters and of the texts to keep, whatever the reports use."""
        tokenizer = self._tokenizer
        wanted = normalised(plain_characters() | set(self._settings.extra_characters), tokenizer.form)
        kept = by_script(tokenizer.vocabulary, Alphabet(spelled(wanted, tokenizer.vocabulary)))
        of_texts = {tokenizer.by_id[i] for ids in encode_all(self._encoder, self._texts.kept) for i in ids}
        return kept | tokenizer.always_kept | of_texts & tokenizer.vocabulary.keys()

    @cached_property
    def _counted(self) -> list[Counter[str]]:
        """By fold, how often each token stands in its texts."""
        counted: list[Counter[int]] = [Counter() for _ in range(FOLDS)]
        for language, pieces in self._texts.reports.items():
            for ids, fold in zip(encode_all(self._encoder, pieces), self._texts.folds[language], strict=True):
                counted[fold].update(ids)
        by_id = self._tokenizer.by_id
        return [Counter({by_id[i]: count for i, count in each.items()}) for each in counted]

    @cached_property
    def _encoder(self) -> "Tokenizer":
        return load_encoder(self._tokenizer.file.parent)
