"""Fixtures: one release of the shipped content for all test processes, and its servers."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from tests.freeze import processes
from tests.site.published import browser_visits, release_servers
from tests.site.published.release import ROOT, Release
from tests.site.published.shared_results import compute_once


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
    """The port of the live origin."""
    with release_servers.serve_database(database) as port:
        yield port


@pytest.fixture(scope="session")
def frozen_port(release: Release) -> Iterator[int]:
    """The port of a file server over the release."""
    with release_servers.serve_files(release.public) as port:
        yield port


@pytest.fixture(scope="session")
def visits(
    shared_folder: Path, release: Release, live_port: int
) -> dict[str, browser_visits.Visit]:
    """The visits of a browser to all pages of the live origin."""
    visit_pages = partial(
        browser_visits.write_visits, [*release.pages, browser_visits.FAULTY_PAGE], live_port
    )
    return browser_visits.read_visits(compute_once(shared_folder, "seen.json", visit_pages))
