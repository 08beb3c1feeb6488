"""One release of the shipped content for the whole run, and the servers of each process."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from tests.freeze import processes
from tests.site.published import serving, visits
from tests.site.published.once import once
from tests.site.published.release import ROOT, Release


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """A folder that all processes of the run have in common."""
    own = tmp_path_factory.getbasetemp()
    return own if worker_id == "master" else own.parent


@pytest.fixture(scope="session")
def database(shared: Path) -> Path:
    """The shipped content in a file, which nobody writes to."""
    return once(shared, "published.sqlite3", partial(processes.fill, shipped=True))


@pytest.fixture(scope="session")
def release(shared: Path, database: Path) -> Release:
    def freeze(target: Path) -> None:
        frozen = processes.freeze(target, database=database, SITE_ROOT=ROOT)
        assert frozen.returncode == processes.PUBLISHED, frozen.stderr

    return Release(once(shared, "published", freeze))


@pytest.fixture(scope="session")
def live(database: Path) -> Iterator[int]:
    """The port of the live origin."""
    with serving.live_origin(database) as port:
        yield port


@pytest.fixture(scope="session")
def frozen(release: Release) -> Iterator[int]:
    """The port of a file server over the release."""
    with serving.file_server(release.public) as port:
        yield port


@pytest.fixture(scope="session")
def seen(shared: Path, release: Release, live: int) -> dict[str, visits.Seen]:
    """What a browser sees on each page of the live origin."""
    look = partial(visits.visit_all, [*release.pages, visits.FAULTY], live)
    return visits.read(once(shared, "seen.json", look))
