"""A bucket on a real server, and a release to publish."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.buckets.servers import Storage, storage
from tests.hosts.conftest import retired, retired_database

__all__ = ["retired", "retired_database"]


@pytest.fixture
def bucket_server(tmp_path: Path) -> Iterator[Storage]:
    with storage(tmp_path) as server:
        yield server
