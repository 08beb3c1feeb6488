"""Releases that the hosts serve; each is frozen once in a run of the tests."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from site_mirror.hosts import release
from site_mirror.hosts.release import ServedRelease
from tests.freeze import processes

MAKE_RETIRED_SITE = """
import django
django.setup()
from django.core.management import call_command
from tests.freeze import sites
call_command("migrate", verbosity=0)
sites.make_retired_site()
"""
"""A program that makes a small site with former slugs and a deprecated version of the API."""


@dataclass(frozen=True)
class FrozenSite:
    """A release and its database."""

    release: ServedRelease
    database: Path


def freeze_site(folder: Path, database: Path, **changes: str) -> FrozenSite:
    made = processes.freeze(folder, database=database, **changes)
    assert made.returncode == 0, made.stderr
    return FrozenSite(release.read_release(folder / "current"), database)


@pytest.fixture(scope="session")
def shipped_site(tmp_path_factory: pytest.TempPathFactory) -> FrozenSite:
    folder = tmp_path_factory.mktemp("shipped")
    processes.fill_database(folder / "catalogue.sqlite3", shipped=True)
    return freeze_site(folder / "site", folder / "catalogue.sqlite3")


@pytest.fixture(scope="session")
def retired_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    database = tmp_path_factory.mktemp("retired") / "catalogue.sqlite3"
    made = processes.run("-c", MAKE_RETIRED_SITE, database=database)
    assert made.returncode == 0, made.stderr
    return database


@pytest.fixture(scope="session")
def retired_site(retired_database: Path, tmp_path_factory: pytest.TempPathFactory) -> FrozenSite:
    return freeze_site(tmp_path_factory.mktemp("retired") / "site", retired_database)


@pytest.fixture(scope="session")
def retired_site_over_http(
    retired_database: Path, tmp_path_factory: pytest.TempPathFactory
) -> FrozenSite:
    """The retired site with a site root without TLS."""
    folder = tmp_path_factory.mktemp("retired-over-http")
    return freeze_site(folder / "site", retired_database, SITE_ROOT="http://studio.example")
