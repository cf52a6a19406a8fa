"""The model as it is trained and judged: a frozen 4-bit base, and low-rank additions to its linear projections.

NF4 with double quantisation is from Dettmers et al., "QLoRA" (2023); the scale alpha / sqrt(rank) from Kalajdzievski,
"rsLoRA" (2023). On a card the arithmetic is bfloat16; on a CPU it is float32, which is several times faster there.
"""

from typing import TYPE_CHECKING

import torch
import transformers
from bitsandbytes.nn import Linear4bit
from peft import LoraConfig, PeftModel, get_peft_model
from transformers import AutoModelForCausalLM, AutoTokenizer, BitsAndBytesConfig

from pipeline.records import Adapter, Base
from pipeline.settings import Training

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase


def compute_dtype() -> torch.dtype:
    """The type that this machine computes in."""
    return torch.bfloat16 if torch.cuda.is_available() else torch.float32


def load_base(base: Base) -> "tuple[PreTrainedModel, PreTrainedTokenizerBase]":
    """The base in NF4, frozen, in evaluation mode; and its tokenizer.

    `prepare_model_for_kbit_training` is left out on purpose: it would turn embedding and head into float32, 2.3 GiB
    more for an 8B model.
    """
    transformers.utils.logging.disable_progress_bar()  # ours tells of the stage
    quantisation = BitsAndBytesConfig(
        load_in_4bit=True,
        bnb_4bit_quant_type="nf4",
        bnb_4bit_use_double_quant=True,
        bnb_4bit_compute_dtype=compute_dtype(),
    )
    model = AutoModelForCausalLM.from_pretrained(
        base.path,
        quantization_config=quantisation,
        dtype=compute_dtype(),
        device_map={"": 0 if torch.cuda.is_available() else "cpu"},
        attn_implementation="sdpa",
    )
    model.requires_grad_(False)
    _keep_weights_as_they_are(model)
    return model.eval(), AutoTokenizer.from_pretrained(base.path)


def _keep_weights_as_they_are(model: "PreTrainedModel") -> None:
    """Keep bitsandbytes from repacking the 4-bit weights at the first forward without gradients.

    On a CPU with AVX512-BF16 it does so in place, for a kernel that has no backward: gradients taken afterwards are
    wrong (cosine 0.1 to the true ones), and nothing says so.
    """
    for module in model.modules():
        if isinstance(module, Linear4bit):
            module.support_avx512bf16_for_cpu = False


def add_lora(model: "PreTrainedModel", settings: Training) -> PeftModel:
    """A new adapter on all linear projections, in training mode, its start fixed by the seed.

    A's entries are random and B's are zero, so that training begins at the base itself.
    """
    torch.manual_seed(settings.seed)
    config = LoraConfig(
        r=settings.rank,
        lora_alpha=settings.alpha,
        use_rslora=True,
        target_modules="all-linear",
        lora_dropout=0.0,
        bias="none",
        task_type="CAUSAL_LM",
    )
    if settings.gradient_checkpointing:
        model.gradient_checkpointing_enable({"use_reentrant": False})
        model.enable_input_require_grads()
    model.config.use_cache = False
    return get_peft_model(model, config).train()


def attach_adapter(model: "PreTrainedModel | PeftModel", adapter: Adapter, name: str = "default") -> PeftModel:
    """Put a trained adapter on a loaded base (or beside another adapter), under `name`, and make it the active one."""
    if isinstance(model, PeftModel):
        model.load_adapter(adapter.path, adapter_name=name)
        model.set_adapter(name)
        return model.eval()
    return PeftModel.from_pretrained(model, adapter.path, adapter_name=name).eval()


def target_loss(model: torch.nn.Module, input_ids: list[int], target_start: int) -> torch.Tensor:
    """Sum of the cross-entropies of the target's tokens, in nats; logits are made for these alone.

    Args:
        model: a causal language model.
        input_ids: [tokens] prompt and target.
        target_start: index of the first target token, > 0.
    """
    ids = torch.tensor([input_ids], device=next(model.parameters()).device)
    targets = ids[0, target_start:]
    logits = model(input_ids=ids, logits_to_keep=len(targets) + 1, use_cache=False).logits[0, :-1]
    return torch.nn.functional.cross_entropy(logits.float(), targets, reduction="sum")
