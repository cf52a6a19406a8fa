"""A causal language model's parts, by the names that Llama gave them; and which models have these, and no others.

    input_layernorm ── q_proj, k_proj, v_proj ── (q_norm, k_norm) ── rotation ──> project
    attention ──> attention.py
    o_proj ── + ── post_attention_layernorm ── mlp ── + ──> finish

What goes before attention and what comes after it treat every token by itself: they may be done in tiles. The modules
are transformers' own, with peft's additions in them; only the order in which they are called is written here.
"""

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn

if TYPE_CHECKING:
    from peft import PeftModel
    from transformers import PreTrainedModel

_LAYER = {"self_attn", "mlp", "input_layernorm", "post_attention_layernorm"}
_ATTENTION = {"q_proj", "k_proj", "v_proj", "o_proj"}
_NORMS = {"q_norm", "k_norm"}


@dataclass(frozen=True)
class Decoder:
    """The parts of a model, whatever wraps it."""

    embedding: nn.Module
    layers: nn.ModuleList
    norm: nn.Module
    rotary: nn.Module
    head: nn.Module
    heads: int
    kv_heads: int
    head_dim: int
    scaling: float

    @classmethod
    def of(cls, model: "PreTrainedModel | PeftModel") -> "Decoder":
        """The parts of a model of which `why_not` says nothing."""
        causal = _causal(model)
        core, attention = causal.model, causal.model.layers[0].self_attn
        return cls(
            embedding=core.embed_tokens,
            layers=core.layers,
            norm=core.norm,
            rotary=core.rotary_emb,
            head=causal.lm_head,
            heads=causal.config.num_attention_heads,
            kv_heads=causal.config.num_key_value_heads,
            head_dim=attention.head_dim,
            scaling=attention.scaling,
        )

    def positions(self, tokens: int, dtype: torch.dtype, device: torch.device) -> tuple[Tensor, Tensor]:
        """Cosines and sines of the rotary embedding (Su et al., "RoFormer", 2021), each [1, tokens, head_dim]."""
        like = torch.empty(0, dtype=dtype, device=device)
        return self.rotary(like, torch.arange(tokens, device=device)[None])


def why_not(model: "PreTrainedModel | PeftModel") -> str | None:
    """Why this model cannot be computed in parts; None: it can.

    Says of names and settings only. That the numbers are equal is `check`'s to say.
    """
    causal = _causal(model)
    core = getattr(causal, "model", None)
    if core is None or any(not hasattr(core, part) for part in ("embed_tokens", "layers", "norm", "rotary_emb")):
        return "its parts are not called as in Llama"
    if not hasattr(causal, "lm_head"):
        return "it has no head named lm_head"
    for layer in core.layers:
        reason = _strange_layer(layer)
        if reason:
            return reason
    if any(isinstance(m, nn.Dropout) and m.p > 0 for m in causal.modules()):
        return "it has dropout"
    kinds = set(getattr(causal.config, "layer_types", None) or ["full_attention"])
    return (
        None if kinds == {"full_attention"} else f"it has layers with {', '.join(sorted(kinds - {'full_attention'}))}"
    )


def project(layer: Any, x: Tensor, cos: Tensor, sin: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Queries, keys and values of some tokens.

    Args:
        x: [1, tokens, hidden].
        cos: [1, tokens, head_dim], of these tokens' positions; likewise sin.

    Returns:
        [1, heads, tokens, head_dim], and twice [1, kv_heads, tokens, head_dim].
    """
    attention: Any = layer.self_attn
    normed = layer.input_layernorm(x)
    by_head = (*x.shape[:-1], -1, attention.head_dim)
    q, k, v = (part(normed).view(by_head) for part in (attention.q_proj, attention.k_proj, attention.v_proj))
    if hasattr(attention, "q_norm"):
        q, k = attention.q_norm(q), attention.k_norm(k)
    q, k, v = (part.transpose(1, 2) for part in (q, k, v))
    q, k = sys.modules[type(attention).__module__].apply_rotary_pos_emb(q, k, cos, sin)
    return q, k, v


def finish(layer: Any, x: Tensor, attended: Tensor) -> Tensor:
    """A layer's output from its input and its attention, both of some tokens: [1, tokens, ...]."""
    x = x + layer.self_attn.o_proj(attended)
    return x + layer.mlp(layer.post_attention_layernorm(x))


def _causal(model: Any) -> Any:
    return model.get_base_model() if hasattr(model, "get_base_model") else model


def _strange_layer(layer: nn.Module) -> str | None:
    parts = {name for name, _ in layer.named_children()}
    if parts != _LAYER:
        return f"its layers have other parts than Llama's: {', '.join(sorted(parts ^ _LAYER))}"
    attention: Any = layer.self_attn
    parts = {name for name, _ in attention.named_children()}
    if parts - _NORMS != _ATTENTION or len(parts & _NORMS) == 1:
        return f"its attention has other parts than Llama's: {', '.join(sorted(parts ^ _ATTENTION))}"
    if not hasattr(sys.modules[type(attention).__module__], "apply_rotary_pos_emb"):
        return "its positions are not rotary"
    return "it has dropout in attention" if getattr(attention, "attention_dropout", 0.0) else None
