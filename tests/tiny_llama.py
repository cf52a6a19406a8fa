"""A model of a few thousand parameters, with a byte-level tokenizer and a chat template."""

import json
from pathlib import Path

from pipeline.records import Base
from pipeline.storage import fingerprint

TOKENS = 480
_WORDS = """
La memòria recull l'activitat del projecte: 12 tallers, 1.250 € i 340 participants. L'acció ha durat 24 mesos.
La entidad ejecutó el presupuesto de 98.400 euros; quedó pendiente la auditoría. ¿Qué aprendió el consorcio?
The partners met in Girona in March 2024. Deliverable D3.2 was handed in; the table shows the results.
| Partida | Import | Executat |
| --- | --- | --- |
| Personal | 12.000 € | 11.950 € |
- Objectiu general: reduir l'abandonament escolar.
## 3.2 Resultats […]
"""
TEMPLATE = (
    "{% for turn in messages %}<|im_start|>{{ turn.role }}\n{{ turn.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


def write_tokenizer(folder: Path) -> None:
    """Write tokenizer.json and tokenizer_config.json; the end of a turn has id 0."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=TOKENS,
        special_tokens=["<|im_end|>", "<|im_start|>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator([_WORDS] * 3, trainer)
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer.save(str(folder / "tokenizer.json"))
    config = {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "eos_token": "<|im_end|>",
        "pad_token": "<|im_end|>",
        "chat_template": TEMPLATE,
    }
    (folder / "tokenizer_config.json").write_text(json.dumps(config), "utf-8")


def write_base(folder: Path, *, layers: int = 2) -> Base:
    """Write a random Llama in float32 beside its tokenizer, the same at every call."""
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    write_tokenizer(folder)
    config = LlamaConfig(
        vocab_size=TOKENS,
        hidden_size=64,
        intermediate_size=128,
        num_hidden_layers=layers,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=2048,
        tie_word_embeddings=False,
        bos_token_id=None,
        eos_token_id=0,
        pad_token_id=0,
    )
    torch.manual_seed(0)
    LlamaForCausalLM(config).save_pretrained(folder)
    return Base(name="tiny-llama", fingerprint=fingerprint(folder), rows=TOKENS, path=str(folder))
