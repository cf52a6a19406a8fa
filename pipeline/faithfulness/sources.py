"""What the writer of a section was told, as sources to hold its text against.

A live draft and a held-out example are read by the same way back: from the messages that the one renderer makes.
"""

from collections.abc import Sequence

from pipeline.faithfulness.records import Source, Span
from pipeline.faithfulness.words import stems
from pipeline.records import Example, Language, Message, Window
from pipeline.windows import Brief, render
from pipeline.windows.prompt import told_by

FACTS, GUIDANCE, OUTLINE, WINDOW = "facts", "guidance", "outline", "window"


def sources_of_example(example: Example) -> list[Source]:
    """What stands in an example's prompt, in the order of trust: facts, guidance, outline, window.

    Raises:
        UserError: the example's prompt was made by another renderer.
    """
    return sources_of_messages(example.messages, example.language)


def sources_of_draft(window: Window, brief: Brief) -> list[Source]:
    """What the writer of a draft is told."""
    return sources_of_messages(render(window, brief), brief.language)


def sources_of_messages(messages: Sequence[Message], language: Language | None) -> list[Source]:
    """The parts of a prompt that say something; titles count to the outline."""
    told = told_by(messages)
    brief = Brief(
        report_title=told.report_title,
        section_title=told.section_title,
        language=language,
        guidance=told.guidance,
        facts=told.facts,
    )
    return sources_of_brief(brief, told.outline, told.window)


def sources_of_brief(brief: Brief, outline: str, window: str, window_name: str = WINDOW) -> list[Source]:
    """A brief, the report's headings and the text of other sections as sources; those that are empty are none."""
    facts = "\n".join(f"- {fact}" for fact in brief.facts)
    titles = "\n".join(filter(None, (brief.report_title, outline, brief.section_title)))
    sources = (
        Source(FACTS, facts, brief.language, _owed_facts(brief)),
        Source(GUIDANCE, brief.guidance, brief.language, ((0, len(brief.guidance)),)),
        Source(OUTLINE, titles, brief.language),
        Source(window_name, window, brief.language),
    )
    return [source for source in sources if source.text.strip()]


def _owed_facts(told: Brief) -> tuple[Span, ...]:
    """The lines of the facts that are about this section: its heading has a word of theirs.

    The facts are the whole project's: a section need not tell the others.
    """
    subject = stems(told.section_title)
    owed, start = [], 0
    for fact in told.facts:
        end = start + len("- ") + len(fact)
        if stems(fact) & subject:
            owed.append((start, end))
        start = end + 1
    return tuple(owed)
