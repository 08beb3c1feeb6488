"""Reading changes nothing: the same content gives the same bytes, whatever is asked meanwhile."""

import hashlib

import pytest
import time_machine
from django.test import Client

from catalogue import revision
from site_mirror import encodings
from tests.api.conftest import Answers, Get
from tests.api.endpoints import ADDRESSES, ENDPOINTS

pytestmark = pytest.mark.usefixtures("content")

METHODS = ("GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE", "TRACE", "BREW")


def digest(get: Get) -> str:
    bodies = (get(address).content for address in ADDRESSES)
    return hashlib.sha256(b"".join(bodies)).hexdigest()


def test_no_method_changes_what_is_said(client: Client, get: Get) -> None:
    before, number = digest(get), revision.current()
    for address in ADDRESSES:
        for method in METHODS:
            client.generic(method, address, b'{"name":"x"}', content_type="application/json")

    assert digest(get) == before
    assert revision.current() == number


def test_two_renderings_are_the_same_bytes_and_headers(current: Answers, get: Get) -> None:
    encodings.encoded.cache_clear()
    for address, first in current.items():
        second = get(address)

        assert second.content == first.content
        assert dict(second.headers) == dict(first.headers)


def test_two_processes_that_speak_at_different_times_say_the_same(get: Get) -> None:
    digests = set()
    for moment in ("2026-11-21T00:00:00Z", "2027-05-01T12:00:00Z", "2036-01-01T00:00:00Z"):
        with time_machine.travel(moment, tick=False):
            digests.add(digest(get))

    assert len(digests) == 1


def test_every_document_is_the_same_as_its_alias(get: Get) -> None:
    pairs = {endpoint.example: endpoint.alias for endpoint in ENDPOINTS}
    documents = {address: get(address).content for address in pairs}

    assert documents == {address: get(alias).content for address, alias in pairs.items()}
    assert len(set(documents.values())) == len(documents)
