"""The renderer backwards: what a prompt tells, found in its messages.

An Example keeps the messages alone; whoever holds its text against what its writer was told needs them in parts again.
"""

from collections.abc import Sequence

from pipeline.errors import UserError
from pipeline.records import Message, Record
from pipeline.windows.render import WORDS


class Told(Record):
    """The parts of a prompt as they were laid out. `window` is Markdown, headings and all; `facts` have no bullets."""

    report_title: str
    outline: str = ""
    window: str = ""
    facts: tuple[str, ...] = ()
    guidance: str = ""
    section_title: str = ""


def told_by(messages: Sequence[Message]) -> Told:
    """The parts of a prompt that `render` or `render_report` made.

    Raises:
        UserError: another renderer made it.
    """
    by_role = {message.role: message.content for message in messages[:2]}
    words = next((words for words in WORDS.values() if words["system"] == by_role.get("system")), None)
    body = by_role.get("user", "")
    if words is None or not body.startswith(f"{words['report']}: "):
        raise UserError("a prompt was not laid out by this version", fix="build the examples again")
    title, _, body = body.removeprefix(f"{words['report']}: ").partition("\n\n")
    if body.endswith(words["write all"]):
        body, asked = body.removesuffix(words["write all"]), ""
    else:
        body, _, asked = f"\n\n{body}".rpartition(f"\n\n{words['write']}: ")
    body = f"\n\n{body.strip(chr(10))}"
    body, guidance = _cut_off(body, f"\n\n{words['guidance']}: ")
    before, listed = _cut_off(body, f"\n\n{words['facts']}:\n- ")
    facts = listed.split("\n- ") if listed else []
    if any("\n" in fact for fact in facts):  # the window has a list under that word
        before, facts = body, []
    outline = ""
    window = before.strip("\n")
    if window.startswith(f"{words['outline']}:\n"):
        outline, _, window = window.removeprefix(f"{words['outline']}:\n").partition("\n\n")
    return Told(
        report_title=title,
        outline=outline,
        window=window,
        facts=tuple(facts),
        guidance=guidance,
        section_title=asked,
    )


def _cut_off(body: str, beginning: str) -> tuple[str, str]:
    """What stands before the last part that begins so, and that part; all and nothing if there is none."""
    before, found, part = body.rpartition(beginning)
    return (before, part) if found else (body, "")
