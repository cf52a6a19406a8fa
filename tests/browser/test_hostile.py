"""Whatever a file, a person or the model says is shown as text: nothing runs, nothing is fetched."""

import pytest

from tests.browser import story
from tests.browser.conftest import Desk

pytestmark = pytest.mark.slow

HOSTILE = (
    "<img src=x onerror=window.hacked=1><script>window.hacked=2</script>${window.hacked=3}{{constructor}}"
    "![a](http://evil.example/a.png)<form action=http://evil.example><b>\u202eright-to-left"
)


def test_hostile_text_is_text(desk: Desk) -> None:
    desk.engine.writing.text = HOSTILE
    page = desk.page()
    page.goto(desk.url)
    story.begin_report(page, HOSTILE, f"{HOSTILE}\nBudget")
    story.type_into(page, "#facts textarea", HOSTILE)
    story.type_into(page, "#guidance textarea", HOSTILE)
    page.click("#generate")
    story.wait_until_written(page, 30_000)
    assert story.editor(page).input_value() == HOSTILE
    page.fill("#instruction :is(input, textarea)", HOSTILE)
    page.click("#regenerate")
    page.wait_for_function("text => document.querySelector('#note').textContent.includes(text)", arg=HOSTILE)
    page.click("#tabs [role=tab] >> nth=1")
    page.wait_for_function("document.querySelector('#preview').textContent.includes('constructor')")
    story.open_section(page, "Budget")
    assert page.locator("#window li .title").text_content() == HOSTILE
    assert page.locator("#outline .line .title").first.text_content() == HOSTILE
    assert page.locator("#project option").text_content() == HOSTILE
    assert page.evaluate("window.hacked") is None
    assert page.locator("#preview :is(img, form, script, a), #outline img, #heading img, #window img").count() == 0


def test_a_page_of_another_site_cannot_write(desk: Desk) -> None:
    page = desk.page()
    page.goto(desk.url)
    story.begin_report(page, "Report", "Summary")
    place = page.evaluate("JSON.parse(document.querySelector('#place :is(textarea, input)').value)")
    address = f"{desk.url}/api/projects/{place['project']}/sections/{place['section']}/text"
    body = {"text": "forged", "version": 0, "sitting": "x"}
    refused = page.request.put(address, data=body, headers={"Origin": "http://evil.example"})
    assert refused.status == 403
    policy = page.request.get(desk.url).headers["content-security-policy"]
    assert "connect-src 'self'" in policy and "img-src 'self' data: blob:" in policy
