"""Gzip and brotli: which variant a request gets, and that each is one of its own."""

import gzip
import re
from collections.abc import Callable

import brotli
import pytest

from site_mirror import encodings
from tests.api.endpoints import ADDRESSES, BASE, OPENAPI
from tests.api.wire import Answer, call

pytestmark = pytest.mark.usefixtures("content")

DECODERS: dict[str, Callable[[bytes], bytes]] = {
    "br": brotli.decompress,
    "gzip": gzip.decompress,
}
LARGE = f"{BASE}/apps"
SMALL = f"{BASE}/health"

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


def asked(address: str, accept: str) -> Answer:
    return call("GET", address, HTTP_ACCEPT_ENCODING=accept)


@pytest.mark.parametrize(("accept", "encoding"), PREFERENCES)
def test_a_large_body_comes_in_the_encoding_that_is_preferred(
    accept: str, encoding: str | None
) -> None:
    assert asked(LARGE, accept).headers.get("content-encoding") == encoding


@pytest.mark.parametrize("accept", ["gzip", "br", "*", "identity;q=0, gzip"])
def test_a_small_body_comes_as_it_is(accept: str) -> None:
    answer = asked(SMALL, accept)

    assert "content-encoding" not in answer.headers
    assert answer.body.startswith(b'{"status":"ok"')


def test_a_body_is_offered_compressed_exactly_above_a_thousand_bytes() -> None:
    sizes = {address: len(asked(address, "").body) for address in ADDRESSES}
    compressed = {
        address for address in ADDRESSES if "content-encoding" in asked(address, "gzip").headers
    }

    assert compressed == {address for address, size in sizes.items() if size > 1000}
    assert compressed < set(ADDRESSES)


@pytest.mark.parametrize("encoding", DECODERS)
def test_a_variant_decodes_to_the_same_bytes_and_is_smaller(encoding: str) -> None:
    large = {address: asked(address, "").body for address in ADDRESSES}
    for address in (address for address, body in large.items() if len(body) > 1000):
        answer = asked(address, encoding)

        assert DECODERS[encoding](answer.body) == large[address]
        assert len(answer.body) < len(large[address])
        assert answer.headers["content-length"] == str(len(answer.body))
        assert answer.headers["content-type"] == "application/json"


@pytest.mark.parametrize("address", [LARGE, OPENAPI])
def test_each_encoding_has_a_strong_validator_of_its_own(address: str) -> None:
    etags = [asked(address, accept).headers["etag"] for accept in ("", "gzip", "br")]

    assert len(set(etags)) == len(etags)
    assert all(re.fullmatch(r'"[^"]+"', etag) for etag in etags)


def test_the_validator_of_one_encoding_is_not_that_of_another() -> None:
    plain = asked(LARGE, "").headers["etag"]
    answer = call("GET", LARGE, HTTP_ACCEPT_ENCODING="gzip", HTTP_IF_NONE_MATCH=plain)

    assert answer.status == 200
    assert answer.headers["content-encoding"] == "gzip"


@pytest.mark.parametrize("accept", ["", "gzip", "br", "identity"])
def test_every_variant_says_that_the_encoding_varies(accept: str) -> None:
    vary = {address: asked(address, accept).headers["vary"] for address in ADDRESSES}

    assert vary == dict.fromkeys(ADDRESSES, "Accept-Encoding")


@pytest.mark.parametrize("accept", ["gzip", "br"])
def test_a_variant_is_the_same_bytes_every_time(accept: str) -> None:
    first = asked(LARGE, accept)
    encodings.encoded.cache_clear()

    assert asked(LARGE, accept) == first


def test_an_error_comes_as_it_is() -> None:
    answer = asked(f"{BASE}/apps/{'x' * 2000}", "gzip")

    assert answer.status == 404
    assert "content-encoding" not in answer.headers
    assert answer.body.startswith(b'{"type"')
