"""A proof as a person sees it."""

from io import StringIO

import pytest
from rich.console import Console

from pipeline.vocabulary import Proof, table
from pipeline.vocabulary.proof import GreedyProof, LanguageProof, LogitsProof, RoundTrip, WeightsProof

ALIKE = LanguageProof(pieces=1200, differing=0, identical=1, with_dropped=0, tokens=50_000, tokens_after=50_000)
COSTLY = LanguageProof(pieces=4, differing=1, identical=0.75, with_dropped=1, tokens=100, tokens_after=110)
TRIP = RoundTrip(texts=3, characters=1_000, tokens_before=100, tokens_after=150, same=True)
SAME = GreedyProof(tokens=16, same=16, dropped=False)


def proof(**changes: object) -> Proof:
    whole = Proof(
        base="owner/model-640", sliced_from="owner/model", method="usage", rows_before=1_000, rows_after=640,
        tokens_kept=640, bytes_saved=5_250_000, share_saved=0.1234, texts="", languages={"ca": ALIKE, "xx": COSTLY},
        kept_texts=ALIKE, growth={"ca": 0.0123}, other_scripts={"Thai": TRIP}, unicode=TRIP, random=TRIP,
        weights=WeightsProof(rows=1_280, tensors=9, compared_bytes=1),
        logits=LogitsProof(dtype="bfloat16", positions=9, tokens=640, equal=True, largest_difference=0),
        greedy={"ca": SAME, "xx": GreedyProof(tokens=16, same=4, dropped=True)},
    )  # fmt: skip
    return whole.model_copy(update=changes)


def lines(told: Proof) -> list[str]:
    console = Console(file=StringIO(), width=200)
    console.print(table(told))
    return console.file.getvalue().splitlines()  # type: ignore[attr-defined]


def test_every_finding_has_its_line() -> None:
    shown = lines(proof())
    assert shown[0].strip() == "owner/model, cut by usage: 1,000 -> 640 rows, 5.2 MB less (12.3% of the model)"
    for wanted in (
        ("reports: Catalan", "1,200 pieces, 50,000 tokens", "read alike, every one; unseen text: +1.23% tokens"),
        ("reports: xx", "4 pieces, 100 tokens", "75.00% read alike, 1 otherwise"),
        ("texts to keep", "1,200 pieces", "read alike, every one"),
        ("all of Unicode", "1,000 characters", "1.50 times"),
        ("random strings", "3 strings", "1.50 times"),
        ("Thai", "100 tokens", "comes back; 1.50 times the tokens"),
        ("weights", "9 tensors, 1,280 rows of tokens", "byte by byte"),
        ("logits", "9 x 640 in bfloat16", "equal to the bit"),
        ("written text", "32 tokens in ca, xx", "20 the same", "in 1 the base takes a token that is not kept"),
    ):
        assert any(all(part in line for part in wanted) for line in shown), wanted


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"logits": None, "greedy": None}, "not tried"),
        ({"logits": proof().logits.model_copy(update={"largest_difference": 0.03125})}, "another order, within 0.031"),  # type: ignore[union-attr]
        ({"greedy": {"ca": SAME}}, "16 tokens in ca │ the same"),
    ],
)
def test_what_was_not_tried_or_not_exact_is_told(changes: dict[str, object], said: str) -> None:
    assert any(said in " ".join(line.split()) for line in lines(proof(**changes)))
