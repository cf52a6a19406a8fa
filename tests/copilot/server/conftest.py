"""One real vLLM for all slow tests, on a tiny random base whose every word is readable."""

from pathlib import Path
from typing import Any

import pytest

from copilot.server.client import ServerClient
from copilot.server.environment import ensure_environment
from copilot.server.process import Server
from copilot.server.spec import ServerSpec
from pipeline.errors import MemoriaError
from pipeline.storage import Workspace

CHAT_TEMPLATE = (
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n"
    "{% if enable_thinking is defined and not enable_thinking %}<think>\n\n</think>\n\n{% endif %}{% endif %}"
)
TEXTS = [
    "The project reached its goals in the second year.",
    "El projecte ha complert els objectius del segon any.",
]


def make_tokenizer() -> Any:
    """A byte-level BPE of 400 tokens with a chat template of Qwen3's shape, thinking switch included."""
    from tokenizers import ByteLevelBPETokenizer
    from transformers import PreTrainedTokenizerFast

    trained = ByteLevelBPETokenizer()
    special = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
    trained.train_from_iterator(
        TEXTS * 20, vocab_size=400, min_frequency=2, special_tokens=special, show_progress=False
    )
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=trained._tokenizer, eos_token="<|im_end|>", pad_token="<|endoftext|>"
    )
    tokenizer.chat_template = CHAT_TEMPLATE
    return tokenizer


def make_base(folder: Path) -> None:
    """A random Qwen3 of 2 layers that never ends by itself and says printable ASCII only.

    Weights are wide, so that the likeliest token is far ahead and float32 rounding cannot change it.
    """
    import torch
    from transformers import Qwen3Config, Qwen3ForCausalLM

    tokenizer = make_tokenizer()
    config = Qwen3Config(
        vocab_size=len(tokenizer),
        hidden_size=128,
        intermediate_size=256,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        head_dim=32,
        max_position_embeddings=512,
        tie_word_embeddings=False,
        eos_token_id=tokenizer.eos_token_id,
        bos_token_id=None,
        pad_token_id=tokenizer.pad_token_id,
        dtype="float32",
    )
    torch.manual_seed(0)
    model = Qwen3ForCausalLM(config)
    words = [tokenizer.decode([i]) for i in range(len(tokenizer))]
    readable = [i for i, w in enumerate(words) if i > 2 and w.isascii() and w.isprintable()]
    with torch.no_grad():
        for name, weight in model.named_parameters():
            if weight.ndim == 2:
                weight.normal_(0, 0.5 if "embed" in name or "lm_head" in name else 0.08)
        spoken = torch.zeros(len(tokenizer), 1)
        spoken[readable] = 1.0
        model.lm_head.weight.mul_(spoken)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def make_adapter(base: Path, folder: Path, seed: int, rank: int = 8) -> None:
    """A random rank-stabilised LoRA on every linear projection, large enough to change what is said."""
    import torch
    from peft import LoraConfig, get_peft_model
    from transformers import AutoModelForCausalLM

    model = AutoModelForCausalLM.from_pretrained(base, dtype=torch.float32)
    config = LoraConfig(r=rank, lora_alpha=16, use_rslora=True, target_modules="all-linear", task_type="CAUSAL_LM")
    tuned = get_peft_model(model, config)
    torch.manual_seed(seed)
    with torch.no_grad():
        for name, weight in tuned.named_parameters():
            if "lora_" in name:
                weight.normal_(0, 0.05)
    tuned.save_pretrained(folder)


@pytest.fixture(scope="session")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("base")
    make_base(folder)
    return folder


@pytest.fixture(scope="session")
def wide_adapter(base: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An adapter of a higher rank than the server was started for."""
    folder = tmp_path_factory.mktemp("wide")
    make_adapter(base, folder, seed=2, rank=64)
    return folder


@pytest.fixture(scope="session")
def adapter(base: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("adapter")
    make_adapter(base, folder, seed=1)
    return folder


@pytest.fixture(scope="session")
def spec(base: Path) -> ServerSpec:
    return ServerSpec(base=base, name="tiny", max_model_len=100_000, card=False, max_lora_rank=8, max_num_seqs=4)


@pytest.fixture(scope="session")
def python() -> Path:
    try:
        return ensure_environment(card=False)
    except MemoriaError as error:
        pytest.skip(f"no vLLM here: {error}")


@pytest.fixture(scope="session")
def server(spec: ServerSpec, python: Path, tmp_path_factory: pytest.TempPathFactory):
    served = Server(Workspace(tmp_path_factory.mktemp("workspace")))
    served.start(spec, python)
    try:
        served.wait(timeout_seconds=500)
        yield served
    finally:
        served.stop()


@pytest.fixture
def client(server: Server):
    talking = ServerClient(server.status().url, server.key)
    yield talking
    talking.close()
