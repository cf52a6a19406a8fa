"""Scores of written sections: what each one is of, and how it is computed.

    Written + Example ──> Judged ── Score.of ──> (numerator, weight) of one section ──> sums, intervals: statistics.py

    likeness.py   chrF++                                  rouge.py      ROUGE-L
    length.py     length ratio and match                  repeated.py   distinct 4-grams, loops
    stopped.py    came to an end by itself                language.py   in the language asked for
    structure.py  tables and lists where they are due     style.py      how the office writes
    copied.py     passages and facts of other projects    faithful.py   claims with a source, facts that are owed

    similarity.py in meaning, where a model is given
    judge.py      two contenders, pair by pair, as a language model (endpoint.py) sees them

Nothing here knows how a text was written: what a person wrote can be judged as well.
"""

from pipeline.evaluation.scores.copied import copied_words, foreign_facts
from pipeline.evaluation.scores.faithful import facts_used, unsupported
from pipeline.evaluation.scores.language import language_kept
from pipeline.evaluation.scores.length import length_match, length_ratio
from pipeline.evaluation.scores.likeness import chrf_plus_plus
from pipeline.evaluation.scores.repeated import distinct_grams, in_loops
from pipeline.evaluation.scores.rouge import rouge_l
from pipeline.evaluation.scores.score import Better, Context, Judged, Part, Score
from pipeline.evaluation.scores.similarity import similarity
from pipeline.evaluation.scores.stopped import stop_rate
from pipeline.evaluation.scores.structure import structure_kept
from pipeline.evaluation.scores.style import style_delta

__all__ = ["Better", "Context", "Judged", "Part", "Score", "section_scores"]


def section_scores(context: Context) -> tuple[Score, ...]:
    """All scores, in the order in which a reader wants them."""
    return (
        unsupported(),
        facts_used(),
        chrf_plus_plus(),
        rouge_l(),
        length_ratio(),
        length_match(),
        distinct_grams(),
        in_loops(),
        stop_rate(),
        language_kept(context),
        structure_kept(),
        style_delta(context),
        copied_words(context),
        foreign_facts(context),
        *([similarity(context.embedding)] if context.embedding else []),
    )
