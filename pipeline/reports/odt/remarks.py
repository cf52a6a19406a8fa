"""What remarks are about: the words between a remark and the mark of its end."""

from collections.abc import Iterator

from pipeline.reports.archive import Element
from pipeline.reports.odt.names import H, P, q

_SKIPPED = frozenset(map(q, ("office:annotation", "text:tracked-changes", "text:note")))


def subjects_of(body: Element) -> dict[str, str]:
    """The words that each remark with a name and an end is about."""
    ended = {end.get(q("office:name"), "") for end in body.iter(q("office:annotation-end"))}
    said: dict[str, list[str]] = {}
    subjects: dict[str, str] = {}
    if not ended:
        return subjects
    for item in _words(body):
        if isinstance(item, str):
            for words in said.values():
                words.append(item)
            continue
        name = item.get(q("office:name"), "")
        if item.tag == q("office:annotation") and name in ended:
            said[name] = []
        elif item.tag == q("office:annotation-end") and name in said:
            subjects[name] = "".join(said.pop(name))
    return subjects


def _words(element: Element) -> Iterator[str | Element]:
    """Words, remarks and their ends in the order of the text."""
    if element.tag not in _SKIPPED and element.text:
        yield element.text
    for child in element:
        if child.tag in (q("office:annotation"), q("office:annotation-end")):
            yield child
        elif child.tag not in _SKIPPED:
            yield from _words(child)
        if child.tail:
            yield child.tail
    if element.tag in (P, H):
        yield "\n"
