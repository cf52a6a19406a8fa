"""Examples as token ids, by the base's own chat template.

[ system · window · heading to write · assistant's turn begins ][ the section's text · end of turn ]
  prompt_ids: read, no loss                                       target: the loss is on these alone
                                                                 ^ target_start
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pipeline.records import Example, Message
from pipeline.windows.controls import without_controls

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase


@dataclass(frozen=True)
class Encoded:
    """Token ids of one example; `input_ids[target_start:]` is the target, the end-of-turn token included."""

    input_ids: list[int]
    target_start: int

    @property
    def prompt_ids(self) -> list[int]:
        """What the model reads before it writes."""
        return self.input_ids[: self.target_start]

    @property
    def targets(self) -> range:
        """Positions of the tokens that carry loss."""
        return range(self.target_start, len(self.input_ids))


def encode_prompt(tokenizer: "PreTrainedTokenizerBase", messages: tuple[Message, ...]) -> list[int]:
    """The prompt's ids up to and with the opening of the assistant's turn; thinking off where the template knows it."""
    turns = [{"role": message.role, "content": message.content} for message in messages]
    prompt = tokenizer.apply_chat_template(turns, add_generation_prompt=True, enable_thinking=False, tokenize=False)
    return tokenizer.encode(str(prompt), add_special_tokens=False)


def encode(tokenizer: "PreTrainedTokenizerBase", example: Example) -> Encoded:
    """Prompt, target and end of turn. Nothing is cut."""
    prompt = encode_prompt(tokenizer, example.messages)
    target = tokenizer.encode(without_controls(example.target), add_special_tokens=False)
    return Encoded([*prompt, *target, tokenizer.eos_token_id], len(prompt))
