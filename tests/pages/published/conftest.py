"""Fixtures: one release of the shipped content for all test processes, and its servers."""

import fcntl
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from tests.freeze import processes
from tests.live_origins import run_origin
from tests.pages.published import browser_visits
from tests.pages.published.release import ROOT, Release
from tests.ports import free_port

ARTICLE = "/vi/blog/breathing-at-six-per-minute"


def compute_once(folder: Path, name: str, make: Callable[[Path], object]) -> Path:
    """Return a file or folder below `folder`; the first test process that needs it computes it."""
    result = folder / name
    with (folder / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not result.exists():
            unfinished = folder / f"{name}.unfinished"
            make(unfinished)
            unfinished.rename(result)
    return result


@pytest.fixture(scope="session")
def shared_folder(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """A folder that all test processes share."""
    own = tmp_path_factory.getbasetemp()
    return own if worker_id == "master" else own.parent


@pytest.fixture(scope="session")
def database(shared_folder: Path) -> Path:
    """A database with the shipped content, which tests only read."""
    return compute_once(
        shared_folder, "published.sqlite3", partial(processes.fill_database, shipped=True)
    )


@pytest.fixture(scope="session")
def release(shared_folder: Path, database: Path) -> Release:
    def freeze(target: Path) -> None:
        process = processes.freeze(target, database=database, SITE_ROOT=ROOT)
        assert process.returncode == processes.PUBLISHED, process.stderr

    return Release(compute_once(shared_folder, "published", freeze))


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
def visits(
    shared_folder: Path, visited_pages: list[str], live_port: int
) -> dict[str, browser_visits.Visit]:
    """The visits of a browser to pages of the live origin, and to one with faults."""
    addresses = [*visited_pages, browser_visits.FAULTY_PAGE]
    visit_pages = partial(browser_visits.write_visits, addresses, live_port)
    file = f"visits-{len(addresses)}.json"
    return browser_visits.read_visits(compute_once(shared_folder, file, visit_pages))
