"""A bucket on a real server, and a release to publish."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.buckets.servers import KEYS, Storage, storage
from tests.hosts.conftest import retired, retired_database

__all__ = ["retired", "retired_database"]


@pytest.fixture
def bucket_server(tmp_path: Path) -> Iterator[Storage]:
    with storage(tmp_path) as server:
        yield server


@pytest.fixture(autouse=True)
def keys_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in KEYS.items():
        monkeypatch.setenv(name, value)
