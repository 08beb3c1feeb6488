"""Fixtures: the shipped site, a folder for static files, and a full request budget."""

from collections.abc import Iterator

import pytest
from django.core.cache import cache
from django.test import override_settings

from tests.shipped_content import load_shipped_content


@pytest.fixture
def shipped_site(db: None) -> None:
    """The shipped content in the test database."""
    load_shipped_content()


@pytest.fixture(scope="session", autouse=True)
def _static_root(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Give the origin an empty folder for the admin's static files."""
    with override_settings(STATIC_ROOT=tmp_path_factory.mktemp("static")):
        yield


@pytest.fixture(autouse=True)
def _full_budget() -> None:
    """Clear the cache, in which requests are counted."""
    cache.clear()
