"""Fixtures: a bucket on a real server, keys for it, and a release to publish."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.buckets.servers import BucketServer, serve_bucket
from tests.hosts.conftest import retired_database, retired_site

__all__ = ["retired_database", "retired_site"]


@pytest.fixture
def bucket_server(tmp_path: Path) -> Iterator[BucketServer]:
    with serve_bucket(tmp_path) as server:
        yield server
