"""How much memory there is: of a card here, a card elsewhere, and a machine whose memory is shared."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline import card as pipeline_card
from pipeline.card import Card
from pipeline.errors import UserError
from pipeline.planner import machine
from pipeline.planner.cards import find_card, read_cards
from pipeline.planner.machine import CardMemory, card_memory, listed_memory

GIB = 1 << 30
LISTED = read_cards()


def here(total_mib: int, free_mib: int, name: str = "NVIDIA GeForce RTX 4080") -> Card:
    return Card(name=name, total_bytes=total_mib << 20, free_bytes=free_mib << 20, driver="580")


def test_a_card_of_this_machine_has_what_is_free_now():
    memory = card_memory(None, LISTED, ask=lambda: [here(16_376, 15_000)])
    assert memory.usable_bytes == (15_000 << 20) - GIB
    assert memory.listed is not None and memory.listed.name == "RTX 4080"
    assert "16.0 GiB by its driver, 14.6 GiB free now; 1.3 GiB are the driver's, the desktop's" in memory.origin[0]


def test_the_machine_s_own_memory_is_no_card_s(monkeypatch):
    monkeypatch.setattr(machine.platform, "system", lambda: "Linux")
    with pytest.raises(UserError, match="no NVIDIA card .*--card 16"):
        card_memory(None, LISTED, ask=tuple)


def test_the_first_of_two_cards():
    memory = card_memory(None, LISTED, ask=lambda: [here(16_376, 4_000), here(24_564, 24_000, "NVIDIA L4")])
    assert memory.free_bytes == 4_000 << 20
    assert any("first of 2 cards" in sentence for sentence in memory.origin)


def test_a_card_that_is_elsewhere_has_what_its_driver_leaves():
    memory = card_memory("4090", LISTED)
    assert memory.total_bytes == 24_564 << 20
    assert memory.free_bytes / GIB == pytest.approx(23.64, rel=0.002)  # as PyTorch says of a free one
    assert memory.usable_bytes == memory.free_bytes - GIB
    assert memory == listed_memory(find_card("4090", LISTED))


@pytest.mark.parametrize("said", ["16", " 16 GB", "16gib", "16.0g"])
def test_a_memory_in_gigabytes(said):
    memory = card_memory(said, LISTED)
    assert (memory.name, memory.total_bytes) == ("a card of 16 GB", 16 * GIB)
    assert memory.usable_bytes == 16 * GIB * 63 // 64 - GIB == round(14.75 * GIB)


def test_a_number_of_four_digits_is_a_card():
    assert card_memory("3090", LISTED).name == "RTX 3090"
    with pytest.raises(UserError, match="no card is called 0"):
        card_memory("0", LISTED)


def test_apple_silicon_has_three_quarters(monkeypatch):
    monkeypatch.setattr(machine.platform, "system", lambda: "Darwin")
    monkeypatch.setattr(machine.platform, "machine", lambda: "arm64")
    monkeypatch.setattr(machine, "machine_memory", lambda: (32 * GIB, 32 * GIB))
    memory = card_memory(None, LISTED, ask=tuple)
    assert memory.unified and memory.free_bytes == 24 * GIB and memory.usable_bytes == 23 * GIB
    assert "75%" in memory.origin[0] and "NVIDIA" in memory.origin[1]
    assert card_memory(None, LISTED, unified_share=0.5, ask=tuple).free_bytes == 16 * GIB


def test_a_unified_card_has_no_more_than_programs_leave(monkeypatch):
    monkeypatch.setattr(machine, "machine_memory", lambda: (128 * GIB, 40 * GIB))
    shared = Card(name="NVIDIA GB10", total_bytes=128 * GIB, free_bytes=40 * GIB, driver="580", unified=True)
    memory = card_memory(None, LISTED, ask=lambda: [shared])
    assert memory.free_bytes == 40 * GIB and "programs leave 40.0 GiB" in memory.origin[0]


def test_a_driver_that_cannot_count_tells_of_shared_memory(monkeypatch):
    monkeypatch.setattr(pipeline_card, "machine_memory", lambda: (128 * GIB, 40 * GIB))
    found = pipeline_card._card("NVIDIA GB10, [N/A], [N/A], 580.95")
    assert found.unified and (found.total_bytes, found.free_bytes) == (128 * GIB, 40 * GIB)
    plain = pipeline_card._card("NVIDIA L4, 23034, 22500, 580.95")
    assert not plain.unified and plain.total_bytes == 23_034 << 20


def test_machine_memory_is_told_by_the_system():
    total, available = pipeline_card.machine_memory()
    assert 0 < available <= total


@given(st.integers(0, 100 * GIB), st.integers(0, 100 * GIB))
def test_nothing_less_than_nothing_is_usable(free, allowance):
    memory = CardMemory("x", 100 * GIB, free, allowance, False, None, ())
    assert memory.usable_bytes == max(0, free - allowance)


def test_the_allowance_is_said_and_set():
    memory = card_memory("16", LISTED, allowance_bytes=2 * GIB)
    assert memory.usable_bytes == round(13.75 * GIB)
    assert "2.0 GiB are set aside" in memory.origin[-1]
