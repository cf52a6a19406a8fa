"""What a run says while it goes on."""

from collections.abc import Callable


class Voice:
    """Says lines to whoever listens, keeps the warnings, and knows what is in hand when something fails."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self.say = say
        self.warnings: list[str] = []
        self.at = "the start"

    def warn(self, line: str) -> None:
        """Say what the user ought to know, and keep it for the run's document."""
        self.warnings.append(line)
        self.say(f"Warning: {line}")
