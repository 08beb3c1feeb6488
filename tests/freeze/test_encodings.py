"""Compressed variants have reproducible bytes, and a request gets the one that it prefers."""

import gzip
import time
from pathlib import Path

import brotli
import pytest
import time_machine

from site_mirror.documents import encodings
from site_mirror.documents.encodings import (
    BROTLI,
    GZIP,
    MAX_UNCOMPRESSED_BYTES,
    Encoding,
)
from site_mirror.documents.headers import HTML_TYPE
from tests.freeze import target_files

BODY = b"A sentence that says the same thing again and again. " * 50
DECOMPRESS = {BROTLI: brotli.decompress, GZIP: gzip.decompress}
ENCODINGS = pytest.mark.parametrize("encoding", DECOMPRESS, ids=lambda encoding: encoding.name)


@ENCODINGS
@pytest.mark.parametrize("body", [b"", b"x", BODY], ids=["empty", "short", "long"])
def test_a_variant_has_the_same_bytes_at_any_time(encoding: Encoding, body: bytes) -> None:
    compressed = encoding.compress(body)

    with time_machine.travel(time.time() + 86400):
        assert encoding.compress(body) == compressed
    assert DECOMPRESS[encoding](compressed) == body


@pytest.mark.parametrize(
    ("size", "media_type", "offered"),
    [
        (0, HTML_TYPE, ()),
        (MAX_UNCOMPRESSED_BYTES, HTML_TYPE, ()),
        (MAX_UNCOMPRESSED_BYTES + 1, HTML_TYPE, (BROTLI, GZIP)),
        (5000, "font/woff2", ()),
        (5000, "image/png", ()),
    ],
)
def test_a_text_over_one_kilobyte_is_offered_compressed(
    size: int, media_type: str, offered: tuple[Encoding, ...]
) -> None:
    assert encodings.encodings_of_size(size, media_type) == offered


@pytest.mark.parametrize(
    ("accept_encoding", "chosen"),
    [
        ("", None),
        ("gzip", "gzip"),
        ("gzip, deflate, br, zstd", "br"),
        ("deflate", None),
        ("gzip;q=1.0, br;q=0.5", "gzip"),
        ("br;q=0.000, gzip;q=0.001", "gzip"),
        ("*", "br"),
        ("*;q=0", None),
        ("gzip;q=0.5, *;q=0.8", "br"),
        ("identity;q=0, gzip", "gzip"),
        ("identity, gzip;q=0.5", None),
        ("identity;q=0.5, gzip;q=0.5", "gzip"),
        ("gzip;q=high", None),
        (",,gzip,,", "gzip"),
    ],
)
def test_the_variant_is_the_one_that_the_request_prefers(
    accept_encoding: str, chosen: str | None
) -> None:
    variant = encodings.preferred_variant(BODY, HTML_TYPE, accept_encoding)

    assert (variant.encoding.name if variant.encoding else None) == chosen


def test_no_document_is_larger_in_the_preferred_coding(shipped_site: Path) -> None:
    sizes = [
        {variant.encoding: variant.size for variant in entry.encodings}
        for entry in target_files.read_manifest(shipped_site).documents
        if entry.encodings
    ]

    assert len(sizes) > 150
    assert [size for size in sizes if size["br"] > size["gzip"]] == []
