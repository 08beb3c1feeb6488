"""Compressed variants have reproducible bytes, and a request gets the one that it prefers."""

import gzip
import time
from pathlib import Path

import brotli
import pytest
import time_machine

from site_mirror.documents.encodings import BROTLI, GZIP, Encoding
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


def test_no_document_is_larger_in_the_preferred_coding(shipped_site: Path) -> None:
    sizes = [
        {variant.encoding: variant.size for variant in entry.encodings}
        for entry in target_files.read_manifest(shipped_site).documents
        if entry.encodings
    ]

    assert len(sizes) > 150
    assert [size for size in sizes if size["br"] > size["gzip"]] == []
