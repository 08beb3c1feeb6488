"""Releases that the hosts serve, each frozen once a session."""

import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from site_mirror.hosts import release
from site_mirror.hosts.release import Release
from tests.freeze import processes

EPOCH = "1767225600"
RETIRED = """
import django
django.setup()
from django.core.management import call_command
from tests.freeze import makers
call_command("migrate", verbosity=0)
makers.make_retired_site()
"""
"""A small site with former slugs, whose version of the API is about to end."""


@dataclass(frozen=True)
class Frozen:
    """A release, and the database that it was made of."""

    release: Release
    database: Path


def frozen(folder: Path, database: Path, **changes: str) -> Frozen:
    made = processes.freeze(folder, database=database, SOURCE_DATE_EPOCH=EPOCH, **changes)
    succeeded(made)
    return Frozen(release.read(folder / "current"), database)


def succeeded(process: subprocess.CompletedProcess[str]) -> None:
    if process.returncode:
        raise RuntimeError(process.stderr)


@pytest.fixture(scope="session")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Frozen:
    folder = tmp_path_factory.mktemp("shipped")
    processes.fill(folder / "catalogue.sqlite3", shipped=True)
    return frozen(folder / "site", folder / "catalogue.sqlite3")


@pytest.fixture(scope="session")
def retired_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    database = tmp_path_factory.mktemp("retired") / "catalogue.sqlite3"
    succeeded(processes.run("-c", RETIRED, database=database))
    return database


@pytest.fixture(scope="session")
def retired(retired_database: Path, tmp_path_factory: pytest.TempPathFactory) -> Frozen:
    return frozen(tmp_path_factory.mktemp("retired") / "site", retired_database)


@pytest.fixture(scope="session")
def retired_over_http(retired_database: Path, tmp_path_factory: pytest.TempPathFactory) -> Frozen:
    """The same site, published without TLS."""
    folder = tmp_path_factory.mktemp("retired-over-http")
    return frozen(folder / "site", retired_database, SITE_ROOT="http://studio.example")
