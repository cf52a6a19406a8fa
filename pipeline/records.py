"""The records that flow through the house. All are frozen; each is named by the SHA-256 of its canonical JSON.

    Report ── Section ── Block            what a file says
       │         │
       │         └── Window ── WindowPart what the writer of a section may look back at
       │                │
       └────────────────┴── Example       window -> section, as chat messages and the true text
                               │
    Base ──────────────────── Adapter     a model, and what training added to it
                                  │
                                Draft     what the model wrote for a person's section
                                  │
                                Score     how good it is: value, interval, signature

A derived record names its parents by id. Where a thing lies on this disk is no part of what it is.
"""

import hashlib
import json
from collections.abc import Mapping
from datetime import date
from functools import cached_property
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import BaseModel, ConfigDict, StringConstraints

Language = Annotated[str, StringConstraints(pattern=r"^[a-z]{2,3}$")]  # ISO 639: what a text is written in
WrittenLanguage = Literal["ca", "es", "en"]  # those that the product itself writes and speaks


def digest(payload: Any) -> str:
    """SHA-256 (hex) of the canonical JSON of `payload`: sorted keys, no spaces, UTF-8."""
    text = json.dumps(payload, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


SHORTEST_ID_PREFIX = 4  # fewer digits of an id are taken for a name or a number


def short(identity: str) -> str:
    """The first 12 digits of an id: enough to tell things apart on a screen and in a path."""
    return identity[:12]


class Record(BaseModel):
    """A frozen value with an identity made of its content."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    not_identity: ClassVar[frozenset[str]] = frozenset()  # fields that say where or when, not what

    @cached_property
    def id(self) -> str:
        payload = self.model_dump(mode="json", exclude=set(self.not_identity))
        return digest({"record": type(self).__name__, **payload})

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """A copy with other values, as in pydantic; what was worked out from the old ones (`id`) is not copied."""
        copied = super().model_copy(update=update, deep=deep)
        for name in copied.__dict__.keys() - type(self).model_fields.keys():
            del copied.__dict__[name]
        return copied


BlockKind = Literal["paragraph", "list_item", "table", "note", "caption"]


class Block(Record):
    """One piece of a section, as Markdown. A table is one block: a line per row, the first the header."""

    kind: BlockKind
    text: str


class Section(Record):
    """A heading and what stands under it, up to the next heading of any level.

    `path` holds the headings from the top down to this one, `number` the number as printed ("3.2"), if any.
    `document` names the text it stands in (a file's digest, or a project's id), `position` its place there.
    """

    document: str
    position: int
    level: int
    number: str | None = None
    heading: str
    path: tuple[str, ...]
    language: Language | None = None
    blocks: tuple[Block, ...] = ()

    @cached_property
    def text(self) -> str:
        """The section's Markdown without its heading; blocks are parted by an empty line, list items by none."""
        pieces: list[str] = []
        for before, block in zip((None, *self.blocks), self.blocks, strict=False):
            if before is not None:
                pieces.append("\n" if before.kind == block.kind == "list_item" else "\n\n")
            pieces.append(block.text)
        return "".join(pieces)

    @property
    def title(self) -> str:
        """Heading with its number in front."""
        return f"{self.number} {self.heading}" if self.number else self.heading


class Comment(Record):
    """A remark of a reviewer, kept beside the text: `section` is the position of the section that it hangs on.

    `about` holds the words that it is about, as far as the file marks them.
    """

    section: int
    author: str | None = None
    about: str = ""
    text: str


class Characters(Record):
    """Where every visible character of a file went: visible = read + sum(left_out) + unaccounted.

    What is kept beside the text, as comments are, counts as read.
    """

    visible: int
    read: int
    left_out: dict[str, int] = {}
    unaccounted: int = 0


class Report(Record):
    """What one file says: its sections in order. The text before the first heading is a section too.

    `created` and `modified` are what the file says of itself, not its dates on a disk.
    """

    not_identity = frozenset({"file"})

    file: str
    source_sha256: str
    reader: str
    title: str
    language: Language | None
    created: date | None = None
    modified: date | None = None
    sections: tuple[Section, ...]
    comments: tuple[Comment, ...] = ()
    characters: Characters
    warnings: tuple[str, ...] = ()


class Span(Record):
    """Characters [start, end) of a section's text, and why a window keeps them."""

    start: int
    end: int
    reason: str


class WindowPart(Record):
    """What the window keeps of one earlier section: `spans` of its text, and in `text` what the model sees of them.

    An ellipsis marks each cut. `tokens` counts heading and text as rendered; `share_kept` is of the text alone.
    """

    section: str
    title: str
    level: int
    spans: tuple[Span, ...]
    text: str
    tokens: int
    share_kept: float

    @property
    def reason(self) -> str:
        """Why what is kept is kept, in few words."""
        return ", ".join(dict.fromkeys(span.reason for span in self.spans)) or "heading only"


class Window(Record):
    """The best `budget_tokens` of what came before a section. Parts stand in document order.

    `outline` has the headings of the whole report, a line each; sections of which no text is kept are no parts.
    """

    document: str
    section: str
    policy: str
    tokenizer: str
    budget_tokens: int
    used_tokens: int
    outline: str
    outline_tokens: int
    parts: tuple[WindowPart, ...]


class Message(Record):
    """One turn of a chat."""

    role: Literal["system", "user", "assistant"]
    content: str


class Example(Record):
    """One training pair: the prompt (window, guidance, heading) as messages, and the section's true text.

    Without a section (and so without a window), the target is the whole report.
    """

    report: str
    source_sha256: str
    section: str | None
    window: str | None
    language: Language | None
    messages: tuple[Message, ...]
    target: str


class Base(Record):
    """A model to build on: a folder in Hugging Face's format. `sliced_from` names the base it was cut from."""

    not_identity = frozenset({"path"})

    name: str
    fingerprint: str
    rows: int
    sliced_from: str | None = None
    path: str


class Adapter(Record):
    """What one training run added to a base; `examples` and `settings` are the digests of what it learned from.

    `windows` are the settings of the windows that it knows, and that it must meet at work.
    """

    not_identity = frozenset({"path", "base_path", "created"})

    base: str
    base_path: str
    examples: str
    windows: dict[str, Any]
    settings: str
    run: str
    weights_sha256: str
    path: str
    created: str


class Draft(Record):
    """One version of a section's text in a project, and what it was written from (None: by a person)."""

    not_identity = frozenset({"created"})

    project: str
    section: str
    text: str
    window: str | None = None
    adapter: str | None = None
    instruction: str | None = None
    finish: Literal["whole", "stopped", "clipped", "edited", "accepted"] = "edited"
    created: str


class Score(Record):
    """A measured value with its 95% interval. `signature` says what was measured, by which version, and how."""

    name: str
    signature: str
    value: float
    low: float
    high: float
    n: int
