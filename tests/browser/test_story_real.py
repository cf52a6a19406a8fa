"""The same story with the real model: vLLM and the trained adapter. `served_app_url` brings both up."""

from typing import Any

import pytest

from tests.browser.story import tell_the_story

PATIENCE_SECONDS = 900  # a small model writes 4 tokens a second on two cores
pytestmark = [pytest.mark.slow, pytest.mark.timeout(3 * PATIENCE_SECONDS)]


def test_a_report_with_the_trained_adapter(served_app_url: str, chromium: Any) -> None:
    context = chromium.new_context(locale="en-GB", viewport={"width": 1440, "height": 900}, accept_downloads=True)
    try:
        tell_the_story(context.new_page(), served_app_url, patience_seconds=PATIENCE_SECONDS)
    finally:
        context.close()
