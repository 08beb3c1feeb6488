"""Fixtures of the site."""

import pytest

from tests.shipped_content import load_shipped_content


@pytest.fixture
def shipped_site(db: None) -> None:
    """The shipped content in the test database."""
    load_shipped_content()
