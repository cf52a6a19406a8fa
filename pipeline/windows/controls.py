"""Words that a chat template takes for orders: `<|im_end|>` in a report would end the turn that it stands in."""

import re

_CONTROL = re.compile(r"<\|(?=[^|<>\s]+\|>)")
MOST_TOKENS = 12  # that such a word may have once it is no order any more; as an order it has one


def without_controls(text: str) -> str:
    """Text that no chat template takes for an order."""
    return _CONTROL.sub("< |", text)


def count_controls(text: str) -> int:
    """How many such words there are in a text."""
    return len(_CONTROL.findall(text)) if "<|" in text else 0
