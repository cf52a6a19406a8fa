"""The rules of thumb give the figures that people pass on, to the gigabyte."""

import pytest

from pipeline.memory.rules import GB, rule_of_thumb, table

PUBLISHED_GB = {  # billions of parameters: LoRA, full, full with a copy in float32
    0.5: (4, 10, 12),
    1.5: (6, 22, 28),
    3: (9, 40, 52),
    7: (17, 88, 116),
    14: (31, 172, 228),
    32: (67, 388, 516),
    70: (143, 844, 1124),
}


def test_the_table():
    rows = {row["billions"]: row for row in table()}
    assert rows.keys() == PUBLISHED_GB.keys()
    for billions, (lora, full, with_copy) in PUBLISHED_GB.items():
        said = rows[billions]
        assert said["lora"].low_bytes == said["lora"].high_bytes == lora * GB
        assert said["full"].low_bytes == said["full"].high_bytes == full * GB
        assert said["full, master weights"].high_bytes == with_copy * GB


def test_eight_billion_take_nineteen_by_lora_and_about_nine_by_qlora():
    assert rule_of_thumb("lora", 8 * GB).high_bytes == 19 * GB
    qlora = rule_of_thumb("qlora", 8 * GB)
    assert qlora.low_bytes == pytest.approx(19 * GB / 3, abs=1)
    assert round(qlora.high_bytes / GB) in (9, 10) and qlora.low_bytes < 9 * GB < qlora.high_bytes


def test_without_activations_full_fine_tuning_is_12_bytes_a_parameter_or_16():
    for master_weights, width in ((False, 12), (True, 16)):
        small, large = (rule_of_thumb("full", n * GB, master_weights=master_weights).low_bytes for n in (1, 2))
        assert large - small == width * GB
