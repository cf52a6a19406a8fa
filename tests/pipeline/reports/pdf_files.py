"""PDFs made by hand: as few objects as a reader needs, every byte known."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from pipeline.records import Report
from pipeline.reports import read_report
from pipeline.settings import Reports

Line = tuple[float, float, float, str]  # left, base, size, text; a text that begins with ** is bold

FIRST_PAGE = 10  # number of the first page's object; its content follows it


def read_bytes(folder: Path, data: bytes, settings: Reports | None = None) -> Report:
    """The report that these bytes of a PDF are."""
    path = folder / "made.pdf"
    path.write_bytes(data)
    return read_report(path, settings)


def wrapped(text: str, characters: int) -> list[str]:
    """A text in lines of at most so many characters."""
    lines = [""]
    for word in text.split():
        if len(lines[-1]) + len(word) + 1 > characters:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def make_pdf(
    pages: list[list[Line]],
    bookmarks: list[tuple[str, int]] | None = None,
    password: str | None = None,
    properties: Mapping[str, str] | None = None,
) -> bytes:
    """A PDF of pages of lines. `bookmarks` are (title, page); a password, even an empty one, encrypts it (RC4)."""
    contents = [b"".join(drawn(*line) for line in lines) for lines in pages]
    objects: dict[int, bytes] = {}
    catalog = b""
    if bookmarks:
        catalog = b" /Outlines 5 0 R"
        objects = _outline(bookmarks, FIRST_PAGE + 2 * len(pages))
    return make_drawn_pdf(contents, catalog=catalog, objects=objects, password=password, properties=properties)


def drawn(left: float, base: float, size: float, text: str) -> bytes:
    """The operators that write one line."""
    font = b"F2" if text.startswith("**") else b"F1"
    return b"BT /%s %g Tf %g %g Td (%s) Tj ET\n" % (font, size, left, base, escaped(text.removeprefix("**")))


def raised(left: float, base: float, size: float, *parts: str) -> bytes:
    """The operators that write one line whose every second part is small and raised."""
    shown = [
        b"/F1 %g Tf %g Ts (%s) Tj" % (*((0.55 * size, 0.35 * size) if index % 2 else (size, 0)), escaped(part))
        for index, part in enumerate(parts)
    ]
    return b"BT %g %g Td %s ET\n" % (left, base, b" ".join(shown))


def make_drawn_pdf(
    contents: Sequence[bytes],
    page: bytes = b"",
    catalog: bytes = b"",
    objects: Mapping[int, bytes] | None = None,
    resources: bytes = b"",
    password: str | None = None,
    properties: Mapping[str, str] | None = None,
) -> bytes:
    """A PDF of pages of operators. `page`, `catalog` and `resources` are more entries of these, `objects` more objects.

    Objects 20 and above are free where there are fewer than six pages.
    """
    key, encryption = _encryption(password) if password is not None else (b"", b"")
    parts: dict[int, bytes] = {3: _font(b"Helvetica"), 4: _font(b"Helvetica-Bold")}
    kids = [FIRST_PAGE + 2 * index for index in range(len(contents))]
    for kid, content in zip(kids, contents, strict=True):
        stream = _rc4(_object_key(key, kid + 1), content) if key else content
        parts[kid] = (
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents %d 0 R"
            b" /Resources << /Font << /F1 3 0 R /F2 4 0 R >> %s >> %s >>" % (kid + 1, resources, page)
        )
        parts[kid + 1] = b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream)
    parts[2] = b"<< /Type /Pages /Kids [%s] /Count %d >>" % (b" ".join(b"%d 0 R" % kid for kid in kids), len(kids))
    parts[1] = b"<< /Type /Catalog /Pages 2 0 R%s >>" % catalog
    entries = b"".join(b" /%s (%s)" % (name.encode(), escaped(value)) for name, value in (properties or {}).items())
    parts[6] = b"<<%s >>" % entries
    return _file({**parts, **(objects or {})}, encryption)


def escaped(text: str) -> bytes:
    """A text as the inside of a string."""
    return text.encode("cp1252").replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)")


def _outline(bookmarks: Sequence[tuple[str, int]], first: int) -> dict[int, bytes]:
    """The objects of an outline, numbered from `first`, below object 5."""
    last = first + len(bookmarks) - 1
    objects = {5: b"<< /Type /Outlines /First %d 0 R /Last %d 0 R /Count %d >>" % (first, last, len(bookmarks))}
    for index, (title, page) in enumerate(bookmarks):
        following = b" /Next %d 0 R" % (first + index + 1) if first + index < last else b""
        destination = b"/Dest [%d 0 R /Fit]" % (FIRST_PAGE + 2 * page)
        objects[first + index] = b"<< /Title (%s) /Parent 5 0 R %s%s >>" % (escaped(title), destination, following)
    return objects


def _font(name: bytes) -> bytes:
    return b"<< /Type /Font /Subtype /Type1 /BaseFont /%s /Encoding /WinAnsiEncoding >>" % name


def _file(objects: Mapping[int, bytes], encryption: bytes) -> bytes:
    data, places = b"%PDF-1.4\n", {}
    for number in sorted(objects):
        places[number] = len(data)
        data += b"%d 0 obj\n%s\nendobj\n" % (number, objects[number])
    start, size = len(data), max(objects) + 1
    data += b"xref\n0 %d\n0000000000 65535 f \n" % size
    for number in range(1, size):
        data += b"%010d 00000 n \n" % places[number] if number in places else b"0000000000 65535 f \n"
    identity = b"/ID [<%s> <%s>]" % (b"00" * 16, b"00" * 16)
    trailer = b"<< /Size %d /Root 1 0 R /Info 6 0 R %s%s >>" % (size, identity, encryption)
    return data + b"trailer\n" + trailer + b"\nstartxref\n%d\n%%%%EOF\n" % start


_PADDING = bytes.fromhex("28BF4E5E4E758A4164004E56FFFA01082E2E00B6D0683E802F0CA9FE6453697A")


def _encryption(password: str) -> tuple[bytes, bytes]:
    """File key and /Encrypt entry of the standard security handler, revision 2 (PDF 32000-1, 7.6.3)."""
    user, owner = (word.encode()[:32] + _PADDING[: 32 - len(word)] for word in (password, "owner"))
    o = _rc4(hashlib.md5(owner).digest()[:5], user)
    key = hashlib.md5(user + o + (-4).to_bytes(4, "little", signed=True) + bytes(16)).digest()[:5]
    entry = b" /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <%s> /U <%s> >>"
    return key, entry % (o.hex().encode(), _rc4(key, _PADDING).hex().encode())


def _object_key(key: bytes, number: int) -> bytes:
    return hashlib.md5(key + number.to_bytes(3, "little") + bytes(2)).digest()[: len(key) + 5]


def _rc4(key: bytes, data: bytes) -> bytes:
    state, j = list(range(256)), 0
    for i in range(256):
        j = (j + state[i] + key[i % len(key)]) % 256
        state[i], state[j] = state[j], state[i]
    return bytes(byte ^ k for byte, k in zip(data, _key_stream(state), strict=False))


def _key_stream(state: list[int]) -> Iterator[int]:
    i = j = 0
    while True:
        i = (i + 1) % 256
        j = (j + state[i]) % 256
        state[i], state[j] = state[j], state[i]
        yield state[(state[i] + state[j]) % 256]
