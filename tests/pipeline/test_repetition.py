"""Repetition: loops anywhere in a text are found, and soundness is let be."""

from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.repetition import distinct_share, loop_share, loops


def test_repetition_by_hand() -> None:
    assert distinct_share([1, 2, 3, 4, 5, 6]) == 1 and distinct_share([1, 2, 3]) == 1
    assert distinct_share([1, 2, 3, 4, 1, 2, 3, 4]) == 4 / 5  # the first and the last 4-gram are one


@given(head=st.lists(st.integers(0, 9), max_size=20), piece=st.lists(st.integers(0, 9), min_size=1, max_size=12))
def test_a_text_that_ends_in_one_piece_over_and_over_loops(head: list[int], piece: list[int]) -> None:
    assert loops([*head, *piece * 24])


@given(st.permutations(range(64)))
def test_a_text_of_ever_new_words_does_not_loop(tokens: list[int]) -> None:
    assert not loops(tokens) and not loops(tokens[:8] * 3)


def test_short_repetition_is_no_loop() -> None:
    assert not loops([1, 2, 3, *[7] * 23]) and loops([1, 2, 3, *[7] * 24])  # a rule of dashes in a table
    assert not loops([])


PIECES = st.lists(st.integers(0, 3), min_size=1, max_size=6)


def stretches(tokens: Sequence[int]) -> set[int]:
    """Places in a loop, by trying every period, beginning and end."""
    found: set[int] = set()
    for period in range(1, len(tokens) // 4 + 1):
        for start in range(len(tokens)):
            for end in range(start + period * max(4, -(-24 // period)), len(tokens) + 1):
                if all(tokens[i] == tokens[i - period] for i in range(start + period, end)):
                    found.update(range(start, end))
    return found


@settings(max_examples=50)
@given(st.lists(st.tuples(PIECES, st.integers(1, 30)), max_size=3))
def test_the_share_in_loops_is_that_of_all_places_that_stand_in_one(pieces: list[tuple[list[int], int]]) -> None:
    tokens = [token for piece, times in pieces for token in piece * times][:44]
    assert loop_share(tokens) == len(stretches(tokens)) / max(len(tokens), 1)
    assert not loops(tokens) or len(tokens) - 1 in stretches(tokens)


def test_a_loop_in_the_middle_counts_for_its_length() -> None:
    words = ["one", "two", "three", *["and", "so", "on"] * 8, "four", "five", "six"]
    assert not loops(words) and loop_share(words) == 24 / 30
    assert loop_share([]) == 0 and loop_share(words[:20]) == 0
