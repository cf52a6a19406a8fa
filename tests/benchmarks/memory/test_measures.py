"""What the memory ladder makes of simulated peaks, by hand."""

from tests.benchmarks.memory.ladder import GIB, GOALS, LENGTHS, goals_of, longest_tokens
from tests.benchmarks.memory.tables import printed


def test_the_longest_lies_on_the_line_between_two_lengths():
    peaks = {1000: 100, 2000: 200, 4000: 800}
    assert longest_tokens(peaks, 150) == 1500
    assert longest_tokens(peaks, 200) == 2000
    assert longest_tokens(peaks, 500) == 3000


def test_the_last_line_goes_on_beyond_its_end():
    assert longest_tokens({1000: 100, 2000: 200, 4000: 800}, 1400) == 6000


def test_what_is_shorter_than_the_first_length_is_not_guessed():
    assert longest_tokens({1000: 600, 2000: 700}, 599) is None
    assert longest_tokens({1000: 600, 2000: 700}, 600) == 1000


def rows(peak_gib: float) -> list[dict]:
    parts = {"components": {"head": GIB}, "at_peak": {"layer.py:f: bfloat16 [1]": GIB}}
    return [
        {"technique": name, "tokens": tokens, "static_bytes": GIB, "peak_bytes": peak * GIB, "host_bytes": 0, **parts}
        for name, peak in (("first", 100), ("last", peak_gib))
        for tokens in LENGTHS
    ]


def test_goals_are_held_against_the_last_technique_with_a_gib_to_spare():
    assert [goal.met for goal in goals_of(rows(7.0))] == [True, True, True]
    assert [goal.met for goal in goals_of(rows(7.1))] == [False, True, True]
    assert [(goal.card_gib, goal.tokens) for goal in goals_of(rows(7.0))] == list(GOALS.items())


def test_tables_say_what_was_missed():
    found = rows(12)
    text = printed(
        found,
        {"first": {8: None, 12: None, 16: None, 24: 5}, "last": dict.fromkeys((8, 12, 16, 24), 9)},
        goals_of(found),
    )
    assert text.count("**missed**") == 2 and text.count("| met |") == 1
    assert "| first | under 4,096 | under 4,096 | under 4,096 | 5 |" in text
