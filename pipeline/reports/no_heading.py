"""Short lines that stand out and head nothing: captions, entries of contents, signatures, letterheads, answers."""

import re
from collections.abc import Collection, Iterator, Sequence

from pipeline.reports.blocks import Event, Piece
from pipeline.reports.typed_number import is_label

LONGEST_LABEL_CHARACTERS = 40
SHORTEST_PROSE_CHARACTERS = 60
LONGEST_LETTERHEAD_LINES = 4
_CAPTION = re.compile(
    r"(?:table|taula|tabla|fig(?:ur[ae])?|gr[àá]fic[oa]?|graph|chart|quadre|cuadro|imat?gen?|imatge|image|map[ae]?"
    r"|foto(?:grafia|grafía)?|photo(?:graph)?|il·lustració|ilustración)\.?\s*(?:\d+(?:[.\-]\d+)*|[IVX]+)\b",
    re.IGNORECASE,
)
_LETTER = re.compile(
    r"(?:yours (?:sincerely|faithfully|truly)|sincerely|(?:kind|best|warm) regards|dear\b"
    r"|(?:molt |muy )?(?:atentament|cordialment)e?\b|una? (?:cordial |atenta )?(?:saludo|salutació)|saludos|salutacions"
    r"|benvolgu|estimad[oae]s?\b|distin(?:gi|gui)[dt]|(?:fdo|firmado|signat|signed)\b\.?\s*(?::|$|by|per|por)"
    r"|(?:firma|signatur[ae]):?$)",
    re.IGNORECASE,
)
_YEAR = r"(?:19|20)\d\d"
_CITED_YEAR = re.compile(rf"\b{_YEAR}[a-z]?\)?\.?$|\({_YEAR}[a-z]?\)")
_AUTHOR = re.compile(r"[A-ZÀ-Þ][\w'’-]+,? [A-ZÀ-Þ]\.|^[A-ZÀ-Þ]\. ?(?:[A-ZÀ-Þ]\. ?)?[A-ZÀ-Þ]\w+,")
_SOURCE = re.compile(r"https?://|\bwww\.|\bdoi\b|\bet al\b|\bISBN\b", re.IGNORECASE)
_PAGE = r"(?:\d{1,3}|[ivxl]{1,6})"
_LEADER = re.compile(rf"(?:\t|\.\.\.|\. \. \.|…|___)[\s.…_]*(?:p[àáa]?g?\.? ?)?{_PAGE}$")
_PLAIN_PAGE = re.compile(rf"\s+{_PAGE}$")
_ADDRESS = re.compile(
    r"(?:c/|carrer|calle|avda|av\.|avinguda|avenida|plaça|plaza|pl\.|passeig|paseo|rambla|ronda|camí)\b.*\d"
    r"|(?:[A-Z]{1,2}-)?\d{5} (?-i:[A-ZÀ-Þ])|\d+,? [\w ]+ (?:street|road|avenue)\b|\S+@\S+\.\w+$"
    r"|(?:tel|tlf|t\.)\W.*\d{3}",
    re.IGNORECASE,
)


def is_no_heading(text: str, heading: str) -> bool:
    """Is a line a caption, the end of a letter, a source, or a code? `heading` is its text without its number."""
    if _CAPTION.match(text) or _LETTER.match(text) or _SOURCE.search(heading):
        return True
    if _AUTHOR.search(heading) and _CITED_YEAR.search(heading):
        return True
    told = [mark for mark in re.sub(rf"\b{_YEAR}\b", "", heading) if mark.isalnum()]
    return 2 * sum(map(str.isdigit, told)) > len(told)


def is_one_of_contents(text: str, known: Collection[str]) -> bool:
    """Is a line an entry of a table of contents: a leader and a page, or a page after what another line says?"""
    return _LEADER.search(text) is not None or (
        _PLAIN_PAGE.search(text) is not None and _PLAIN_PAGE.sub("", text) in known
    )


def letterhead(texts: Sequence[str]) -> Iterator[int]:
    """The lines at the very beginning that an address follows, before anything longer is said."""
    for at, text in enumerate(texts):
        if len(text) >= SHORTEST_PROSE_CHARACTERS:
            return
        below = texts[at + 1 : at + LONGEST_LETTERHEAD_LINES]
        if any(len(line) < SHORTEST_PROSE_CHARACTERS and _ADDRESS.match(line) for line in below):
            yield at


def answers(said: Sequence[Event], bold: Sequence[bool]) -> set[int]:
    """The bold lines of a form: what stands under a short label that ends in a colon, or in turns with plain labels.

    label      Name of the entity
    bold       Vall Verda           an answer, for label and bold go on in turns, and began with a label
    label      Address
    bold       Carrer Major 12
    """
    found: set[int] = set()
    for at in (at for at, is_bold in enumerate(bold) if is_bold and at):
        if not _is_label(said[at - 1]):
            continue
        goes_on = at - 2 in found
        begins = not (at > 1 and bold[at - 2]) and at + 2 < len(said) and bold[at + 2] and _is_plain_label(said[at + 1])
        if said[at - 1].text.strip().endswith(":") or (_is_plain_label(said[at - 1]) and (goes_on or begins)):
            found.add(at)
    return found


def _is_label(event: Event) -> bool:
    text = event.text.strip()
    is_short = (
        0 < len(text) <= LONGEST_LABEL_CHARACTERS and not text.endswith((".", ";", "!", "?")) and not is_label(text)
    )
    return isinstance(event, Piece) and event.kind == "paragraph" and is_short


def _is_plain_label(event: Event) -> bool:
    return _is_label(event) and isinstance(event, Piece) and not event.emphatic
