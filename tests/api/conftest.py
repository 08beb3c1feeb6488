"""Fixtures: content, and a client of the whole application."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.db.transaction import atomic, set_rollback
from django.test import Client
from pytest_django import DjangoDbBlocker

from tests.api import full_content
from tests.api.endpoints import ADDRESSES

Get = Callable[..., Any]
Answers = dict[str, Any]


@pytest.fixture
def content(db: None) -> None:
    full_content.make_content()


def make_client() -> Client:
    """Return a client that gets a response for an exception, as from a server."""
    return Client(raise_request_exception=False, headers={"host": "studio.example"})


@pytest.fixture
def client() -> Client:
    return make_client()


@pytest.fixture
def get(client: Client) -> Get:
    return client.get


@pytest.fixture(scope="module")
def stored_content(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Content that all tests of a module share; one that edits it needs the fixture `db`, too."""
    with django_db_blocker.unblock(), atomic():
        full_content.make_content()
        yield
        set_rollback(True)


@pytest.fixture(scope="module")
def stored_answers(stored_content: None) -> Answers:
    """The responses of all addresses with `stored_content`."""
    return {address: make_client().get(address) for address in ADDRESSES}
