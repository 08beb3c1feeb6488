"""Fixtures of the site."""

from collections.abc import Iterator

import pytest
from django.test import Client

from catalogue.triggers import revision
from tests import factories
from tests.shipped_content import load_shipped_content


@pytest.fixture(scope="session", autouse=True)
def _started_long_ago() -> Iterator[None]:
    """Date no response by the start of the tests, because many tests have moments of their own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(revision, "STARTED", factories.LONG_AGO)
        yield


@pytest.fixture
def shipped_site(db: None) -> None:
    """The shipped content in the test database."""
    load_shipped_content()


@pytest.fixture
def editor(admin_client: Client) -> Client:
    """The browser of a superuser."""
    return admin_client
