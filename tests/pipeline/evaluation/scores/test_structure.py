"""Structure: which texts have tables and lists, and what is due."""

import time

import pytest

from pipeline.evaluation.scores.structure import structure_kept, structure_of
from pipeline.reports.markdown import list_item, table
from tests.pipeline.evaluation.scores.conftest import Judge

TABLE = table([["Partida", "Import"], ["Material", "1.250"]])
LIST = "\n".join(
    list_item("-", depth, text) for depth, text in [(0, "primer"), (1, "segon\nque segueix"), (0, "tercer")]
)


@pytest.mark.parametrize(
    ("text", "has"),
    [
        (TABLE, {"table"}),
        (table([["Sola"], ["1"]]), {"table"}),
        ("Partida | Import\n:--- | ---:\nMaterial | 1", {"table"}),
        ("| Partida | Import |\n| --- | --- |", set()),  # a header and nothing in it
        ("| Partida | Import |\n| Material | 1 |", set()),  # no rule
        ("Un títol\n---\nText | i més", set()),
        (LIST, {"list"}),
        (f"Abans.\n\n{TABLE}\n\n{LIST}", {"table", "list"}),
        ("1. Primer\n2. Segon", {"list"}),
        ("a) primer\n\n   que segueix\n\nb) segon", {"list"}),
        ("- un de sol", set()),
        ("1. Un apartat\nText de l'apartat.\n2. Un altre", set()),
        ("2024. Any de canvis\n-5 graus\n1.250 euros", set()),
        ("", set()),
    ],
)
def test_what_a_text_has(text: str, has: set[str]) -> None:
    assert structure_of(text) == has


def test_what_is_due(judged: Judge) -> None:
    both = f"{TABLE}\n\n{LIST}"
    of = structure_kept().of
    assert of(judged(both, both)) == (1, 1) and of(judged(LIST, both)) == (0.5, 1) and of(judged("", both)) == (0, 1)
    assert of(judged(both, LIST)) == (1, 1)  # what nobody asked for is no fault here
    assert of(judged(both, "Tot ha anat bé.")) is None


@pytest.mark.parametrize("unit", ["|", "-", " ", "--- |", "(", "- a\n", "|\n---|\n"])
def test_hostile_text_takes_linear_time(unit: str) -> None:
    began = time.process_time()
    structure_of("|\n" + unit * 20_000 + "x\n|")
    assert time.process_time() - began < 0.5
