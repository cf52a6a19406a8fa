"""Real prose in many languages, from Debian's packages: fetched once into the user's cache, never installed.

<cache>/debian/<package>/    the package unpacked    .complete is written last, and says the file's name (its version)
"""

import random
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from zlib import crc32

import regex
from filelock import FileLock

from pipeline.errors import TransientError, UserError
from pipeline.storage import user_cache
from tests.benchmarks.vocabulary.markup import prose

Source = tuple[str, str]  # a package, and where its pages lie


def _guide(code: str) -> Source:
    return "installation-guide-amd64", f"usr/share/doc/installation-guide-amd64/{code}/*.html"


def _desktop(code: str) -> Source:
    return "gnome-user-docs", f"usr/share/help/{code}/**/*.page"


def _handbook(code: str) -> Source:
    return "debian-handbook", f"usr/share/doc/debian-handbook/html/{code}/*.html"


def _manuals(package: str, folder: str) -> Source:
    return package, f"usr/share/man/{folder}man*/*.gz"


LATIN: Mapping[str, tuple[Source, ...]] = {
    "Catalan": (
        _guide("ca"),
        _desktop("ca"),
        ("libreoffice-help-ca", "usr/share/libreoffice/help/ca/text/**/*.html"),
        ("maint-guide-ca", "usr/share/doc/maint-guide-ca/html/*.html"),
    ),
    "Spanish": (_guide("es"), _desktop("es"), _handbook("es-ES"), _manuals("manpages-es", "es/")),
    "English": (_guide("en"), _desktop("C"), _handbook("en-US"), _manuals("manpages", "")),
    "Portuguese": (
        _guide("pt"),
        _desktop("pt"),
        _desktop("pt_BR"),
        _handbook("pt-BR"),
        _manuals("manpages-pt-br", "pt_BR/"),
    ),
    "French": (_guide("fr"), _desktop("fr"), _handbook("fr-FR"), _manuals("manpages-fr", "fr/")),
    "Italian": (_guide("it"), _desktop("it"), _handbook("it-IT"), _manuals("manpages-it", "it/")),
    "German": (_guide("de"), _desktop("de"), _handbook("de-DE"), _manuals("manpages-de", "de/")),
}
OTHERS: Mapping[str, tuple[Source, ...]] = {
    "Chinese": (_guide("zh_CN"), _desktop("zh_CN"), _manuals("manpages-zh", "zh_CN/")),
    "Cyrillic (Russian)": (_guide("ru"), _desktop("ru"), _manuals("manpages-ru", "ru/")),
    "Arabic": (_handbook("ar-MA"),),
    "Japanese": (_guide("ja"), _desktop("ja"), _manuals("manpages-ja", "ja/")),
    "Korean": (_guide("ko"), _desktop("ko")),
}
_SOURCES = {**LATIN, **OTHERS}
_OFFICIAL = "English"  # what is not translated yet stands in English

BROKEN_PIECES = 2000  # of each text that is damaged


@dataclass(frozen=True)
class Document:
    """A page: its name, the same in every language, and its paragraphs."""

    name: str
    pieces: tuple[str, ...]

    @property
    def held_out(self) -> bool:
        """Every second page, the same ones in all languages; nothing may be learnt from them."""
        return crc32(self.name.encode()) % 2 == 1


def fetched(languages: Iterable[str]) -> dict[str, str]:
    """Fetch what is not in the cache yet for some languages. Returns each package with the name of its file.

    Raises:
        UserError: there is no apt here.
        TransientError: a package cannot be had now; apt's last line is told.
    """
    packages = (package for language in languages for package, _ in _SOURCES[language])
    return {package: _fetch(package) for package in dict.fromkeys(packages)}


