"""Old Word files and rich text: what they are is looked at first, then LibreOffice makes a .docx of them."""

import socketserver
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import pytest

from pipeline.errors import UserError
from pipeline.reports import office, read_report
from pipeline.reports.office import read_office
from pipeline.reports.programs import program
from pipeline.settings import Reports

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
PROGRAM = program("libreoffice")
needs_libreoffice = pytest.mark.skipif(PROGRAM is None, reason="LibreOffice is not installed")
RICH_TEXT = r"""{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Arial;}}
{\stylesheet{\s0 Normal;}{\s1\outlinelevel0 heading 1;}}
{\info{\title Nothing}{\creatim\yr2021\mo3\dy4}}
{\s1\outlinelevel0 Objectius\par}{\s0 La cooperaci\'f3 ha estat bona.\par}
{\s1\outlinelevel0 Mitjans\par}{\s0 Dos pobles{\v amagat}.\par}%s}"""


def ole(stream: str, more: bytes = b"") -> bytes:
    """The beginning of a compound file whose directory has one stream, which begins with `more`."""
    head = bytearray(OLE + bytes(504))
    head[30] = 9
    entry = stream.encode("utf-16-le").ljust(116, b"\0") + (1).to_bytes(4, "little")
    return bytes(head) + entry.ljust(512, b"\0") + more.ljust(512, b"\0")


def why(path: Path, data: bytes) -> str:
    path.write_bytes(data)
    with pytest.raises(UserError) as caught:
        read_office(path, Reports())
    assert str(path) in caught.value.line and "\n" not in caught.value.line
    return caught.value.what


def test_what_is_something_else_is_refused_before_libreoffice_sees_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(office, "program", lambda name: None)
    assert why(tmp_path / "a.rtf", b"hello {\\rtf1") == "is no rich text"
    assert why(tmp_path / "a.rtf", ole("WordDocument")) == "is no rich text"
    assert why(tmp_path / "a.doc", b"hello") == "is no Word document"
    assert why(tmp_path / "a.doc", ole("Workbook")) == "is no Word document"
    assert why(tmp_path / "a.doc", ole("EncryptedPackage")) == "is encrypted"
    assert why(tmp_path / "a.doc", ole("WordDocument", b"\xec\xa5" + bytes(9) + b"\x13")) == "is encrypted"
    assert "is not installed" in why(tmp_path / "a.doc", ole("WordDocument", b"\xec\xa5" + bytes(9) + b"\x12"))
    assert "is not installed" in why(tmp_path / "a.rtf", b"{\\rtf1 x}")


@needs_libreoffice
def test_rich_text(tmp_path: Path) -> None:
    path = tmp_path / "-a report.rtf"
    path.write_text(RICH_TEXT % "")
    report = read_report(path)
    assert [(s.level, s.heading, s.text) for s in report.sections] == [
        (1, "Objectius", "La cooperació ha estat bona."),
        (1, "Mitjans", "Dos pobles."),
    ]
    assert report.characters.left_out == {"hidden": 6} and report.characters.unaccounted == 0
    assert report.created is not None and report.created.isoformat() == "2021-03-04"
    assert [warning.split(" ")[:3] for warning in report.warnings] == [["read", "through", "LibreOffice"]]
    assert list(tmp_path.iterdir()) == [path]


@needs_libreoffice
def test_rich_text_under_the_name_of_a_word_file(tmp_path: Path) -> None:
    path = tmp_path / "a.doc"
    path.write_text(RICH_TEXT % "")
    assert [s.heading for s in read_report(path).sections] == ["Objectius", "Mitjans"]


@needs_libreoffice
def test_a_damaged_file_is_told(tmp_path: Path) -> None:
    assert "LibreOffice cannot open it" in why(tmp_path / "a.doc", ole("WordDocument", b"\xec\xa5" + bytes(500)))


@needs_libreoffice
def test_nothing_is_fetched(tmp_path: Path) -> None:
    asked: list[bytes] = []

    class Door(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            asked.append(self.request.recv(100))

    with socketserver.TCPServer(("127.0.0.1", 0), Door) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_address[1]}/a.png"
        picture = rf'{{\field{{\*\fldinst INCLUDEPICTURE "{address}" \\d}}{{\fldrslt }}}}'
        text = rf'{{\field{{\*\fldinst INCLUDETEXT "{address}"}}{{\fldrslt }}}}'
        path = tmp_path / "a.rtf"
        path.write_text(RICH_TEXT % (picture + text))
        assert len(read_report(path).sections) == 2
        server.shutdown()
    assert asked == []


@needs_libreoffice
def test_one_that_takes_too_long_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    path = tmp_path / "a.rtf"
    path.write_text(RICH_TEXT % (r"{\pard a\par}" * 300_000))
    started = time.monotonic()
    with pytest.raises(UserError) as caught:
        read_office(path, Reports(timeout_seconds=2))
    assert "longer than 1.8 s" in caught.value.what and time.monotonic() - started < 10
    time.sleep(0.2)
    assert (
        str(tmp_path / "memoria-office")
        not in subprocess.run(["ps", "axww", "-o", "args"], capture_output=True, text=True).stdout
    )


@needs_libreoffice
def test_with_the_memory_that_a_reader_has(tmp_path: Path) -> None:
    path = tmp_path / "a.rtf"
    path.write_text(RICH_TEXT % "")
    code = (
        "import resource, sys; from pathlib import Path; from pipeline.reports import read_report\n"
        "resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))\n"
        "print(len(read_report(Path(sys.argv[1])).sections))"
    )
    done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("2\n", "")
