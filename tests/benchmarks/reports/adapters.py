"""One reader, one file: what it says, its headings, the time and the memory it takes. Prints one JSON document.

    python adapters.py NAME FILE WARM_UP_FILE TIMES

Runs in the peers' environment, and for Memoria in the project's; so it imports nothing of the project by itself.
Each function reads a file anew and gives (text, headings), a heading being (level, text with its number).
"""

import html
import json
import re
import resource
import statistics
import sys
import time
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

Told = tuple[str, list[tuple[int, str]]]
_MARKDOWN_HEADING = re.compile(r"^(#{1,9})\s+(.+)$", re.M)


def memoria() -> Callable[[str], Told]:
    from pipeline.reports import read_report

    def read(file: str) -> Told:
        report = read_report(Path(file))
        lines, headings = [report.title], []
        for section in report.sections:
            headings += [(section.level, section.title)] if section.title else []
            lines += [section.title, *(block.text for block in section.blocks)]
        return "\n\n".join(lines), headings

    return read


def docling() -> Callable[[str], Told]:
    from docling.backend.msword_backend import MsWordDocumentBackend
    from docling.datamodel.base_models import InputFormat
    from docling.datamodel.document import InputDocument
    from docling_core.types.doc import SectionHeaderItem

    def read(file: str) -> Told:
        path = Path(file)
        source = InputDocument(path, InputFormat.DOCX, backend=MsWordDocumentBackend, filename=path.name)
        document = source._backend.convert()
        headings = [
            (item.level, item.text) for item, _ in document.iterate_items() if isinstance(item, SectionHeaderItem)
        ]
        return document.export_to_markdown(), headings

    return read


def markitdown() -> Callable[[str], Told]:
    from markitdown import MarkItDown

    converter = MarkItDown()

    def read(file: str) -> Told:
        return of_markdown(converter.convert(file).text_content)

    return read


def mammoth() -> Callable[[str], Told]:
    import mammoth

    def read(file: str) -> Told:
        with open(file, "rb") as source:
            return of_html(mammoth.convert_to_html(source).value)

    return read


def docx2python() -> Callable[[str], Told]:
    from docx2python import docx2python

    def read(file: str) -> Told:
        with docx2python(file, html=True) as content:
            return of_html(content.text)

    return read


def pandoc() -> Callable[[str], Told]:
    import pypandoc

    # Notes right after the block that they belong to, as a reader wants them: the kindest setting.
    wishes = ["--wrap=none", "--reference-location=block", "--markdown-headings=atx"]

    def read(file: str) -> Told:
        return of_markdown(pypandoc.convert_file(file, "markdown-smart", format="docx", extra_args=wishes))

    return read


def python_docx() -> Callable[[str], Told]:
    """Paragraphs with the names of their styles, and cells of tables, in the document's order."""
    import docx
    from docx.table import Table

    def read(file: str) -> Told:
        lines: list[str] = []
        headings: list[tuple[int, str]] = []

        def blocks(parent: object) -> None:
            for block in parent.iter_inner_content():  # type: ignore[attr-defined]
                if isinstance(block, Table):
                    for row in block.rows:
                        for cell in {id(cell._tc): cell for cell in row.cells}.values():
                            blocks(cell)
                    continue
                name = block.style.name or ""
                lines.append(block.text)
                if match := re.fullmatch(r"Heading (\d)", name):
                    headings.append((int(match[1]), block.text))

        blocks(docx.Document(file))
        return "\n".join(lines), headings

    return read


def python_docx_paragraphs() -> Callable[[str], Told]:
    """The text of the paragraphs of the body, and nothing else."""
    import docx

    def read(file: str) -> Told:
        return "\n".join(paragraph.text for paragraph in docx.Document(file).paragraphs), []

    return read


def of_markdown(text: str) -> Told:
    return text, [(len(match[1]), match[2]) for match in _MARKDOWN_HEADING.finditer(text)]


class _Page(HTMLParser):
    """The words of a page, with descriptions of pictures and targets of links, and its headings."""

    def __init__(self) -> None:
        super().__init__()
        self.pieces: list[str] = []
        self.headings: list[tuple[int, str]] = []
        self._heading: tuple[int, int] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ("strong", "em", "b", "i", "u", "span", "sup", "sub", "s"):
            self.pieces.append("\n")
        if re.fullmatch(r"h\d", tag):
            self._heading = int(tag[1]), len(self.pieces)
        self.pieces += [f" {value} " for name, value in attrs if value and name in ("alt", "href")]

    def handle_endtag(self, tag: str) -> None:
        if self._heading and re.fullmatch(r"h\d", tag):
            level, start = self._heading
            self.headings.append((level, "".join(self.pieces[start:]).strip()))
            self._heading = None
        if tag in ("p", "td", "th", "li", "tr", "table") or re.fullmatch(r"h\d", tag):
            self.pieces.append("\n")

    def handle_data(self, data: str) -> None:
        self.pieces.append(data)


def of_html(text: str) -> Told:
    # Pictures written into the page as base64 are no text.
    page = _Page()
    page.feed(re.sub(r'src="data:[^"]*"', "", text))
    return html.unescape("".join(page.pieces)), page.headings


READERS = {
    "Memoria": memoria,
    "docling": docling,
    "markitdown": markitdown,
    "mammoth": mammoth,
    "docx2python": docx2python,
    "pandoc": pandoc,
    "python-docx": python_docx,
    "python-docx, paragraphs": python_docx_paragraphs,
}


def _memory(name: str) -> int:
    """Bytes of this process: VmRSS now, VmHWM at most since `_forget_peak`."""
    status = Path("/proc/self/status").read_text()
    return int(re.search(rf"{name}:\s+(\d+)", status)[1]) * 1024  # type: ignore[index]


def _forget_peak() -> None:
    Path("/proc/self/clear_refs").write_text("5")  # proc(5): resets the peak of the resident set


def main(name: str, file: str, warm_up: str, times: int) -> None:
    read = READERS[name]()
    read(warm_up)
    of_child = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
    _forget_peak()
    before = _memory("VmRSS")
    seconds = []
    for _ in range(times):
        start = time.perf_counter()
        text, headings = read(file)
        seconds.append(time.perf_counter() - start)
    peak = _memory("VmHWM") - before
    peak += resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024 - of_child  # pandoc's work is in a child
    result = {"text": text, "headings": headings, "seconds": statistics.median(seconds), "peak_bytes": peak}
    print(json.dumps(result))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]))
