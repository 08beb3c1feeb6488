"""Requests do not change content, and equal content gives equal bytes."""

import hashlib

import pytest
import time_machine
from django.test import Client

from site_mirror.documents import encodings
from tests.api.conftest import Answers, Get
from tests.api.endpoints import DOCUMENTS, ENDPOINTS, each_address
from tests.revisions import read_revision_number

pytestmark = pytest.mark.usefixtures("db", "stored_content")

METHODS = ("GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE", "TRACE", "BREW")


def digest_of_bodies(get: Get, addresses: tuple[str, ...]) -> str:
    bodies = (get(address).content for address in addresses)
    return hashlib.sha256(b"".join(bodies)).hexdigest()


@each_address
def test_no_method_changes_a_body(client: Client, get: Get, addresses: tuple[str, ...]) -> None:
    before, number = digest_of_bodies(get, addresses), read_revision_number()
    for address in addresses:
        for method in METHODS:
            client.generic(method, address, b'{"name":"x"}', content_type="application/json")

    assert digest_of_bodies(get, addresses) == before
    assert read_revision_number() == number


def test_two_renderings_have_equal_bytes_and_headers(stored_answers: Answers, get: Get) -> None:
    encodings.encoded_variant.cache_clear()
    for address in DOCUMENTS:
        first, second = stored_answers[address], get(address)

        assert second.content == first.content
        assert dict(second.headers) == dict(first.headers)


@each_address
def test_bodies_do_not_depend_on_the_time(get: Get, addresses: tuple[str, ...]) -> None:
    digests = set()
    for moment in ("2026-11-21T00:00:00Z", "2027-05-01T12:00:00Z", "2036-01-01T00:00:00Z"):
        with time_machine.travel(moment, tick=False):
            digests.add(digest_of_bodies(get, addresses))

    assert len(digests) == 1


def test_every_document_is_the_same_as_its_alias(get: Get) -> None:
    pairs = {endpoint.example: endpoint.alias for endpoint in ENDPOINTS}
    documents = {address: get(address).content for address in pairs}

    assert documents == {address: get(alias).content for address, alias in pairs.items()}
    assert len(set(documents.values())) == len(documents)
