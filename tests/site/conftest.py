"""Fixtures: the shipped site, and a full request budget."""

import pytest
from django.core.cache import cache

from tests.shipped_content import load_shipped_content


@pytest.fixture
def shipped_site(db: None) -> None:
    """The shipped content in the test database."""
    load_shipped_content()


@pytest.fixture(autouse=True)
def _full_budget() -> None:
    """Clear the cache, in which requests are counted."""
    cache.clear()
