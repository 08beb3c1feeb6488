"""Fixtures: a release to publish."""

from tests.hosts.conftest import retired_database, retired_site

__all__ = ["retired_database", "retired_site"]
