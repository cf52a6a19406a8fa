"""The `memoria` command: each verb a few lines over a library function.

    reports.py    ingest  outline                     files in, and what was read of them
    window.py     window                              what the model sees before a section
    plan.py       plan                                will it fit, and what to change if not
    training.py   slice  train  evaluate  adapters    a better adapter, proved
    serving.py    serve  app  demo                    a model at work
    machine.py    doctor  flows                       what this machine has; the road as flows

Exit codes: 0 done; 1 the answer is no; 2 the user must mend something (one line: what, where, what to do).
"""

import io
import logging
import os
import sys
import warnings

import typer

from copilot.cli import machine, plan, reports, serving, training, window
from copilot.cli.terminal import Terminal
from pipeline.errors import MemoriaError, UserError
from pipeline.privacy import turn_telemetry_off

app = typer.Typer(
    name="memoria",
    help="A copilot for long grant reports: reads your archive, trains a small model, helps to write the next one.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
for room in (reports, window, plan, training, serving, machine):
    room.add_to(app)


def main() -> None:
    """Run the command; a failure that the user can mend is one line, not a traceback."""
    turn_telemetry_off()
    if isinstance(sys.stdout, io.TextIOWrapper):
        # JSON is UTF-8, whatever the terminal's language is; what no UTF-8 can hold becomes JSON's own \\udcff.
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
    _share_the_processor()
    _hush_libraries()
    try:
        app()
    except MemoriaError as error:
        Terminal().say(f"memoria: {error.line}")
        sys.exit(2)
    except OSError as error:  # a disk, a right or a name; where it can be told better, it was told below
        told = UserError(error.strerror or str(error), where=error.filename, fix="mend it, then run the same again")
        Terminal().say(f"memoria: {told.line}")
        sys.exit(2)
    except KeyboardInterrupt:
        Terminal().say("memoria: stopped; the same command goes on from here")
        sys.exit(130)


def _hush_libraries() -> None:
    """Warnings of libraries are for developers (`python -W default -m copilot.cli` shows them), not for users."""
    if not sys.warnoptions:
        warnings.simplefilter("ignore")
        logging.getLogger("bitsandbytes").setLevel(logging.ERROR)


def _share_the_processor() -> None:
    """Let threads of the arithmetic sleep while they wait for one another.

    By default they spin, and where another program wants a core of the machine, training takes eight times as long.
    """
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
