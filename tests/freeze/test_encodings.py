"""Compressed variants have reproducible bytes, and a request gets the one that it prefers."""

import gzip
import time
from pathlib import Path
from typing import Any

import brotli
import pytest
import time_machine

from site_mirror.documents import encodings
from site_mirror.documents.encodings import BROTLI, GZIP, MAX_UNCOMPRESSED_BYTES, Encoding
from site_mirror.documents.headers import HTML_TYPE
from tests.freeze import target_files

BODY = b"A sentence that says the same thing again and again. " * 50


@pytest.mark.parametrize("encoding", [BROTLI, GZIP], ids=lambda encoding: encoding.name)
def test_compressing_at_another_time_gives_the_same_bytes(encoding: Encoding) -> None:
    first = encoding.compress(BODY)
    with time_machine.travel(time.time() + 86400):
        later = encoding.compress(BODY)

    assert later == first


@pytest.mark.parametrize(
    ("encoding", "decompress"),
    [(BROTLI, brotli.decompress), (GZIP, gzip.decompress)],
    ids=["br", "gzip"],
)
@pytest.mark.parametrize("body", [b"", b"x", BODY], ids=["empty", "short", "long"])
def test_a_variant_decompresses_to_its_body(
    encoding: Encoding, decompress: Any, body: bytes
) -> None:
    assert decompress(encoding.compress(body)) == body


@pytest.mark.parametrize(
    ("size", "offered"),
    [
        (0, ()),
        (MAX_UNCOMPRESSED_BYTES, ()),
        (MAX_UNCOMPRESSED_BYTES + 1, (BROTLI, GZIP)),
        (100_000, (BROTLI, GZIP)),
    ],
)
def test_a_body_over_one_kilobyte_is_offered_compressed(
    size: int, offered: tuple[Encoding, ...]
) -> None:
    assert encodings.encodings_of_body(b"x" * size, HTML_TYPE) == offered


@pytest.mark.parametrize(
    ("accept_encoding", "chosen"),
    [
        ("", None),
        ("gzip", "gzip"),
        ("br", "br"),
        ("gzip, deflate, br, zstd", "br"),
        ("deflate", None),
        ("gzip;q=1.0, br;q=0.5", "gzip"),
        ("br;q=0, gzip", "gzip"),
        ("br;q=0.000, gzip;q=0.001", "gzip"),
        ("*", "br"),
        ("*;q=0", None),
        ("gzip;q=0.5, *;q=0.8", "br"),
        ("identity;q=0, gzip", "gzip"),
        ("identity, gzip;q=0.5", None),
        ("identity;q=0.5, gzip;q=0.5", "gzip"),
        ("gzip;q=high", None),
        ("gzip;q=nan", None),
        (",,gzip,,", "gzip"),
    ],
)
def test_the_variant_is_the_one_that_the_request_prefers(
    accept_encoding: str, chosen: str | None
) -> None:
    variant = encodings.preferred_variant(BODY, HTML_TYPE, accept_encoding)

    assert (variant.encoding.name if variant.encoding else None) == chosen


def test_each_variant_has_a_strong_validator_of_its_own() -> None:
    tags = {
        encodings.preferred_variant(BODY, HTML_TYPE, accept).etag for accept in ("", "gzip", "br")
    }

    assert len(tags) == 3
    assert all(tag.startswith('"') and tag.endswith('"') for tag in tags)


@pytest.mark.parametrize("media_type", ["font/woff2", "image/png"])
def test_compressed_media_types_are_not_compressed_again(media_type: str) -> None:
    assert encodings.encodings_of_body(b"x" * 5000, media_type) == ()


def test_no_document_is_larger_in_the_preferred_coding(shipped_site: Path) -> None:
    sizes = {
        entry.address: {variant.encoding: variant.size for variant in entry.encodings}
        for entry in target_files.read_manifest(shipped_site).documents
        if entry.encodings
    }

    larger = [address for address, size in sizes.items() if size["br"] > size["gzip"]]
    assert len(sizes) > 150
    assert larger == []
