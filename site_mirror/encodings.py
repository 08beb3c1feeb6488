"""Compressed variants of a body, made once per content, always the same bytes."""

import hashlib
import re
import zlib
from collections.abc import Callable, Iterable, Iterator

import brotli
import deflate
from msgspec import Struct

from catalogue.budgets import MEGABYTE, remembered

VARIANTS_BUDGET = 64 * MEGABYTE
"""Bytes of compressed bodies that a process remembers."""
WORTH_COMPRESSING = 1000
"""Bytes above which a body is offered compressed, counted without `generatedAt`.

So the live and the frozen document, which is 37 bytes longer, have the same variants.
"""
LONG = 1 << 19
"""Bytes from which on Brotli makes less effort, because a body takes long with any."""
GZIP_LEVEL = 6
BROTLI_QUALITY, BROTLI_QUALITY_OF_LONG_BODIES = 7, 5
"""The least effort at which no short text is larger in Brotli, which is preferred, than in gzip."""
HUGE = 1 << 23
"""Bytes from which on a body is compressed a block at a time, so that nobody has to hold it."""
BLOCK = 1 << 20
BLANKS = " \t"
WEIGHT = re.compile(r"q=([0-9]+(?:\.[0-9]*)?|\.[0-9]+)")
"""A weight with any number of decimals (RFC 9110, section 12.4.2, allows three)."""
NARROWEST, WIDEST = 16, 22
"""Windows of Brotli, as powers of two (RFC 7932, section 9.1)."""


def gzipped(body: bytes) -> bytes:
    """Gzip without a time stamp or a file name, so that the bytes depend on the body alone."""
    if len(body) >= HUGE:
        return b"".join(gzip_stream(blocks(body)))
    return bytes(deflate.gzip_compress(body, GZIP_LEVEL))


def gzip_stream(blocks: Iterable[bytes]) -> Iterator[bytes]:
    """The same of a huge body: level 2 of zlib makes it as small as level 1 of `deflate` would."""
    compressor = zlib.compressobj(2, wbits=16 + zlib.MAX_WBITS)
    for block in blocks:
        yield compressor.compress(block)
    yield compressor.flush()


def brotlied(body: bytes) -> bytes:
    """In a window that holds the body."""
    window = min(max(len(body).bit_length(), NARROWEST), WIDEST)
    quality = BROTLI_QUALITY if len(body) < LONG else BROTLI_QUALITY_OF_LONG_BODIES
    return bytes(brotli.compress(body, quality=quality, lgwin=window))


def brotli_stream(blocks: Iterable[bytes]) -> Iterator[bytes]:
    """The same of a huge body."""
    compressor = brotli.Compressor(quality=BROTLI_QUALITY_OF_LONG_BODIES, lgwin=WIDEST)
    for block in blocks:
        yield compressor.process(block)
    yield compressor.finish()


def blocks(body: bytes) -> Iterator[bytes]:
    return (body[start : start + BLOCK] for start in range(0, len(body), BLOCK))


class Encoding(Struct, frozen=True):
    """A content coding: its name in HTTP, the suffix of its files, and its compressors.

    `stream` makes of a huge body, in blocks of `BLOCK` bytes, what `compress` makes of it whole.
    """

    name: str
    suffix: str
    compress: Callable[[bytes], bytes]
    stream: Callable[[Iterable[bytes]], Iterator[bytes]]


BROTLI = Encoding("br", ".br", brotlied, brotli_stream)
GZIP = Encoding("gzip", ".gz", gzipped, gzip_stream)
COMPRESSED_ALREADY = frozenset({"font/woff2", "image/png"})
"""Media types that gain nothing by a coding."""

ENCODINGS = (BROTLI, GZIP)
"""In the order in which the server prefers them."""


class Variant(Struct, frozen=True):
    """One representation of a body as it goes over the wire."""

    body: bytes
    etag: str
    encoding: Encoding | None = None


def digest(body: bytes) -> str:
    """SHA-256 in hexadecimal."""
    return hashlib.sha256(body).hexdigest()


def identity(body: bytes) -> Variant:
    return Variant(body, etag(body))


def etag(body: bytes, encoding: Encoding | None = None) -> str:
    """A strong validator of its own for each encoding, made from the uncompressed bytes."""
    return etag_of(digest(body), encoding)


def etag_of(sha256: str, encoding: Encoding | None = None) -> str:
    """The validator of a body, by the digest of its uncompressed bytes."""
    suffix = f"-{encoding.name}" if encoding else ""
    return f'"{sha256[:32]}{suffix}"'


@remembered(VARIANTS_BUDGET, size=lambda variant: len(variant.body))
def encoded(body: bytes, encoding: Encoding) -> Variant:
    return Variant(encoding.compress(body), etag(body, encoding), encoding)


def offered(body: bytes, media_type: str) -> tuple[Encoding, ...]:
    """The codings in which a body is offered beside itself."""
    return codings(len(body), media_type)


def codings(size: int, media_type: str) -> tuple[Encoding, ...]:
    """The same of a body of so many bytes."""
    if media_type in COMPRESSED_ALREADY:
        return ()
    return ENCODINGS if size > WORTH_COMPRESSING else ()


def preferred(body: bytes, media_type: str, accept_encoding: str) -> Variant:
    """The variant that a request prefers (RFC 9110, section 12.5.3)."""
    weights = coding_weights(accept_encoding)
    anything = weights.get("*", 0.0)
    wanted = [
        (weights.get(encoding.name, anything), -rank, encoding)
        for rank, encoding in enumerate(offered(body, media_type))
    ]
    weight, _, best = max(wanted, default=(0.0, 0, None), key=lambda want: want[:2])
    if best is None or weight == 0.0 or weight < weights.get("identity", 0.0):
        return identity(body)
    return encoded(body, best)


def coding_weights(accept_encoding: str) -> dict[str, float]:
    """Weights by coding; a malformed one counts as 0. `hosts/rules.js` decides alike."""
    weights = {}
    for part in accept_encoding.split(","):
        name, semicolon, parameter = part.strip(BLANKS).lower().partition(";")
        weights[name.strip(BLANKS)] = weight(parameter.strip(BLANKS)) if semicolon else 1.0
    weights.pop("", None)
    return weights


def weight(parameter: str) -> float:
    found = WEIGHT.fullmatch(parameter)
    return min(1.0, float(found[1])) if found else 0.0
