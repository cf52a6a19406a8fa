"""The comparison of two tokenizers: what it counts, and that text which is lost is found."""

import json
from pathlib import Path

import pytest

from pipeline.errors import FatalError
from pipeline.vocabulary import reading
from pipeline.vocabulary.reading import Encoders, prove_round_trips
from pipeline.vocabulary.tokenizer import SourceTokenizer, sliced_document
from tests.tiny_llama import write_tokenizer


@pytest.fixture
def base(tmp_path: Path) -> Path:
    write_tokenizer(tmp_path / "base")
    return tmp_path / "base"


def without(base: Path, *tokens: str) -> Encoders:
    """The base's tokenizer, and the same without some tokens and their merges."""
    source = SourceTokenizer(base)
    id_map = sorted(i for token, i in source.tokens.items() if token not in tokens)
    folder = base.with_name("cut")
    folder.mkdir()
    document = sliced_document(source, {old: new for new, old in enumerate(id_map)})
    (folder / "tokenizer.json").write_text(json.dumps(document))
    return Encoders(base, folder, id_map)


def test_a_text_that_holds_a_dropped_token_is_counted_as_such(base: Path) -> None:
    whole = SourceTokenizer(base)
    longest = max(whole.vocabulary.keys() - whole.added.keys(), key=len)
    text = longest.replace("Ġ", " ")
    proof = without(base, longest).compare([text, "12", text, "€"])
    assert (proof.pieces, proof.differing, proof.with_dropped, proof.identical) == (4, 2, 2, 0.5)
    assert proof.tokens < proof.tokens_after


def test_text_that_does_not_come_back_makes_no_proof(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the byte that begins Arabic letters nothing of them is left."""
    monkeypatch.setattr(reading, "RANDOM_TEXTS", 70)
    prove_round_trips(without(base), ["<|im_start|>"])
    base.with_name("cut").rename(base.with_name("whole"))
    encoders = without(base, "Ù")
    assert encoders.round_trip(["plain"]).same and not encoders.round_trip(["plain", "و"]).same
    with pytest.raises(FatalError, match="does not give back Arabic, .*Unicode, random strings"):
        prove_round_trips(encoders, ["<|im_start|>"])
