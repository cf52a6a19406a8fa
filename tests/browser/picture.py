"""Pictures of the page: `python -m tests.browser.picture FOLDER` draws it; the best is data/app.png."""

import sys
import tempfile
from pathlib import Path
from typing import Any

from copilot.app import Status
from copilot.library import Library, parse_outline
from copilot.server.scripted import ScriptedWriter
from pipeline.settings import Windows
from pipeline.storage import Workspace
from tests.browser import report
from tests.browser.serving import ScriptedEngine, browser, serving, word_tokens

SIZES = {"wide": (1440, 900), "narrow": (1280, 800)}
ACCEPTED = ("Executive summary", "1 Introduction", "2 Project context", "2.1 Target population")


def fill(workspace: Workspace) -> None:
    """A report halfway through."""
    library = Library(workspace)
    project = library.create_project(report.TITLE, "en", parse_outline(report.OUTLINE))
    project.save_facts(report.FACTS, base="")
    for entry in project.outline()[:5]:
        saved = project.save_text(entry.key, report.TEXTS[entry.title], version=0, sitting="picture")
        if entry.title in ACCEPTED:
            project.accept(entry.key, version=saved.version, sitting="picture")
    library.close()


def draw(page: Any, folder: Path, name: str) -> None:
    """The page at work: a section open, being written, written, in preview; the menu and the dialog."""

    def shoot(moment: str) -> None:
        page.wait_for_timeout(400)
        page.screenshot(path=str(folder / f"{name}-{moment}.png"))

    page.locator("#outline .line").nth(5).click()
    page.wait_for_selector("#generate:visible")
    shoot("empty")
    page.click("#generate")
    page.wait_for_function("document.getElementById('written')?.textContent.length > 240")
    shoot("writing")
    page.wait_for_selector("#stop", state="hidden")
    page.wait_for_function("document.querySelector('#editor textarea').value !== ''")
    text = page.locator("#editor textarea").input_value()
    page.fill("#editor textarea", f"{text}\n\nBoth surveys used the questionnaire of the first year.")
    page.wait_for_selector("#saved.saved")
    shoot("written")
    page.click("#tabs [role=tab] >> nth=1")
    page.wait_for_selector("#preview li")
    page.click("#export summary")
    shoot("preview")
    page.click("#brand .ghost")
    shoot("dialog")


def main(folder: Path) -> None:
    """Draw all pictures into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch, browser() as chromium:
        for name, (width, height) in SIZES.items():
            for scheme in ("light", "dark") if name == "wide" else ("light",):
                root = Path(scratch) / f"{name}-{scheme}"
                workspace = Workspace(root / "workspace")
                fill(workspace)
                writer = ScriptedWriter(report.answer, delay_seconds=0.02)
                windows = Windows(budget_tokens=390)
                engine = ScriptedEngine(writer, word_tokens(root / "tokenizer"), Status("ready"), windows=windows)
                with serving(workspace, engine) as url:
                    page = chromium.new_page(
                        viewport={"width": width, "height": height}, color_scheme=scheme, locale="en-GB"
                    )
                    page.goto(url)
                    page.wait_for_selector("#outline .line")
                    draw(page, folder, name if scheme == "light" else f"{name}-{scheme}")
                    page.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
