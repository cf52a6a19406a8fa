"""Footnotes: small lines at a page's end that begin with the mark which the text carries, raised, after a word."""

import re
from collections.abc import Sequence
from dataclasses import replace

from pipeline.reports.pdf.lines import Line, Note

SMALLER_THAN_TEXT = 0.95
_LABELLED = re.compile(r"(?P<label>\d{1,3}|[*†‡§]{1,3})[.)]?\s*(?=\S)")


def with_notes(page: Sequence[Line], text_size: float) -> list[Line]:
    """One column's lines, its footnotes hung on the lines that refer to them, whose marks are written as Markdown does.

    A footnote whose mark nobody finds hangs on the last line. `text_size` is what notes are smaller than.
    """
    first = _first_of_notes(page, text_size)
    if first is None:
        return list(page)
    body = list(page[:first])
    for lines in _parted(page[first:]):
        label = _label(lines[0])
        note = Note(label, (replace(lines[0], text=lines[0].text[_length(lines[0]) :]), *lines[1:]))
        at = _marked(body, label)
        line = body[-1] if at is None else _with_reference(body[at], label)
        body[len(body) - 1 if at is None else at] = replace(line, notes=(*line.notes, note))
    return body


def _first_of_notes(page: Sequence[Line], text_size: float) -> int | None:
    """Index of the first line of the notes: the last lines of the page, all of them small, the first with a
    label that is raised, or that the text carries."""
    first = None
    for index in range(len(page) - 1, -1, -1):
        line = page[index]
        if line.size > SMALLER_THAN_TEXT * text_size or not line.upright:
            break
        if line.label or (_starts_note(line) and _marked(page[:index], _label(line)) is not None):
            first = index
    return first if first else None


def _starts_note(line: Line) -> bool:
    return bool(line.label) or _LABELLED.match(line.text) is not None


def _label(line: Line) -> str:
    match = _LABELLED.match(line.text)
    return line.label or (match["label"] if match else "")


def _length(line: Line) -> int:
    """How many characters of a note's first line are its label."""
    match = _LABELLED.match(line.text)
    return match.end() if match else len(line.label)


def _parted(lines: Sequence[Line]) -> list[list[Line]]:
    """The lines of each note. A number at a line's start counts only if it goes on from the last label."""
    notes: list[list[Line]] = []
    for line in lines:
        label = _label(line)
        last = _label(notes[-1][0]) if notes else ""
        follows = not last.isdigit() or not label.isdigit() or int(label) == int(last) + 1
        if not notes or (_starts_note(line) and follows and (line.label or not notes[-1][0].label)):
            notes.append([line])
        else:
            notes[-1].append(line)
    return notes


def _marked(body: Sequence[Line], label: str) -> int | None:
    """Index of the line whose text carries a mark; the last, as a number may come again as a power."""
    for index in range(len(body) - 1, -1, -1):
        if any(body[index].text[start:end] == label for start, end in body[index].marks):
            return index
    return None


def _with_reference(line: Line, label: str) -> Line:
    """The line with its raised mark written as a reference to a note."""
    for start, end in reversed(line.marks):
        if line.text[start:end] == label:
            text = f"{line.text[:start]}[^{label}]{line.text[end:]}"
            shift = len(text) - len(line.text)
            marks = tuple((s + shift, e + shift) if s > start else (s, e) for s, e in line.marks if s != start)
            return replace(line, text=text, marks=marks)
    return line
