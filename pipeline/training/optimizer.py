"""The optimiser of the adapter's parameters, chosen by name; what was chosen, and why not another, is told."""

from collections.abc import Iterable
from typing import Literal

import torch

Named = Literal["adamw", "adamw_8bit", "paged_adamw_8bit"]

_TRIED_NUMBERS = 1 << 17  # bitsandbytes pages and packs only what is large
_FALLBACK: dict[Named, Named] = {"paged_adamw_8bit": "adamw_8bit", "adamw_8bit": "adamw"}


def resolve_optimizer(wanted: Literal["auto"] | Named) -> tuple[Named, str | None]:
    """The optimiser that works here, and why it is not the one asked for (None: it is).

    `auto`: paged 8-bit AdamW on a card; on a CPU, where memory is not short, exact 32 bits. From paged 8-bit AdamW one
    falls back to the same without pages, and from there to AdamW in 32 bits.
    """
    on_card = torch.cuda.is_available()
    if wanted == "auto":
        wanted = "paged_adamw_8bit" if on_card else "adamw"
    name, reasons = wanted, list[str]()
    while reason := _why_not(name, on_card):
        reasons.append(reason)
        name = _FALLBACK[name]
    if not reasons:
        return name, None
    return name, f"{wanted} cannot be used ({'; '.join(reasons)}): {name} is used in its place"


def make_optimizer(name: Named, parameters: Iterable[torch.nn.Parameter], rate: float) -> torch.optim.Optimizer:
    """AdamW (Loshchilov & Hutter, 2017) without weight decay: a low-rank adapter is regular enough.

    Its two moments are kept in 32 bits (adamw) or in blocks of 8 bits (Dettmers et al., "8-bit Optimizers via
    Block-wise Quantization", 2021), whatever type the parameters have.
    """
    trained = [parameter for parameter in parameters if parameter.requires_grad]
    if name == "adamw" and all(parameter.dtype == torch.float32 for parameter in trained):
        return torch.optim.AdamW(trained, lr=rate, weight_decay=0.0)
    from bitsandbytes.optim import AdamW8bit, AdamW32bit, PagedAdamW8bit

    kind = {"adamw": AdamW32bit, "adamw_8bit": AdamW8bit, "paged_adamw_8bit": PagedAdamW8bit}[name]
    return kind(trained, lr=rate, weight_decay=0.0)


def _why_not(name: Named, on_card: bool) -> str | None:
    if name == "adamw":
        return None
    if name == "paged_adamw_8bit" and not on_card:
        return "there is no card whose memory could be paged"
    return _fault(name, "cuda" if on_card else "cpu")


def _fault(name: Named, device: str) -> str | None:
    """What goes wrong when the optimiser takes a step on numbers of no meaning; None: nothing."""
    number = torch.nn.Parameter(torch.zeros(_TRIED_NUMBERS, device=device))
    number.grad = torch.ones_like(number)
    try:
        make_optimizer(name, [number], 1e-3).step()
    except Exception as error:  # a library without its kernels, a driver without pages: whatever it raises
        return f"{name}: {type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}".rstrip(": ")
    return None if (number < 0).all() else f"{name}: its step is wrong"
