"""Fixtures: one release of the shipped content for all test processes, and its servers."""

import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from tests.freeze import processes
from tests.live_origins import run_origin
from tests.pages.published import browser_visits
from tests.pages.published.release import ROOT, Release
from tests.ports import free_port
from tests.shared_results import make_once

ARTICLE = "/vi/blog/breathing-at-six-per-minute"


@pytest.fixture(scope="session")
def database() -> Path:
    """A database with the shipped content, which tests only read."""
    return make_once("published.sqlite3", partial(processes.fill_database, shipped=True))


@pytest.fixture(scope="session")
def release(database: Path) -> Release:
    def freeze(target: Path) -> None:
        process = processes.freeze(target, database=database, SITE_ROOT=ROOT)
        assert process.returncode == processes.PUBLISHED, process.stderr

    return Release(make_once("published", freeze))


@pytest.fixture(scope="session")
def live_port(database: Path) -> Iterator[int]:
    """The port of the live origin, with the root of the release."""
    port = free_port()
    command = [sys.executable, "manage.py", "serve", "--port", str(port)]
    with run_origin(command, port, processes.environment(database, SITE_ROOT=ROOT)):
        yield port


EVERY_PAGE = pytest.mark.exhaustive("opens every page in four layouts: 90 seconds")


@pytest.fixture(scope="session", params=["two", pytest.param("all", marks=EVERY_PAGE)])
def visited_pages(request: pytest.FixtureRequest, release: Release) -> list[str]:
    """The pages that a browser opens: the home page and an article, or all."""
    return ["/", ARTICLE] if request.param == "two" else list(release.pages)


@pytest.fixture(scope="session")
def visits(visited_pages: list[str], live_port: int) -> dict[str, browser_visits.Visit]:
    """The visits of a browser to pages of the live origin, and to one with faults."""
    addresses = [*visited_pages, browser_visits.FAULTY_PAGE]
    visit_pages = partial(browser_visits.write_visits, addresses, live_port)
    return browser_visits.read_visits(make_once(f"visits-{len(addresses)}.json", visit_pages))
