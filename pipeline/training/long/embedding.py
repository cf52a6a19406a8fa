"""The embedding in host memory: a text needs few of its rows, and it is as large as the head (0.8 to 1.2 GiB at 8B)."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from transformers import PreTrainedModel


def embedding_to_host(model: "PreTrainedModel") -> bool:
    """Move a frozen embedding to the host for good: ids go there, their rows come to the card.

    Returns:
        False, and nothing is moved, where the head is the same matrix: the head computes on the card.
    """
    embedding, head = model.get_input_embeddings(), model.get_output_embeddings()
    if head is not None and head.weight is embedding.weight:
        return False
    card = embedding.weight.device
    embedding.to("cpu")
    embedding.register_forward_pre_hook(lambda _, inputs: (inputs[0].to("cpu"), *inputs[1:]))
    embedding.register_forward_hook(lambda _, __, rows: rows.to(card))
    return True
