"""Old Word files (.doc) and rich text (.rtf): LibreOffice makes a .docx of them, and that is read.

LibreOffice takes anything for text, so what a file is gets looked at first.
"""

import os
import shutil
import signal
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path

from pipeline.errors import UserError
from pipeline.reports.archive import OLE_MAGIC, Archive
from pipeline.reports.blocks import Reading
from pipeline.reports.programs import program
from pipeline.reports.word import read_word
from pipeline.settings import Reports

_AS = "save it as .docx"
_WORD_STREAM, _LOCKED_STREAM = "WordDocument".encode("utf-16-le"), "EncryptedPackage".encode("utf-16-le")
_SHARE_OF_TIME = 0.9  # for LibreOffice: a reader that is ended from outside cannot tidy up after itself
_ITEM = '<item oor:path="/org.openoffice.{}"><prop oor:name="{}" oor:op="fuse"><value>{}</value></prop></item>'
_PROFILE = (
    ("Office.Common/Security/Scripting", "MacroSecurityLevel", 3),
    ("Office.Common/Security/Scripting", "DisableMacrosExecution", "true"),
    ("Office.Common/Security/Scripting", "BlockUntrustedRefererLinks", "true"),
    ("Office.Writer/Content/Update", "Link", 2),  # never
    # A file may ask for a picture or a template from elsewhere: a proxy where nobody answers.
    ("Inet/Settings", "ooInetProxyType", 2),
    ("Inet/Settings", "ooInetHTTPProxyName", "127.0.0.1"),
    ("Inet/Settings", "ooInetHTTPProxyPort", 9),
    ("Inet/Settings", "ooInetHTTPSProxyName", "127.0.0.1"),
    ("Inet/Settings", "ooInetHTTPSProxyPort", 9),
)


def read_office(path: Path, settings: Reports) -> Reading:
    """Read a .doc or .rtf by way of LibreOffice. The account is that of the .docx which it makes.

    Raises:
        UserError: LibreOffice is not installed, or the file is damaged, encrypted or something else.
    """
    _look_at(path)
    libreoffice = program("libreoffice")
    if libreoffice is None:
        raise UserError(
            f"is {path.suffix.lower()}, which is read through LibreOffice, and that is not installed",
            where=path,
            fix=f"install LibreOffice, or {_AS}",
        )
    with tempfile.TemporaryDirectory(prefix="memoria-office-") as folder:
        made = _converted(path, libreoffice, Path(folder), _SHARE_OF_TIME * settings.timeout_seconds)
        try:
            reading = read_word(made, settings)
        except UserError as error:  # it would name the passing file
            raise UserError(error.what, where=path, fix=_AS) from error
        reading.warnings.append(f"read through {_writer_of(made)}")
    return reading


def _look_at(path: Path) -> None:
    """Refuse what LibreOffice would read as the plain text that it is not."""
    data = path.read_bytes()
    if data.startswith(b"{\\rtf"):
        return
    if not data.startswith(OLE_MAGIC) or path.suffix.lower() == ".rtf":
        kind = "rich text" if path.suffix.lower() == ".rtf" else "Word document"
        raise UserError(f"is no {kind}", where=path, fix=f"open it in the program that it was written with and {_AS}")
    if _LOCKED_STREAM in data or _is_locked(data):
        raise UserError("is encrypted", where=path, fix="save it without a password")
    if _WORD_STREAM not in data:
        raise UserError("is no Word document", where=path, fix="look for the text that it belongs to")


def _is_locked(data: bytes) -> bool:
    """Does the Word stream's head say that it is encrypted? ([MS-CFB] 2.6.1, [MS-DOC] 2.5.2)"""
    entry = data.find(_WORD_STREAM)
    sector, size_bits = int.from_bytes(data[entry + 116 : entry + 120], "little"), data[30]
    head = data[(sector + 1) << size_bits :][:12] if entry >= 0 and size_bits in (9, 12) else b""
    return head[:2] == b"\xec\xa5" and bool(head[11] & 1)


def _converted(path: Path, libreoffice: str, folder: Path, timeout_seconds: float) -> Path:
    """The .docx that LibreOffice makes of a copy of the file, in a folder and with a profile of its own.

    The copy stands alone, so that no link in it leads to a file beside it.
    """
    user = folder / "profile" / "user"
    user.mkdir(parents=True)
    items = "".join(_ITEM.format(*item) for item in _PROFILE)
    namespace = 'xmlns:oor="http://openoffice.org/2001/registry"'
    (user / "registrymodifications.xcu").write_text(f"<oor:items {namespace}>{items}</oor:items>", "utf-8")
    is_rich_text = path.open("rb").read(5) == b"{\\rtf"
    copy = folder / ("report.rtf" if is_rich_text else "report.doc")
    shutil.copyfile(path, copy)
    pid_file = folder / "pid"
    command = [libreoffice, f"-env:UserInstallation={(folder / 'profile').as_uri()}", f"--pidfile={pid_file}"]
    command += ["--headless", "--norestore", "--nologo", "--nolockcheck", "--nodefault"]
    command += ["--convert-to", "docx", "--outdir", str(folder), str(copy)]
    # It stays in the process group of this reader, whose end is then its own. A pipe would wait for its child, too.
    nothing = subprocess.DEVNULL
    try:
        done = subprocess.run(command, stdin=nothing, stdout=nothing, stderr=nothing, timeout=timeout_seconds)
    except subprocess.TimeoutExpired as error:
        raise UserError(f"took LibreOffice longer than {timeout_seconds:g} s to open", where=path, fix=_AS) from error
    finally:
        _end(pid_file)
    made = copy.with_suffix(".docx")
    if not made.is_file():  # its exit code is 0 all the same
        why = "is damaged" if done.returncode == 0 else f"broke LibreOffice (exit {done.returncode})"
        raise UserError(f"{why}: LibreOffice cannot open it", where=path, fix=_AS)
    return made


def _end(pid_file: Path) -> None:
    """End LibreOffice itself if it still runs: what was started is only its doorman."""
    with suppress(OSError, ValueError):
        os.kill(int(pid_file.read_text()), signal.SIGKILL)


def _writer_of(made: Path) -> str:
    """The name and version of the program that wrote a .docx, as "LibreOffice 7.4.7.2"."""
    with Archive(made) as archive:
        properties = archive.part("docProps/app.xml")
        named = properties.findtext("{*}Application") if properties is not None else None
    return (named or "LibreOffice").split("$")[0].replace("/", " ")
