"""Content codings: compressed variants of a body, which are always the same bytes."""

import hashlib
import re
from collections.abc import Callable

import brotli
import deflate
from msgspec import Struct

MAX_UNCOMPRESSED_BYTES = 1000
"""Bytes up to which a body is not offered compressed, counted without `generatedAt`.

So the live document and the frozen one, which is 37 bytes longer, have the same variants.
"""
LONG_BODY_BYTES = 1 << 19
"""Bytes from which on a lower quality of Brotli is used, because compression takes long."""
GZIP_LEVEL = 6
BROTLI_QUALITY, BROTLI_QUALITY_OF_LONG_BODIES = 7, 5
"""7 is the lowest quality at which Brotli, which is preferred, never makes a short text larger than
gzip does."""
BLANKS = " \t"
CODING_WEIGHT = re.compile(r"q=([0-9]+(?:\.[0-9]*)?|\.[0-9]+)")
"""A weight with any number of decimals, although RFC 9110, section 12.4.2, allows only three."""
MIN_WINDOW_BITS, MAX_WINDOW_BITS = 16, 22
"""Sizes of Brotli's window, as powers of two (RFC 7932, section 9.1)."""


def compress_gzip(body: bytes) -> bytes:
    """Compress without a time stamp or a file name, so that the bytes depend only on the body."""
    return bytes(deflate.gzip_compress(body, GZIP_LEVEL))


def compress_brotli(body: bytes) -> bytes:
    """Compress a body with the smallest window that contains it."""
    window = min(max(len(body).bit_length(), MIN_WINDOW_BITS), MAX_WINDOW_BITS)
    quality = BROTLI_QUALITY if len(body) < LONG_BODY_BYTES else BROTLI_QUALITY_OF_LONG_BODIES
    return bytes(brotli.compress(body, quality=quality, lgwin=window))


class Encoding(Struct, frozen=True):
    """A content coding: its name in HTTP, the suffix of its files, and its compressor."""

    name: str
    suffix: str
    compress: Callable[[bytes], bytes]


BROTLI = Encoding("br", ".br", compress_brotli)
GZIP = Encoding("gzip", ".gz", compress_gzip)
COMPRESSED_MEDIA_TYPES = frozenset({"font/woff2", "image/png", "image/webp"})
"""Media types whose files are compressed already."""

ENCODINGS = (BROTLI, GZIP)
"""In the order in which the server prefers them."""


def sha256_hex(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()


def etag_of_digest(sha256: str, encoding: Encoding | None = None) -> str:
    """Return a strong validator by the SHA-256 of the uncompressed bytes, one for each encoding."""
    suffix = f"-{encoding.name}" if encoding else ""
    return f'"{sha256[:32]}{suffix}"'


def encodings_of_size(size: int, media_type: str) -> tuple[Encoding, ...]:
    """Return the encodings in which a body of a size in bytes is offered beside its own form."""
    if media_type in COMPRESSED_MEDIA_TYPES:
        return ()
    return ENCODINGS if size > MAX_UNCOMPRESSED_BYTES else ()


def preferred_encoding(accept_encoding: str) -> Encoding | None:
    """Return the coding that a request prefers to the plain body; `None` if it prefers that.

    Source: RFC 9110, section 12.5.3.
    """
    weights = coding_weights(accept_encoding)
    anything = weights.get("*", 0.0)
    weight, _, best = max(
        (weights.get(encoding.name, anything), -rank, encoding)
        for rank, encoding in enumerate(ENCODINGS)
    )
    return best if weight and weight >= weights.get("identity", 0.0) else None


def coding_weights(accept_encoding: str) -> dict[str, float]:
    """Return the weights by coding; a malformed one is 0. `hosts/rules.js` has the same rule."""
    weights = {}
    for part in accept_encoding.split(","):
        name, semicolon, parameter = part.strip(BLANKS).lower().partition(";")
        weights[name.strip(BLANKS)] = (
            parse_coding_weight(parameter.strip(BLANKS)) if semicolon else 1.0
        )
    weights.pop("", None)
    return weights


def parse_coding_weight(parameter: str) -> float:
    match = CODING_WEIGHT.fullmatch(parameter)
    return min(1.0, float(match[1])) if match else 0.0
