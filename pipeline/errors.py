"""What can go wrong, by what the one who meets it should do.

    MemoriaError
    ├── UserError       fix it yourself: the text says what, where, and what to do (exit code 2)
    ├── TransientError  try again: a busy port, a server that is starting (flows retry these)
    └── FatalError      give up: the state on disk is broken, or an assumption of ours is wrong

Bugs of our own raise AssertionError or ValueError and keep their traceback.
"""


class MemoriaError(Exception):
    """A failure that is told in one line: what, where, what to do."""

    def __init__(self, what: str, *, where: object = None, fix: str | None = None) -> None:
        self.what, self.where, self.fix = what, where, fix
        super().__init__(self.line)

    @property
    def line(self) -> str:
        """The one line that a person reads."""
        place = f"{self.where}: " if self.where is not None else ""
        remedy = f". {self.fix[0].upper()}{self.fix[1:]}" if self.fix else ""
        return " ".join(f"{place}{self.what.rstrip('.')}{remedy}".split())  # other people's texts may hold line ends

    def __reduce__(self) -> tuple[object, ...]:
        # Errors cross process borders (one report, one process), and the default would lose the keywords.
        return _rebuild, (type(self), self.what, None if self.where is None else str(self.where), self.fix)


def _rebuild(kind: type[MemoriaError], what: str, where: str | None, fix: str | None) -> MemoriaError:
    return kind(what, where=where, fix=fix)


class UserError(MemoriaError):
    """The user can mend this: a broken file, a missing package, a setting out of range."""


class TransientError(MemoriaError):
    """May pass by itself: worth a retry after a pause."""


class FatalError(MemoriaError):
    """Neither the user nor a retry can mend this: something on disk is not what was written."""
