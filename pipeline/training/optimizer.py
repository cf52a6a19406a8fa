"""The optimiser of the adapter's parameters, chosen by name; what was chosen is told, never guessed."""

from collections.abc import Iterable
from typing import Literal

import torch

Named = Literal["adamw", "paged_adamw_8bit"]


def resolve_optimizer(wanted: Literal["auto", "adamw", "paged_adamw_8bit"]) -> Named:
    """`auto`: paged 8-bit AdamW on a card; on a CPU, where memory is not short, exact 32 bits."""
    if wanted == "auto":
        return "paged_adamw_8bit" if torch.cuda.is_available() else "adamw"
    return wanted


def make_optimizer(name: Named, parameters: Iterable[torch.nn.Parameter], rate: float) -> torch.optim.Optimizer:
    """AdamW (Loshchilov & Hutter, 2017) without weight decay: a low-rank adapter is regular enough."""
    trained = [parameter for parameter in parameters if parameter.requires_grad]
    if name == "adamw":
        return torch.optim.AdamW(trained, lr=rate, weight_decay=0.0)
    from bitsandbytes.optim import PagedAdamW8bit

    return PagedAdamW8bit(trained, lr=rate, weight_decay=0.0)
