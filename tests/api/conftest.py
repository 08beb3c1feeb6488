"""Fixtures: content, and a client of the whole application."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from django.db.transaction import atomic, set_rollback
from django.test import Client, override_settings
from pytest_django import DjangoDbBlocker, Settings

from tests.api import full_content
from tests.api.endpoints import ADDRESSES, DOCUMENTS
from tests.api.full_content import Content

Get = Callable[..., Any]
Answers = dict[str, Any]


@pytest.fixture(autouse=True)
def _fresh_origin(settings: Settings, tmp_path: Path) -> None:
    """A full budget for every test, and a folder for the admin's static files."""
    settings.STATIC_ROOT = str(tmp_path)
    cache.clear()


@pytest.fixture
def content(db: None) -> Content:
    return full_content.make_content()


def make_client() -> Client:
    """Return a client that gets a response for an exception, as from a server."""
    return Client(raise_request_exception=False, headers={"host": "studio.example"})


@pytest.fixture
def client() -> Client:
    return make_client()


@pytest.fixture
def get(client: Client) -> Get:
    return client.get


@pytest.fixture
def current(content: Content, get: Get) -> Answers:
    """The responses to a GET of each document of the API."""
    return {address: get(address) for address in DOCUMENTS}


@pytest.fixture(scope="session")
def answers(
    django_db_setup: None,
    django_db_blocker: DjangoDbBlocker,
    tmp_path_factory: pytest.TempPathFactory,
) -> Answers:
    """The responses of all addresses, for tests that only read them."""
    static_root = str(tmp_path_factory.mktemp("static"))
    with django_db_blocker.unblock(), override_settings(STATIC_ROOT=static_root), atomic():
        full_content.make_content()
        responses = {address: make_client().get(address) for address in ADDRESSES}
        set_rollback(True)
    return responses
