"""Scanned pages get a layer of text from ocrmypdf, if it is installed and the settings ask for it."""

import subprocess
from pathlib import Path

import pypdfium2.raw as pdfium

from pipeline.errors import UserError
from pipeline.reports.pdf.source import open_pdf
from pipeline.reports.programs import program
from pipeline.settings import Reports

PROGRAM = "ocrmypdf"
PATIENCE_SHARE = 0.9  # of the time that the reading of a file may take: what is read must still be understood
_BY_HAND = f"give it a text layer first, for instance with {PROGRAM}"
# Exit codes that ocrmypdf documents, and what they say of the file or the machine.
_WHY = {
    1: "was called in a way that it does not know",
    2: "cannot open the file",
    3: "lacks a program that it needs",
    4: "made a file that is no PDF",
    5: "may not read the file, or not write beside it",
    7: "lost a program that it had started",
    8: "cannot read an encrypted file",
    9: "has a configuration of tesseract that is wrong",
}


def is_installed() -> bool:
    """Whether ocrmypdf is on the path."""
    return program(PROGRAM) is not None


def with_text_layer(path: Path, settings: Reports, folder: Path) -> Path:
    """A copy of a PDF in `folder` whose pages without text have been recognised; the others stay as they are.

    Raises:
        UserError: ocrmypdf is not installed, lacks a language, fails, or takes too long.
    """
    ocrmypdf = program(PROGRAM)
    if ocrmypdf is None:
        raise UserError(
            f"is scanned, and {PROGRAM}, which would read it, is not installed",
            where=path,
            fix=f"install {PROGRAM} and tesseract's {settings.ocr_languages.replace('+', ', ')}",
        )
    plain, made = folder / "plain.pdf", folder / "read.pdf"
    _without_password(path, plain)
    command = [ocrmypdf, "--skip-text", "--quiet", "--output-type", "pdf", "-l", settings.ocr_languages]
    nothing = subprocess.DEVNULL
    with (folder / "said").open("w+b") as said:  # a pipe would wait for every child
        try:
            done = subprocess.run(
                [*command, str(plain), str(made)],
                stdin=nothing,
                stdout=nothing,
                stderr=said,
                timeout=PATIENCE_SHARE * settings.timeout_seconds,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise UserError(
                f"is scanned, and {PROGRAM} did not read it in {settings.timeout_seconds:g} s",
                where=path,
                fix=f"raise reports.timeout_seconds, or {_BY_HAND}",
            ) from error
        said.seek(0)
        message = said.read().decode("utf-8", "replace")
    if done.returncode or not made.is_file():
        raise _failed(path, settings.ocr_languages, done.returncode, message)
    return made


def _without_password(path: Path, plain: Path) -> None:
    """A copy that is not encrypted, for ocrmypdf refuses even the empty password."""
    document = open_pdf(path)
    try:
        document.save(plain, flags=pdfium.FPDF_REMOVE_SECURITY)
    finally:
        document.close()


def _failed(path: Path, languages: str, code: int, message: str) -> UserError:
    if code == 3 and "language" in message.lower():
        missing = [language for language in languages.split("+") if f"\n{language}" in message]
        named = ", ".join(missing) or languages
        return UserError(
            f"is scanned, and tesseract lacks the language {named}",
            where=path,
            fix="install its data, or name others in reports.ocr_languages",
        )
    return UserError(f"is scanned, and {PROGRAM} {_WHY.get(code, f'failed (exit {code})')}", where=path, fix=_BY_HAND)
