"""Chromium, driven by Playwright."""

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, sync_playwright

from tests.requirements import ARGUMENTS, needs_chromium

PATIENCE_MILLISECONDS = 120_000
"""The time of an action on a page: a busy machine needs more than the 30 seconds of Playwright."""


@contextmanager
def running_chromium(*arguments: str) -> Iterator[Browser]:
    """Run a browser, with more arguments, until the end of the block."""
    executable = str(needs_chromium())
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=executable, args=[*ARGUMENTS, *arguments]
        )
        yield browser
        browser.close()
