"""The system's Chromium, driven by Playwright."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from patience import PATIENCE

_NAMES = ("chromium", "chromium-browser", "google-chrome")


def find_chromium() -> str:
    """Return the path of Chromium. Without it a test is skipped, or fails where a browser is due."""
    for name in _NAMES:
        found = shutil.which(name)
        if found:
            return found
    missing = "Chromium is not installed; it comes with your system's packages"
    if os.environ.get("REQUIRE_BROWSER"):
        pytest.fail(missing)
    pytest.skip(missing)


@contextmanager
def open_browser(**options: Any) -> Iterator[Any]:
    """Yield a browser context; `options` are Playwright's, for instance java_script_enabled."""
    from playwright.sync_api import expect, sync_playwright

    patience = 1000 * PATIENCE
    expect.set_options(timeout=patience)
    with sync_playwright() as play:
        browser = play.chromium.launch(
            executable_path=find_chromium(), args=["--no-sandbox"], timeout=patience
        )
        try:
            context = browser.new_context(**options)
            context.set_default_timeout(patience)
            yield context
        finally:
            browser.close()
