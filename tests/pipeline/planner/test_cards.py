"""The list of cards: facts that makers print, names as people type them, and a user's file laid over it."""

import re
from pathlib import Path

import pytest

from pipeline.card import Card
from pipeline.errors import UserError
from pipeline.planner.cards import PACKAGED, ListedCard, find_card, read_cards, recognise

MINE = """\
["Home made"]
memory_mib = 8_192
bandwidth_gb_per_s = 100
power_watts = 50
compute_capability = "7.5"
source = "measured at home"
"""


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the user's file would be."""
    monkeypatch.chdir(tmp_path)
    return tmp_path / "cards.toml"


@pytest.fixture
def cards(own: Path) -> tuple[ListedCard, ...]:
    return read_cards()


@pytest.mark.parametrize(
    ("name", "gib", "bandwidth", "tflops", "watts"),
    [
        ("RTX 4090", 24, 1008, 165.2, 450),
        ("RTX 5090", 32, 1792, 209.5, 575),
        ("A100 80GB", 80, 2039, 312, 400),
        ("H100 SXM", 80, 3350, 989, 700),
    ],
)
def test_figures_of_whitepapers(cards, name, gib, bandwidth, tflops, watts):
    found = find_card(name, cards)
    assert found.total_bytes / 2**30 == pytest.approx(gib, rel=0.01)
    assert found.bandwidth_bytes_per_second == bandwidth * 1e9
    assert found.flops_per_second == tflops * 1e12
    assert found.power_watts == watts


def test_rates_that_are_worked_out_follow_from_the_maker_s(cards):
    shares = {"8.6": 4, "8.9": 8, "12.0": 16}  # of sparse float16, FP8 and FP4, as whitepapers have it for the largest
    worked_out = 0
    for found in cards:
        said = re.search(r"(?:worked out|follows) from (\d+) (?:AI TOPS|tensor TFLOPS)", found.source)
        if said:
            worked_out += 1
            assert found.bf16_tflops == pytest.approx(int(said[1]) / shares[found.compute_capability], rel=0.005)
        half = re.search(r"half of its ([\d.]+) with sparsity", found.source)
        if half:
            assert found.bf16_tflops == pytest.approx(float(half[1]) / 2, rel=0.001)
    assert worked_out == 6


def test_every_card_has_its_source_and_no_price(cards):
    assert [c.name for c in cards if not c.source.startswith("NVIDIA ")] == []
    assert {(c.price_per_hour, c.price_per_month) for c in cards} == {(None, None)}


def test_what_a_card_computes_in(cards):
    assert find_card("T4", cards).flops_per_second is None
    assert not find_card("T4", cards).has_bfloat16
    assert [find_card(n, cards).has_fp8 for n in ("RTX 3090", "A100 80GB", "L4", "RTX 5080")] == [
        False, False, True, True,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("4090", "RTX 4090"),
        ("rtx4090", "RTX 4090"),
        ("NVIDIA GeForce RTX 4090", "RTX 4090"),
        ("4060ti", "RTX 4060 Ti 16GB"),
        ("4080", "RTX 4080"),
        ("4080 Super", "RTX 4080 SUPER"),
        ("a100 80gb", "A100 80GB"),
        ("a100 40", "A100 40GB"),
        ("NVIDIA H100 80GB HBM3", "H100 SXM"),
        ("l4", "L4"),
    ],
)
def test_names_as_people_type_them(cards, typed, meant):
    assert find_card(typed, cards).name == meant


def test_a_name_of_two_cards_names_both(cards):
    with pytest.raises(UserError, match="A100 40GB, A100 80GB"):
        find_card("a100", cards)


@pytest.mark.parametrize("typed", ["4091", "4090 laptop", "RTX", ""])
def test_no_such_card(cards, typed):
    with pytest.raises(UserError, match="no card is called"):
        find_card(typed, cards)


def test_a_misspelt_name_is_put_right(cards):
    with pytest.raises(UserError, match="Did you mean RTX 4090"):
        find_card("RTX 4O90", cards)


def asked(name: str, mib: int) -> Card:
    return Card(name=name, total_bytes=mib << 20, free_bytes=0, driver="1")


def test_a_driver_s_name_and_memory_tell_the_entry(cards):
    known = recognise(asked("NVIDIA GeForce RTX 4060 Ti", 16_380), cards)
    assert known is not None and known.name == "RTX 4060 Ti 16GB"
    assert recognise(asked("NVIDIA GeForce RTX 4060 Ti", 8_188), cards) is None
    assert recognise(asked("NVIDIA GeForce RTX 4090 Laptop GPU", 16_376), cards) is None
    with_error_correction = recognise(asked("NVIDIA RTX A6000", 46_068), cards)
    assert with_error_correction is not None and with_error_correction.name == "RTX A6000"


def test_a_price_takes_two_lines(own, cards):
    own.write_text('["rtx 4090"]\nprice_per_hour = 0.4\n' + MINE)
    laid = read_cards()
    assert find_card("4090", laid) == find_card("4090", cards).model_copy(update={"price_per_hour": 0.4})
    assert [c.name for c in laid] == [*(c.name for c in cards), "Home made"]
    assert find_card("home made", laid).total_bytes == 8 << 30


def test_a_file_elsewhere(own, tmp_path):
    elsewhere = tmp_path / "prices.toml"
    elsewhere.write_text("[L4]\nprice_per_month = 300\n")
    assert find_card("L4", read_cards(elsewhere)).price_per_month == 300


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('# mine\n["RTX 4090"]\nprice_per_hour = -1\n', 'line 3: card "RTX 4090", price_per_hour: Input should be gr'),
        ('["RTX 4090"]\nprice = 1\n', 'line 2: card "RTX 4090", price: is no field of a card'),
        (
            "\n" + MINE.replace("power_watts = 50\n", "") + "[T4]\nprice_per_hour = 1\n",
            'line 2: card "Home made", power_watts: is missing',
        ),
        ('["RTX 4090"\n', "is no TOML.*line 1"),
        ("price_per_hour = 1\n", "line 1: price_per_hour stands in no card"),
        ('[T4]\ncompute_capability = 7.5\n["RTX 4090"]\nprice_per_hour = "1 EUR"\n', "line 2: card .T4., compute_cap"),
    ],
)
def test_a_broken_entry_is_told_with_its_line(own, text, told):
    own.write_text(text)
    with pytest.raises(UserError, match=told) as raised:
        read_cards()
    assert str(raised.value).startswith("cards.toml: ")


def test_a_file_that_is_not_there(own):
    with pytest.raises(UserError, match="cannot be read"):
        read_cards(own)


def test_the_list_is_what_a_clone_shows():
    assert PACKAGED.is_file() and PACKAGED.parts[-2:] == ("deploy", "cards.toml")
