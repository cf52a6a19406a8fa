"""A base of a few thousand parameters with a byte-level tokenizer, and examples in three languages."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pipeline.records import Adapter, Base, Example, Message
from pipeline.storage import file_sha256
from pipeline.windows.render import WORDS

TEXTS = {
    "ca": "La despesa executada és de {n} euros i l'acció ha arribat a {n} persones.",
    "es": "El gasto ejecutado es de {n} euros y la acción llegó a {n} personas.",
    "en": "Spending came to {n} euros and the action reached {n} people.",
}
TEMPLATE = (
    "{% for message in messages %}<|im_start|>{{ message.role }}\n"
    "{{ message.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


def make_example(report: str, position: int, language: Any, target: str | None = None) -> Example:
    content = f"Report: {report}\n\nWrite the section: {position}"
    return Example(
        report=report,
        section=f"{report}-{position * 7919 % 101:03d}",
        window=f"window-{position}",
        language=language,
        messages=(Message(role="system", content=WORDS["en"]["system"]), Message(role="user", content=content)),
        target=target or TEXTS[language].format(n=100 + 37 * position),
        source_sha256="0" * 64,
    )


@pytest.fixture(scope="session")
def examples() -> list[Example]:
    places = [("ca", 2), ("es", 1), ("en", 2)]
    return [
        make_example(f"report-{language}-{number}", position, language)
        for language, reports in places
        for number in range(reports)
        for position in range(3)
    ]


@pytest.fixture(scope="session")
def tiny_base(tmp_path_factory: pytest.TempPathFactory) -> Base:
    torch = pytest.importorskip("torch")
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast, Qwen3Config, Qwen3ForCausalLM

    torch.set_num_threads(1)  # tensors are so small that threads would only wait for each other
    folder = tmp_path_factory.mktemp("base")
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    special = ["<|im_end|>", "<|im_start|>"]  # the end of turn has id 0
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    tokenizer.train_from_iterator([], trainers.BpeTrainer(special_tokens=special, initial_alphabet=alphabet))
    wrapped = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, eos_token="<|im_end|>", additional_special_tokens=special[1:]
    )
    wrapped.chat_template = TEMPLATE
    wrapped.save_pretrained(folder)
    torch.manual_seed(0)
    config = Qwen3Config(
        vocab_size=len(wrapped),
        hidden_size=64,
        intermediate_size=128,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        head_dim=16,
        initializer_range=0.2,  # so large that what is written depends on what was read
        eos_token_id=0,
        bos_token_id=None,
        tie_word_embeddings=False,
    )
    Qwen3ForCausalLM(config).to(torch.bfloat16).save_pretrained(folder)
    return Base(name="tiny", fingerprint="tiny", rows=len(wrapped), path=str(folder))


TrainTiny = Callable[..., Adapter]


@pytest.fixture(scope="session")
def train_tiny(tiny_base: Base, tmp_path_factory: pytest.TempPathFactory) -> TrainTiny:
    """Trains an adapter on the targets of some examples for a few steps."""
    import torch

    from pipeline.settings import Training
    from pipeline.training.encode import encode
    from pipeline.training.model import add_lora, load_base, target_loss

    def train(name: str, examples: list[Example], steps: int = 12) -> Adapter:
        base_model, tokenizer = load_base(tiny_base)
        model = add_lora(base_model, Training(rank=8, gradient_checkpointing=False))
        optimizer = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=1e-2)
        for step in range(steps):
            encoded = encode(tokenizer, examples[step % len(examples)])
            loss = target_loss(model, encoded.input_ids, encoded.target_start) / 50
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
        folder = tmp_path_factory.mktemp(name)
        model.save_pretrained(str(folder))
        return Adapter(
            base=tiny_base.id,
            base_path=tiny_base.path,
            examples=name,
            windows={},
            settings="settings",
            run=name,
            weights_sha256=file_sha256(Path(folder, "adapter_model.safetensors")),
            path=str(folder),
            created="2026-11-30T00:00:00+00:00",
        )

    return train


@pytest.fixture(scope="session")
def trained(train_tiny: TrainTiny, examples: list[Example]) -> Adapter:
    return train_tiny("trained", examples)


@pytest.fixture(scope="session")
def spoilt(train_tiny: TrainTiny) -> Adapter:
    """Learned from noise: worse than no adapter at all."""
    noise = [make_example("noise", i, "en", target="#%&@$~^|" * 6) for i in range(2)]
    return train_tiny("spoilt", noise, steps=40)
