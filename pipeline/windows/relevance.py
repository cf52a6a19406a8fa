"""Which pieces of text are about what is to be written: BM25 over their words."""

from collections.abc import Sequence


def relevance(sections: Sequence[Sequence[Sequence[str]]], wanted: Sequence[str]) -> list[list[float]]:
    """BM25 (Robertson and Zaragoza 2009; as in bm25s) of every piece for the `wanted` words.

    Args:
        sections: the words of every piece of every section.

    Returns:
        A value in [0, 1] for every piece, in proportion to its BM25: the best piece has 1, or all have 0.
    """
    pieces = [words for section in sections for words in section]
    scores = iter(_scores(pieces, wanted))
    return [[next(scores) for _ in section] for section in sections]


def _scores(pieces: Sequence[Sequence[str]], wanted: Sequence[str]) -> list[float]:
    vocabulary: dict[str, int] = {}
    ids = [[vocabulary.setdefault(word, len(vocabulary)) for word in words] for words in pieces]
    asked = sorted({vocabulary[word] for word in wanted if word in vocabulary})
    if not asked:
        return [0.0] * len(pieces)
    from bm25s import BM25
    from bm25s.tokenization import Tokenized

    index = BM25()
    index.index(Tokenized(ids=ids, vocab=vocabulary), show_progress=False)
    scores = index.get_scores_from_ids(asked)
    best = float(scores.max())
    return [float(score) / best for score in scores] if best > 0 else [0.0] * len(pieces)
