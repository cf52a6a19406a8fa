"""Likeness in meaning: pooling by hand on a small model of random weights, and texts longer than it reads."""

import json
from pathlib import Path

import numpy as np
import pytest

from pipeline.errors import UserError
from pipeline.evaluation.scores import Context, section_scores
from pipeline.evaluation.scores.similarity import Embedding, similarity
from tests.pipeline.evaluation.scores.conftest import Judge

torch = pytest.importorskip("torch")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Reads 10 positions, of which 2 are kept free and 2 are marks: 6 words at once."""
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

    vocabulary = {word: place for place, word in enumerate(["[PAD]", "[CLS]", "[SEP]", "[UNK]", *"abcdefgh"])}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 2), ("[CLS]", 1))
    made = tmp_path_factory.mktemp("sentences")
    PreTrainedTokenizerFast(tokenizer_object=tokenizer, pad_token="[PAD]").save_pretrained(made)
    torch.manual_seed(0)
    size = {"hidden_size": 8, "intermediate_size": 8, "num_hidden_layers": 1, "num_attention_heads": 2}
    config = BertConfig(vocab_size=len(vocabulary), max_position_embeddings=10, initializer_range=1.0, **size)
    BertModel(config).save_pretrained(made)
    return made


def states(folder: Path, ids: list[int]) -> np.ndarray:
    from transformers import BertModel

    with torch.inference_mode():
        found = BertModel.from_pretrained(folder).eval()(input_ids=torch.tensor([ids])).last_hidden_state[0]
    return found.double().numpy()


def unit(vector: np.ndarray) -> np.ndarray:
    return vector / np.linalg.norm(vector)


def test_a_long_text_is_read_in_pieces_that_weigh_by_their_length(folder: Path, tmp_path: Path) -> None:
    first, second = states(folder, [1, *range(4, 10), 2]), states(folder, [1, 10, 11, 2])
    found = Embedding(folder).of("a b c d e f g h")
    assert found == pytest.approx(unit(first.mean(axis=0) * 8 + second.mean(axis=0) * 4), abs=1e-6)


def test_pooling_is_what_the_model_says(folder: Path) -> None:
    said = folder / "1_Pooling" / "config.json"
    said.parent.mkdir()
    said.write_text(json.dumps({"word_embedding_dimension": 8, "pooling_mode_cls_token": True}))
    assert Embedding(folder).of("a b") == pytest.approx(unit(states(folder, [1, 4, 5, 2])[0]), abs=1e-6)
    assert "pooling:cls" in similarity(folder).signature
    said.write_text(json.dumps({"pooling_mode_cls_token": True, "pooling_mode_max_tokens": True}))
    with pytest.raises(UserError, match="pools by cls_token, max_tokens"):
        Embedding(folder)
    said.unlink()
    said.parent.rmdir()


def test_the_same_is_alike_and_nothing_is_like_nothing(folder: Path, judged: Judge) -> None:
    of = similarity(folder).of
    assert of(judged("a b c", "a b c")) == (pytest.approx(1), 1) and of(judged("", "a b c")) == (0, 1)
    assert -1 <= of(judged("a b c", "f g h"))[0] < 0.99  # type: ignore[index]


def test_it_is_asked_for_by_a_folder(folder: Path, tmp_path: Path) -> None:
    assert "similarity" not in {score.name for score in section_scores(Context(languages=("ca",)))}
    assert "similarity" in {score.name for score in section_scores(Context(languages=("ca",), embedding=folder))}
    with pytest.raises(UserError, match="no model of sentences is there"):
        similarity(tmp_path)
