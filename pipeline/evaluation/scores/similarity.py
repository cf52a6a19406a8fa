"""Does the written section mean what the true one means? By a model of sentences in many languages, where one is given.

    text ── pieces that the model can read ──> [hidden] each, pooled as the model was trained to ── sum ──> vector
    similarity = cosine of the angle between the vectors of the written section and of the true one, -1 to 1

Reimers and Gurevych, "Sentence-BERT" (2019). The model is a folder in their format or in Hugging Face's, on this
machine; nothing is fetched. It runs on the CPU: the card is the contenders'. A model of English alone says nothing of
Catalan or Spanish.
"""

import json
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.errors import UserError
from pipeline.evaluation.scores.score import Judged, Part, Score

VERSION = 1
_POOLING = Path("1_Pooling", "config.json")
_MODE = "pooling_mode_"
_MOST_TOKENS = 512
_TEXTS_KEPT = 1024

Vector = NDArray[np.float64]


def similarity(folder: Path) -> Score:
    """The mean over sections.

    Args:
        folder: of the model.

    Raises:
        UserError: there is no model, or one that pools in a way of its own.
    """
    embedding = Embedding(folder)

    def of(judged: Judged) -> Part:
        return float(embedding.of(judged.text) @ embedding.of(judged.example.target)), 1.0

    return Score(
        name="similarity",
        title="likeness in meaning to the true section (1: the same)",
        better="higher",
        signature=f"similarity|version:{VERSION}|cosine|{folder.name}, pooling:{embedding.pooling}|mean of sections",
        of=of,
    )


class Embedding:
    """Texts as vectors of length 1; a text without a word is the zero vector. The model is loaded when first asked."""

    def __init__(self, folder: Path) -> None:
        if not (folder / "config.json").is_file():
            raise UserError("no model of sentences is there", where=folder, fix="give the folder of a model")
        self._folder = folder
        self.pooling = _pooling_of(folder)
        self.of = lru_cache(maxsize=_TEXTS_KEPT)(self._of)

    @cached_property
    def _loaded(self) -> tuple[Any, Any, int]:
        """Tokenizer, model, and how many tokens of a text it reads at once."""
        import torch
        from transformers import AutoModel, AutoTokenizer

        tokenizer = AutoTokenizer.from_pretrained(self._folder)
        model = AutoModel.from_pretrained(self._folder, dtype=torch.float32).eval()
        positions = getattr(model.config, "max_position_embeddings", _MOST_TOKENS)
        # Models of RoBERTa's kind begin to count positions behind the padding token's id.
        return tokenizer, model, min(positions - 2, _MOST_TOKENS, tokenizer.model_max_length)

    def _of(self, text: str) -> Vector:
        import torch

        tokenizer, model, most = self._loaded
        total = np.zeros(model.config.hidden_size)
        if not text.strip():
            return total
        pieces = tokenizer(text, truncation=True, max_length=most, return_overflowing_tokens=True)["input_ids"]
        for piece in pieces:
            with torch.inference_mode():
                states = model(input_ids=torch.tensor([piece])).last_hidden_state[0]
            pooled = states[0] if self.pooling == "cls" else states.mean(dim=0)
            total += pooled.double().numpy() * len(piece)
        return total / np.linalg.norm(total)


def _pooling_of(folder: Path) -> str:
    """How the model pools: "mean", also where nothing is said of it, or "cls"."""
    file = folder / _POOLING
    if not file.is_file():
        return "mean"
    said = json.loads(file.read_text("utf-8"))
    ways = sorted(name.removeprefix(_MODE) for name, is_on in said.items() if name.startswith(_MODE) and is_on)
    if ways not in (["mean_tokens"], ["cls_token"]):
        raise UserError(f"the model pools by {', '.join(ways)}", where=file, fix="choose one that pools by mean or cls")
    return ways[0].partition("_")[0]
