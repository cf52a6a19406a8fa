"""Days that files say of themselves."""

from datetime import date


def iso_day(text: str | None) -> date | None:
    """The day at the beginning of a text like 2024-05-06T10:00:00; None if there is none, or nonsense."""
    try:
        return date.fromisoformat((text or "").strip()[:10])
    except ValueError:
        return None
