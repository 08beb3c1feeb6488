"""Requests do not change content, and equal content gives equal bytes."""

import hashlib

import pytest
import time_machine
from django.test import Client

from site_mirror.documents import encodings
from tests.api.conftest import Answers, Get
from tests.api.endpoints import ADDRESSES, ENDPOINTS
from tests.revisions import read_revision_number

pytestmark = pytest.mark.usefixtures("content")

METHODS = ("GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE", "TRACE", "BREW")


def digest_of_bodies(get: Get) -> str:
    bodies = (get(address).content for address in ADDRESSES)
    return hashlib.sha256(b"".join(bodies)).hexdigest()


@pytest.mark.slow
def test_no_method_changes_a_body(client: Client, get: Get) -> None:
    before, number = digest_of_bodies(get), read_revision_number()
    for address in ADDRESSES:
        for method in METHODS:
            client.generic(method, address, b'{"name":"x"}', content_type="application/json")

    assert digest_of_bodies(get) == before
    assert read_revision_number() == number


@pytest.mark.slow
def test_two_renderings_have_equal_bytes_and_headers(current: Answers, get: Get) -> None:
    encodings.encoded_variant.cache_clear()
    for address, first in current.items():
        second = get(address)

        assert second.content == first.content
        assert dict(second.headers) == dict(first.headers)


@pytest.mark.slow
def test_bodies_do_not_depend_on_the_time(get: Get) -> None:
    digests = set()
    for moment in ("2026-11-21T00:00:00Z", "2027-05-01T12:00:00Z", "2036-01-01T00:00:00Z"):
        with time_machine.travel(moment, tick=False):
            digests.add(digest_of_bodies(get))

    assert len(digests) == 1


def test_every_document_is_the_same_as_its_alias(get: Get) -> None:
    pairs = {endpoint.example: endpoint.alias for endpoint in ENDPOINTS}
    documents = {address: get(address).content for address in pairs}

    assert documents == {address: get(alias).content for address, alias in pairs.items()}
    assert len(set(documents.values())) == len(documents)
