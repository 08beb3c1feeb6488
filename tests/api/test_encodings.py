"""Compressed variants in gzip and Brotli, and their selection."""

import gzip
import re
from collections.abc import Callable

import brotli
import pytest

from site_mirror.documents import encodings
from tests.api.conftest import Answers
from tests.api.endpoints import ADDRESSES, BASE, DOCUMENTS, OPENAPI, each_address
from tests.api.wsgi_client import Answer, call_application

pytestmark = pytest.mark.usefixtures("db", "stored_content")

DECODERS: dict[str, Callable[[bytes], bytes]] = {
    "br": brotli.decompress,
    "gzip": gzip.decompress,
}
LARGE_DOCUMENT = f"{BASE}/apps"
SMALL_DOCUMENT = f"{BASE}/health"

PREFERENCES = [
    ("", None),
    ("gzip", "gzip"),
    ("br", "br"),
    ("GZIP", "gzip"),
    ("gzip, deflate, br, zstd", "br"),
    ("br;q=0.5, gzip;q=0.8", "gzip"),
    ("br;q=0.8, gzip;q=0.8", "br"),
    ("gzip;q=0.001", "gzip"),
    ("gzip;q=0", None),
    ("gzip;q=0, br;q=0", None),
    ("gzip; q=0.5 , br ; q=0.4", "gzip"),
    ("*", "br"),
    ("*;q=0", None),
    ("*;q=0.5, br;q=0", "gzip"),
    ("identity", None),
    ("identity, gzip;q=0.5", None),
    ("identity;q=0.5, gzip", "gzip"),
    ("identity;q=0, gzip", "gzip"),
    ("deflate", None),
    ("zstd, compress", None),
    ("gzip;q=many", None),
    ("gzip;q=nan", None),
    (";;,,;q", None),
]


def get_encoded(address: str, accept: str) -> Answer:
    return call_application("GET", address, HTTP_ACCEPT_ENCODING=accept)


@pytest.mark.parametrize(("accept", "encoding"), PREFERENCES)
def test_a_large_body_has_the_preferred_encoding(accept: str, encoding: str | None) -> None:
    assert get_encoded(LARGE_DOCUMENT, accept).headers.get("content-encoding") == encoding


@pytest.mark.parametrize("accept", ["gzip", "br", "*", "identity;q=0, gzip"])
def test_a_small_body_is_not_compressed(accept: str) -> None:
    answer = get_encoded(SMALL_DOCUMENT, accept)

    assert "content-encoding" not in answer.headers
    assert answer.body.startswith(b'{"status":"ok"')


def test_only_bodies_above_a_thousand_bytes_are_compressed(stored_answers: Answers) -> None:
    sizes = {address: len(answer.content) for address, answer in stored_answers.items()}
    compressed = {
        address
        for address in ADDRESSES
        if "content-encoding" in get_encoded(address, "gzip").headers
    }

    assert compressed == {address for address, size in sizes.items() if size > 1000}
    assert compressed < set(ADDRESSES)


@pytest.mark.parametrize("encoding", DECODERS)
def test_a_variant_decodes_to_the_same_bytes_and_is_smaller(
    stored_answers: Answers, encoding: str
) -> None:
    large = {address: stored_answers[address].content for address in DOCUMENTS}
    for address in (address for address, body in large.items() if len(body) > 1000):
        answer = get_encoded(address, encoding)

        assert DECODERS[encoding](answer.body) == large[address]
        assert len(answer.body) < len(large[address])
        assert answer.headers["content-length"] == str(len(answer.body))
        assert answer.headers["content-type"] == "application/json"


@pytest.mark.parametrize("address", [LARGE_DOCUMENT, OPENAPI])
def test_each_variant_has_its_own_strong_validator(address: str) -> None:
    etags = [get_encoded(address, accept).headers["etag"] for accept in ("", "gzip", "br")]

    assert len(set(etags)) == len(etags)
    assert all(re.fullmatch(r'"[^"]+"', etag) for etag in etags)


def test_the_validator_of_a_variant_does_not_match_another_one() -> None:
    plain = get_encoded(LARGE_DOCUMENT, "").headers["etag"]
    answer = call_application(
        "GET", LARGE_DOCUMENT, HTTP_ACCEPT_ENCODING="gzip", HTTP_IF_NONE_MATCH=plain
    )

    assert answer.status == 200
    assert answer.headers["content-encoding"] == "gzip"


@each_address
@pytest.mark.parametrize("accept", ["", "gzip", "br", "identity"])
def test_every_variant_has_vary_accept_encoding(addresses: tuple[str, ...], accept: str) -> None:
    vary = {address: get_encoded(address, accept).headers["vary"] for address in addresses}

    assert vary == dict.fromkeys(addresses, "Accept-Encoding")


@pytest.mark.parametrize("accept", ["gzip", "br"])
def test_a_variant_has_the_same_bytes_every_time(accept: str) -> None:
    first = get_encoded(LARGE_DOCUMENT, accept)
    encodings.encoded_variant.cache_clear()

    assert get_encoded(LARGE_DOCUMENT, accept) == first


def test_an_error_is_not_compressed() -> None:
    answer = get_encoded(f"{BASE}/apps/{'x' * 2000}", "gzip")

    assert answer.status == 404
    assert "content-encoding" not in answer.headers
    assert answer.body.startswith(b'{"type"')
