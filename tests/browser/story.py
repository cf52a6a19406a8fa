"""The story of a grants officer at her desk, told to any page that serves the app, whatever the model."""

import io
from dataclasses import dataclass
from typing import Any

from docx import Document
from docx.table import Table
from docx.text.paragraph import Paragraph

FACTS = "Grant agreement RHA-2025-114, 184,500 EUR\n14 municipalities, 9,420 inhabitants"
HEADINGS = "Summary\n1 Context\n  1.1 Partners\n2 Budget"
ADDED = "The audit closed on 3 March 2026."


@dataclass(frozen=True)
class Told:
    """What the story left behind: the two accepted texts, and the Word file."""

    first: str
    second: str
    word: bytes


def tell_the_story(page: Any, url: str, patience_seconds: float = 30) -> Told:
    """Begin a report, draft two sections, stop one midway, edit, accept, reload, export; check at each step.

    Args:
        page: a Playwright page.
        url: where the app is.
        patience_seconds: longest wait for the model: until it is ready, and until a section is written.
    """
    page.set_default_timeout(30_000)
    patience_ms = patience_seconds * 1000
    page.goto(url)
    begin_report(page, "Rural Health Access 2025", HEADINGS)
    page.wait_for_selector("#model.ready", timeout=patience_ms)
    type_into(page, "#facts textarea", FACTS)

    open_section(page, "Summary")
    page.click("#generate")
    wait_until_written(page, patience_ms)
    drafted = editor(page).input_value()
    assert drafted.strip(), "the model wrote nothing"
    first = f"{drafted}\n\n{ADDED}"
    type_into(page, "#editor textarea", first)
    page.click("#checked.changed [data-check]")
    page.wait_for_selector("#checked:not(.changed) mark:text-is('3 March 2026')")
    page.click("#accept")
    wait_for_section(page, "1 Context")
    assert state_of(page, "Summary") == "accepted"

    page.click("#generate")
    page.wait_for_function(
        # Until it begins, the last section's words still stand there, hidden.
        """() => document.body.classList.contains('is-writing')
            && document.getElementById('written')?.textContent.trim().split(/\\s+/).length >= 3""",
        timeout=patience_ms,
    )
    page.click("#stop")
    wait_until_written(page, patience_ms)
    stopped = editor(page).input_value()
    assert len(stopped.split()) >= 3 and page.locator("#note .warning").inner_text().startswith("Stopped")
    second = f"{stopped}\n\n- Partner one\n- Partner two"
    type_into(page, "#editor textarea", second)
    page.click("#accept")
    wait_for_section(page, "1.1 Partners")

    page.reload()
    wait_for_section(page, "1.1 Partners")
    for title, text in (("1 Context", second), ("Summary", first)):
        open_section(page, title)
        assert editor(page).input_value() == text, f"{title} is not what it was before the reload"
        assert state_of(page, title) == "accepted"
    assert page.locator("#facts textarea").input_value() == FACTS

    word = export(page)
    check_word(word, first, second)
    return Told(first, second, word)


def begin_report(page: Any, title: str, headings: str) -> None:
    """Fill in the dialog for a new report."""
    page.wait_for_selector("#brand .ghost")
    if not page.locator("#dialog").is_visible():
        page.click("#brand .ghost")
    page.fill("#title :is(input, textarea)", title)
    page.fill("#headings textarea", headings)
    page.click("#create")
    page.wait_for_selector("#dialog", state="hidden")
    wait_for_section(page, headings.splitlines()[0].strip())


def editor(page: Any) -> Any:
    return page.locator("#editor textarea")


def type_into(page: Any, field: str, text: str) -> None:
    """Fill a field, and wait until the server has it."""
    page.fill(field, text)
    page.wait_for_selector("#saved.saving, #saved.saved")
    page.wait_for_selector("#saved.saved")


def line_of(page: Any, title: str) -> Any:
    """The section's line in the outline, by number and heading."""
    for line in page.locator("#outline .line").all():
        if " ".join(line.locator(".title").inner_text().split()) == title:
            return line
    raise AssertionError(f"no section {title} in the outline")


def state_of(page: Any, title: str) -> str:
    return line_of(page, title).get_attribute("class").split()[-1]


def open_section(page: Any, title: str) -> None:
    line_of(page, title).click()
    wait_for_section(page, title)


def wait_for_section(page: Any, title: str) -> None:
    """Until the section is open, heading and text."""
    page.wait_for_function(
        """title => document.querySelector('#heading h1')?.textContent === title
            && document.querySelector('#outline .line[aria-current]')?.dataset.key
               === JSON.parse(document.querySelector('#place :is(textarea, input)').value || '{}').section
            && location.search.includes(
               JSON.parse(document.querySelector('#place :is(textarea, input)').value || '{}').section)""",
        arg=title,
    )


def wait_until_written(page: Any, patience_ms: float) -> None:
    """Until the model has ended and the text is in the editor."""
    # All at once: just after the click, nothing is being written yet, and the editor is still empty.
    page.wait_for_function(
        """() => !document.body.classList.contains('is-writing')
            && !document.querySelector('#stop')?.checkVisibility()
            && document.querySelector('#editor textarea').value.trim() !== ''""",
        timeout=patience_ms,
    )


def export(page: Any, kind: str = "solid") -> bytes:
    """Download the report."""
    page.click("#export summary")
    with page.expect_download() as download:
        page.click(f"#export a.{kind}")
    with open(download.value.path(), "rb") as file:
        return file.read()


def check_word(content: bytes, first: str, second: str) -> None:
    """The Word file holds the accepted text under the right headings, and nothing under the others."""
    under: dict[str, list[str]] = {}
    heading = ""
    for part in Document(io.BytesIO(content)).iter_inner_content():
        texts = cells(part) if isinstance(part, Table) else [part.text]
        if isinstance(part, Paragraph) and (part.style.name or "").startswith("Heading"):  # type: ignore[union-attr]
            heading = part.text
            under[heading] = []
        elif heading:
            under[heading] += [text for text in texts if text.strip()]
    assert list(under) == ["Summary", "1 Context", "1.1 Partners", "2 Budget"]
    assert under["Summary"][-1] == ADDED
    assert under["1 Context"][-2:] == ["Partner one", "Partner two"]
    assert letters(" ".join(under["Summary"])) == letters(first)
    assert letters(" ".join(under["1 Context"])) == letters(second)
    assert under["1.1 Partners"] == under["2 Budget"] == []


def cells(table: Table) -> list[str]:
    return [cell.text for row in table.rows for cell in row.cells]


def letters(text: str) -> str:
    """The letters of a text, without its marks and numbers: Word draws those of a list by itself."""
    return "".join(filter(str.isalpha, text))
