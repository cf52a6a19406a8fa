"""What people should know before they train, each said only where it applies.

Sources: Biderman et al., "LoRA Learns Less and Forgets Less" (2024, arXiv 2405.09673): Llama-2-7B on code and
mathematics, instruction tuning and continued pretraining. Gekhman et al., "Does Fine-Tuning LLMs on New Knowledge
Encourage Hallucinations?" (EMNLP 2024, arXiv 2405.05904): question answering without a source at hand.
"""

from pipeline.card import gib
from pipeline.memory.run import Method

NARROW_SHARE = 0.05
"""Of what is usable, below which what stays free is too little to rest on."""
_FAR_APART = 1.2


def margin_caution(peak_bytes: int, usable_bytes: int, *, bytes_a_token: float | None = None) -> str | None:
    """What little stays free can do; None: it does not fit anyway, or there is room.

    Args:
        bytes_a_token: what the peak grows by for each token of the longest example.
    """
    free = usable_bytes - peak_bytes
    if not 0 <= free < NARROW_SHARE * usable_bytes:
        return None
    tokens = f"an example {max(1, int(free / bytes_a_token)):,} tokens longer" if bytes_a_token else "a longer example"
    return (
        f"Only {gib(free)} stay free of {gib(usable_bytes)}: {tokens} than planned, or another program that takes "
        f"memory of the card, ends the run. Leave {gib(NARROW_SHARE * usable_bytes)} at least."
    )


def download_caution(download_bytes: int, peak_bytes: int) -> str | None:
    """A model's file says little of what its training takes; None: here both are about the same."""
    if max(peak_bytes / download_bytes, download_bytes / peak_bytes) < _FAR_APART:
        return None
    less = "less" if peak_bytes < download_bytes else "more"
    return (
        f"Do not judge by the download's size: it is {gib(download_bytes)}, training takes {less}, {gib(peak_bytes)}: "
        "weights in another precision, gradients, the optimiser's state, and what grows with an example's length."
    )


def knowledge_caution(method: Method) -> str:
    """Where facts are to be learned: true of all fine-tuning, and of an adapter the more."""
    adapter = "" if method == "full" else " An adapter learns less of a new field still (Biderman et al., 2024)."
    return (
        "Fine-tuning is a poor way to teach facts: what is new to the model is learned late, and the more of it is "
        f"learned, the more the model makes up (Gekhman et al., 2024).{adapter} Train how to write; give facts with "
        "the question."
    )


def language_caution(method: Method, language: str) -> str | None:
    """Where the base does not know a language; None: all weights are trained.

    Args:
        language: its name, as a person reads it.
    """
    if method == "full":
        return None
    return (
        f"An adapter is no way to teach a base {language}: in continued pretraining on code and mathematics, LoRA fell "
        "well behind training all weights, whose changes had 10 to 100 times its usual rank (Biderman et al., 2024); "
        "that a language is no easier is our guess. Choose a base that knows it."
    )


def forgetting_caution(method: Method) -> str | None:
    """Where all weights are trained: what an adapter would spare; None: an adapter is trained."""
    if method != "full":
        return None
    return (
        "Training all weights learns more than an adapter does, and forgets more of what the base could do (Biderman "
        "et al., 2024): examine it on other tasks as well, and keep the base."
    )
