"""Compressed variants in gzip and Brotli, and their selection."""

import gzip
import re
from collections.abc import Callable

import brotli
import pytest

from tests.api.conftest import Answers
from tests.api.endpoints import ADDRESSES, BASE
from tests.api.wsgi_client import Answer, call_application

pytestmark = pytest.mark.usefixtures("db", "stored_content")

DECODERS: dict[str, Callable[[bytes], bytes]] = {
    "br": brotli.decompress,
    "gzip": gzip.decompress,
}
LARGE_DOCUMENT = f"{BASE}/apps"


def get_encoded(address: str, accept: str) -> Answer:
    return call_application("GET", address, HTTP_ACCEPT_ENCODING=accept)


@pytest.mark.parametrize("encoding", ["identity", *DECODERS])
def test_bodies_above_a_thousand_bytes_have_smaller_variants_of_the_same_bytes(
    stored_answers: Answers, encoding: str
) -> None:
    compressed = set()
    for address in ADDRESSES:
        plain, answer = stored_answers[address].content, get_encoded(address, encoding)
        if answer.headers.get("content-encoding") == encoding:
            compressed.add(address)
            assert DECODERS[encoding](answer.body) == plain
            assert len(answer.body) < len(plain)
        else:
            assert answer.body == plain
        assert answer.headers["content-length"] == str(len(answer.body))
        assert answer.headers["content-type"] == "application/json"
        assert answer.headers["vary"] == "Accept-Encoding"

    large = {address for address in ADDRESSES if len(stored_answers[address].content) > 1000}
    assert compressed == (set() if encoding == "identity" else large)
    assert 0 < len(large) < len(ADDRESSES)


def test_each_variant_has_a_strong_validator_that_matches_no_other() -> None:
    preferred = get_encoded(LARGE_DOCUMENT, "br;q=0.5, gzip;q=0.8")
    etags = [get_encoded(LARGE_DOCUMENT, accept).headers["etag"] for accept in ("", "gzip", "br")]
    answer = call_application(
        "GET", LARGE_DOCUMENT, HTTP_ACCEPT_ENCODING="gzip", HTTP_IF_NONE_MATCH=etags[0]
    )

    assert len(set(etags)) == 3
    assert all(re.fullmatch(r'"[^"]+"', etag) for etag in etags)
    assert (answer.status, answer.headers["content-encoding"]) == (200, "gzip")
    assert answer.headers["etag"] == preferred.headers["etag"] == etags[1]


def test_an_error_is_not_compressed() -> None:
    answer = get_encoded(f"{BASE}/apps/{'x' * 2000}", "gzip")

    assert answer.status == 404
    assert "content-encoding" not in answer.headers
    assert answer.body.startswith(b'{"type"')
