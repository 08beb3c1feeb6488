"""Fixtures of the site."""

import pytest
from django.test import Client

from tests.shipped_content import load_shipped_content


@pytest.fixture
def shipped_site(db: None) -> None:
    """The shipped content in the test database."""
    load_shipped_content()


@pytest.fixture
def editor(admin_client: Client) -> Client:
    """The browser of a superuser."""
    return admin_client
