"""Fused kernels in place of transformers' own modules: none, Liger's, or Unsloth's. One setting, so never both.

    liger      norms, rotation and the MLP's activation of a loaded model are replaced        (Hsu et al., 2024)
    unsloth    loads the model and adds the adapter itself; attention, MLP and LoRA are its own

Both replace the same forward functions of transformers, for the whole process: with one in force the other would find
its work undone, or undo it, and no error would say so. Both need Triton and a card. The loss stays ours in either case.
"""

import sys
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Literal

import torch

from pipeline.errors import UserError
from pipeline.records import Base
from pipeline.settings import Training
from pipeline.training.attention import Named as Attention
from pipeline.training.model import add_lora, compute_dtype, load_base

if TYPE_CHECKING:
    from peft import PeftModel
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

Named = Literal["none", "liger", "unsloth"]

_PACKAGE = {"liger": "liger_kernel", "unsloth": "unsloth"}
_INSTALL = {
    "liger": "run: pip install liger-kernel",
    "unsloth": "it pins an older transformers, so install it with this in an environment of its own",
}
_IN_FORCE = {"liger": "liger_kernel.transformers.monkey_patch", "unsloth": "unsloth"}  # imported when it has patched


def resolve_kernels(wanted: Literal["auto"] | Named) -> Named:
    """The kernels to use. `auto`: Liger's, where they are installed beside a card and Unsloth is not in force.

    Raises:
        UserError: those asked for are not installed, have no card, or meet the other kind in this process.
    """
    if wanted == "none":
        return "none"
    if wanted == "auto":
        return "none" if _why_not("liger") else "liger"
    reason = _why_not(wanted)
    if reason:
        what, fix = reason
        raise UserError(f"training.kernels is {wanted}, but {what}", fix=f"{fix}; or set it to none")
    return wanted


def _why_not(name: Literal["liger", "unsloth"]) -> tuple[str, str] | None:
    """What keeps these kernels from being used, and what to do about it."""
    other = "unsloth" if name == "liger" else "liger"
    if _IN_FORCE[other] in sys.modules:
        what = f"{other} has replaced forward functions of transformers in this process, and {name} replaces the same"
        return what, f"use {other}, or start a process in which it is not imported"
    if not torch.cuda.is_available():
        return "there is no card", "train on a machine with one"
    for package in (_PACKAGE[name], "triton"):
        if find_spec(package) is None:
            return f"the package {package} is not installed", _INSTALL[name]
    return None


def load(
    base: Base, settings: Training, kernels: Named, attention: Attention
) -> "tuple[PreTrainedModel, PreTrainedTokenizerBase]":
    """The frozen base in NF4, in evaluation mode, with the kernels on it; and its tokenizer.

    Raises:
        UserError: Liger has no kernels for this kind of model.
    """
    if kernels == "unsloth":
        return _load_by_unsloth(base, settings)
    model, tokenizer = load_base(base)
    model.set_attn_implementation(attention)
    if kernels == "liger":
        _apply_liger(model)
    return model, tokenizer


def add_adapter(model: "PreTrainedModel", settings: Training, kernels: Named) -> "PeftModel":
    """A new adapter on all linear projections, in training mode."""
    if kernels == "unsloth":
        return _add_lora_by_unsloth(model, settings)
    return add_lora(model, settings)


def _apply_liger(model: "PreTrainedModel") -> None:
    from liger_kernel.transformers import _apply_liger_kernel_to_instance
    from liger_kernel.transformers.monkey_patch import MODEL_TYPE_TO_APPLY_LIGER_FN

    kind = model.config.model_type
    if kind not in MODEL_TYPE_TO_APPLY_LIGER_FN:  # Liger itself would leave the model as it is, and say nothing
        raise UserError(f"liger has no kernels for a model of the type {kind}", fix="set training.kernels to none")
    _apply_liger_kernel_to_instance(model=model, cross_entropy=False, fused_linear_cross_entropy=False)


def _load_by_unsloth(base: Base, settings: Training) -> Any:
    from unsloth import FastLanguageModel

    model, tokenizer = FastLanguageModel.from_pretrained(
        model_name=base.path,
        max_seq_length=settings.longest_tokens,
        dtype=compute_dtype(),
        load_in_4bit=True,
        use_exact_model_name=True,  # not the copy of a well-known model that it would rather load
        fix_tokenizer=False,  # a sliced vocabulary is right as it is
    )
    model.requires_grad_(False)
    return model.eval(), tokenizer


def _add_lora_by_unsloth(model: Any, settings: Training) -> Any:
    from unsloth import FastLanguageModel

    adapted = FastLanguageModel.get_peft_model(
        model,
        r=settings.rank,
        lora_alpha=settings.alpha,
        use_rslora=True,
        lora_dropout=0.0,
        bias="none",
        target_modules="all-linear",
        use_gradient_checkpointing="unsloth" if settings.gradient_checkpointing else False,
        random_state=settings.seed,
    )
    return adapted.train()
