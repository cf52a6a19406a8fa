"""The page with a scripted model: the whole story, and what must not get lost on the way."""

import pytest

from copilot.app import Status
from tests.browser import story
from tests.browser.conftest import Desk
from tests.browser.story import begin_report, editor, open_section, type_into

pytestmark = pytest.mark.slow


def test_a_report_from_the_outline_to_word(desk: Desk) -> None:
    told = story.tell_the_story(desk.page(), desk.url)
    prompts = [call["messages"][1].content for call in desk.engine.writing.calls]
    assert "Grant agreement RHA-2025-114" in prompts[0]
    assert story.ADDED in prompts[1], "the second section was written without what was accepted in the first"
    assert told.first != told.second


def test_a_page_that_is_reloaded_while_the_model_writes_goes_on_looking(desk: Desk) -> None:
    page = desk.page()
    page.goto(desk.url)
    begin_report(page, "Report", "1 Introduction\n2 Budget")
    page.click("#generate")
    page.wait_for_function("document.getElementById('written')?.textContent.length > 20")
    page.reload()
    page.wait_for_selector("#stop")
    open_section(page, "2 Budget")
    assert not page.locator("#paper").is_visible() and editor(page).input_value() == ""
    open_section(page, "1 Introduction")
    story.wait_until_written(page, 30_000)
    assert editor(page).input_value().endswith("put the consultation on wheels.")


def test_without_a_model_one_can_write_accept_and_export(desk: Desk) -> None:
    desk.engine.state = Status("failed", "The model server ended.")
    page = desk.page()
    page.goto(desk.url)
    begin_report(page, "Report", "Summary\nBudget")
    assert page.locator("#generate").is_disabled() and page.locator("#model.failed").is_visible()
    type_into(page, "#editor textarea", "By hand.")
    page.click("#accept")
    story.wait_for_section(page, "Budget")
    assert b"By hand." in story.export(page, "plain")
    desk.engine.state = Status("ready")
    page.wait_for_selector("#generate:not([disabled])")


def test_two_tabs_are_told_of_each_other_and_both_texts_stay(desk: Desk) -> None:
    one = desk.page()
    one.goto(desk.url)
    begin_report(one, "Report", "Summary")
    two = one.context.new_page()
    two.goto(one.url)
    story.wait_for_section(two, "Summary")
    type_into(one, "#editor textarea", "From the first tab.")
    two.fill("#editor textarea", "From the second tab.")
    two.click("#conflict [data-keep=mine]")
    two.wait_for_selector("#saved.saved")
    one.fill("#editor textarea", "From the first tab, and more.")
    one.click("#conflict [data-keep=theirs]")
    one.wait_for_function("document.querySelector('#editor textarea').value === 'From the second tab.'")
    one.click("#back")
    one.wait_for_function("document.querySelector('#editor textarea').value === 'From the first tab, and more.'")


def test_what_the_server_did_not_get_comes_back_from_the_browser(desk: Desk) -> None:
    page = desk.page()
    page.goto(desk.url)
    begin_report(page, "Report", "Summary")
    text = "Typed on the train. " * 1500  # too long for what a page that closes may still send
    is_back = "text => document.querySelector('#editor textarea')?.value === text"
    page.route("**/text", lambda route: route.abort())
    page.fill("#editor textarea", text)
    page.wait_for_selector("#saved.unsaved")
    page.unroute("**/text")
    page.reload()
    page.wait_for_function(is_back, arg=text)
    page.wait_for_selector("#saved.saved")
    page.reload()
    page.wait_for_function(is_back, arg=text)
    page.wait_for_timeout(100)
    assert page.evaluate("Object.keys(localStorage).filter(k => k.startsWith('memoria')).length") == 0


@pytest.mark.parametrize(
    ("locale", "button", "pill"),
    [("ca-ES", "Genera", "El model s'està iniciant…"), ("es-MX", "Generar", "El modelo se está iniciando…")],
)
def test_the_page_speaks_the_browsers_language(desk: Desk, locale: str, button: str, pill: str) -> None:
    desk.engine.state = Status("starting")
    page = desk.page(locale)
    page.goto(desk.url)
    begin_report(page, "Memòria", "Resum")
    assert page.locator("#generate").inner_text() == button
    assert page.locator("#model").inner_text() == pill
