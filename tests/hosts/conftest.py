"""Releases that the hosts serve; each is frozen once in a run of the tests."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from site_mirror.hosts import release
from site_mirror.hosts.release import ServedRelease
from tests.freeze import processes
from tests.shared_results import make_once


@dataclass(frozen=True)
class FrozenSite:
    """A release and its database."""

    release: ServedRelease
    database: Path


def freeze_once(name: str, database: Path, **changes: str) -> FrozenSite:
    def freeze(folder: Path) -> None:
        made = processes.freeze(folder, database=database, **changes)
        assert made.returncode == 0, made.stderr

    return FrozenSite(release.read_release(make_once(name, freeze) / "current"), database)


@pytest.fixture(scope="session")
def shipped_site() -> FrozenSite:
    return freeze_once("shipped-site", processes.filled_database(shipped=True))


@pytest.fixture(scope="session")
def retired_database() -> Path:
    return processes.small_database("make_retired_site")


@pytest.fixture(scope="session")
def retired_site(retired_database: Path) -> FrozenSite:
    return freeze_once("retired-site", retired_database)


@pytest.fixture(scope="session")
def retired_site_over_http(retired_database: Path) -> FrozenSite:
    """The retired site with a site root without TLS."""
    site = "http://studio.example"
    return freeze_once("retired-site-over-http", retired_database, SITE_ROOT=site)
