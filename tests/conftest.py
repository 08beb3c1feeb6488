"""Fixtures of the site."""

from collections.abc import Iterator

import pytest
from django.db.models.signals import post_save
from django.test import Client

from catalogue.triggers import revision
from site_mirror.apps import DRAWN_TABLES, draw_saved
from tests import factories
from tests.shipped_content import load_shipped_content


@pytest.fixture(scope="session", autouse=True)
def _started_long_ago() -> Iterator[None]:
    """Date no response by the start of the tests, because many tests have moments of their own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(revision, "STARTED", factories.LONG_AGO)
        yield


@pytest.fixture(scope="session", autouse=True)
def _nothing_is_drawn() -> None:
    """Save rows without their pictures, because few tests look at these."""
    for table in DRAWN_TABLES:
        post_save.disconnect(draw_saved, sender=table)


@pytest.fixture
def pictures_are_drawn() -> Iterator[None]:
    """Draw the pictures of each row that a test saves."""
    for table in DRAWN_TABLES:
        post_save.connect(draw_saved, sender=table)
    yield
    for table in DRAWN_TABLES:
        post_save.disconnect(draw_saved, sender=table)


@pytest.fixture
def shipped_site(db: None) -> None:
    """The shipped content in the test database."""
    load_shipped_content()


@pytest.fixture
def editor(admin_client: Client) -> Client:
    """The browser of a superuser."""
    return admin_client