def documents(language: str, most_characters: int) -> list[Document]:
    """Pages of a language until there are so many characters, from all sources, in an order that means nothing.

    A paragraph stands once, and none that stands in the English pages too, unless the language is English.
    """
    seen = set() if language == _OFFICIAL else set(_english())
    chosen, characters = [], 0
    for name, pieces in sorted(_pages(_SOURCES[language]), key=lambda page: crc32(page[0].encode())):
        new = tuple(dict.fromkeys(piece for piece in pieces if piece not in seen))
        seen.update(new)
        if new and characters < most_characters:
            chosen.append(Document(name, new))
            characters += sum(map(len, new))
    return chosen


@cache
def _english() -> frozenset[str]:
    return frozenset(piece for _, pieces in _pages(LATIN[_OFFICIAL]) for piece in pieces)


def _pages(sources: Iterable[Source]) -> Iterator[tuple[str, list[str]]]:
    for package, where in sources:
        for file in sorted((user_cache() / "debian" / package).glob(where)):
            if file.is_file() and not file.is_symlink():
                # maint-guide's and manpages' names carry the language at their ends or not at all
                yield f"{package.partition('-')[0]}/{file.name.partition('.')[0]}", prose(file.name, file.read_bytes())


def _fetch(package: str) -> str:
    folder = user_cache() / "debian" / package
    complete = folder / ".complete"
    folder.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(f"{folder}.lock"):
        if not complete.is_file():
            for tool in ("apt-get", "dpkg-deb"):
                if shutil.which(tool) is None:
                    raise UserError(f"no {tool}: the prose comes from Debian's packages", fix="run it on Debian")
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            print(f"fetching {package} into {folder}", file=sys.stderr)
            _run(["apt-get", "download", "-q", package], folder)
            file = next(folder.glob("*.deb"))
            _run(["dpkg-deb", "-x", file.name, "."], folder)
            file.unlink()
            complete.write_text(file.name, "utf-8")
        return complete.read_text("utf-8")


def _run(command: list[str], folder: Path) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["?"])[-1]
        raise TransientError(f"cannot fetch Debian's packages ({last})", fix="apt-get update, then the same again")


def every_character() -> list[str]:
    """All that Unicode assigns, and private ones, in pieces of 256 code points."""
    unassigned = regex.compile(r"\p{Cn}")
    starts = (*range(0, 0xD800, 256), *range(0xE000, 0x110000, 256))
    blocks = ("".join(map(chr, range(start, start + 256))) for start in starts)
    return [block for block in (unassigned.sub("", block) for block in blocks) if block]


def emoji() -> list[str]:
    """Every emoji by itself, with each skin colour, and some that are joined from several."""
    every = regex.findall(r"\p{Emoji}", "".join(map(chr, (*range(0xD800), *range(0xE000, 0x20000)))))
    coloured = regex.findall(r"\p{Emoji_Modifier_Base}", "".join(every))
    pieces = [c + "\ufe0f" for c in every]
    pieces += [c + chr(colour) for c in coloured for colour in range(0x1F3FB, 0x1F400)]
    return [*pieces, "👩🏽‍🔬", "👨‍👩‍👧‍👦", "🏳️‍🌈", "🇪🇺🇨🇦", "🏴󠁧󠁢󠁷󠁬󠁳󠁿", "1️⃣"]


def broken(texts: Iterable[str], seed: int = 0) -> list[str]:
    """The texts as a reader gets them whose bytes were lost and overwritten: U+FFFD where they make no sense."""
    chance = random.Random(seed)
    damaged = []
    for text in texts:
        raw = bytearray(text.encode("utf-8"))
        for _ in range(1 + len(raw) // 20):
            place = chance.randrange(len(raw))
            raw[place : place + 1] = bytes(chance.randrange(256) for _ in range(chance.randrange(3)))
            raw = raw or bytearray(b"\xff")
        damaged.append(raw[chance.randrange(4) :].decode("utf-8", "replace"))
    return [text for text in damaged if text]


def words(pieces: Iterable[str]) -> int:
    """What stands between spaces and holds a letter or a digit."""
    return sum(len(re.findall(r"\S*\w\S*", piece)) for piece in pieces)
