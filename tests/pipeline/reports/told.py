"""What a report tells, in the short forms that tests compare."""

from pipeline.records import Report


def text(report: Report) -> str:
    """The text of all sections."""
    return "\n\n".join(section.text for section in report.sections)


def outline(report: Report) -> list[tuple[int, str]]:
    """Level and title of each section."""
    return [(section.level, section.title) for section in report.sections]
