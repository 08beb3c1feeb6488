"""The shipped site, and what the origin needs around it."""

from collections.abc import Iterator

import pytest
from django.core.cache import cache
from django.test import override_settings

from catalogue import shipped


@pytest.fixture
def shipped_site(db: None) -> None:
    """The shipped content in the test database."""
    shipped.load()


@pytest.fixture(scope="session", autouse=True)
def _static_files(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A folder for the admin's static files, which the origin expects to be there."""
    with override_settings(STATIC_ROOT=tmp_path_factory.mktemp("static")):
        yield


@pytest.fixture(autouse=True)
def _nobody_has_asked_yet() -> None:
    """The budget of requests is counted in the cache."""
    cache.clear()
