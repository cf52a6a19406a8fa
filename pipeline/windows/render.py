"""The one renderer: a window and a brief become the chat messages that the model sees.

Training, evaluation and the drafting app all call `render`, so that the model meets at work what it met in training.
What changes least stands first, so that a server with a prefix cache reads it once for many sections:

    system   who you are and what to do, in the report's language
    user     title · outline · the window, older before newer · facts · guidance · the heading to write

Where a whole report is one example, `render_report` asks for all of it in the same words.
"""

from collections.abc import Sequence

from pipeline.records import Language, Message, Section, Window, WrittenLanguage
from pipeline.windows.controls import without_controls
from pipeline.windows.pieces import heading_line
from pipeline.windows.plan import Brief, Plan

WORDS: dict[WrittenLanguage, dict[str, str]] = {
    "ca": {
        "system": "Redactes memòries de subvencions. Escriu l'apartat que es demana amb les dades de la memòria i els "
        "fets donats, en la mateixa llengua i estil. No inventis cap xifra, data ni nom.",
        "report": "Memòria",
        "outline": "Índex",
        "facts": "Fets",
        "guidance": "Indicacions",
        "write": "Escriu l'apartat",
        "write all": "Escriu la memòria sencera",
    },
    "es": {
        "system": "Redactas memorias de subvenciones. Escribe el apartado que se pide con los datos de la memoria y "
        "los hechos dados, en la misma lengua y estilo. No inventes ninguna cifra, fecha ni nombre.",
        "report": "Memoria",
        "outline": "Índice",
        "facts": "Hechos",
        "guidance": "Indicaciones",
        "write": "Escribe el apartado",
        "write all": "Escribe la memoria entera",
    },
    "en": {
        "system": "You write grant reports. Write the section asked for from what the report says and the facts given, "
        "in the same language and style. Do not invent any figure, date or name.",
        "report": "Report",
        "outline": "Outline",
        "facts": "Facts",
        "guidance": "Guidance",
        "write": "Write the section",
        "write all": "Write the whole report",
    },
}


def render(window: Window, brief: Brief, written: str = "") -> tuple[Message, ...]:
    """System and user message for one section; with a third, the assistant's, where it is to go on from `written`.

    Where the product does not speak the section's language, the model is addressed in English.
    """
    words = _words(brief.language)
    pieces = [f"{words['report']}: {brief.report_title}"]
    if window.outline:
        pieces.append(f"{words['outline']}:\n{window.outline}")
    pieces += [_part(part.level, part.title, part.text) for part in window.parts]
    if brief.facts:
        pieces.append("\n".join((f"{words['facts']}:", *(f"- {fact}" for fact in brief.facts))))
    if brief.guidance.strip():
        pieces.append(f"{words['guidance']}: {brief.guidance.strip()}")
    pieces.append(f"{words['write']}: {brief.section_title}")
    asked = (
        Message(role="system", content=words["system"]),
        Message(role="user", content=without_controls("\n\n".join(pieces))),
    )
    return (*asked, Message(role="assistant", content=without_controls(written))) if written.strip() else asked


def render_report(plan: Plan, sections: Sequence[Section]) -> tuple[tuple[Message, ...], str]:
    """A whole report as one answer: what is asked (title and all headings), and the report in Markdown.

    Every section is written with all that stands before it in sight, and none needs a window.
    """
    words = _words(plan.language)
    outline = "\n".join(f"{'  ' * (heading.level - 1)}- {heading.title}" for heading in plan.headings)
    pieces = (f"{words['report']}: {plan.title}", f"{words['outline']}:\n{outline}", words["write all"])
    asked = (
        Message(role="system", content=words["system"]),
        Message(role="user", content=without_controls("\n\n".join(pieces))),
    )
    return asked, "\n\n".join(_part(section.level, section.title, section.text) for section in sections)


def _words(language: Language | None) -> dict[str, str]:
    return next((words for written, words in WORDS.items() if written == language), WORDS["en"])


def _part(level: int, title: str, text: str) -> str:
    heading = heading_line(level, title)
    return f"{heading}\n\n{text.strip()}" if text.strip() else heading
