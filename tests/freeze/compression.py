"""Freezes of this process compress equal bodies once: that took half of their time."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from unittest import mock

import brotli
import deflate

GZIP = lru_cache(maxsize=1000)(deflate.gzip_compress)
BROTLI = lru_cache(maxsize=1000)(brotli.compress)


@contextmanager
def compressed_once() -> Iterator[None]:
    with (
        mock.patch.object(deflate, "gzip_compress", GZIP),
        mock.patch.object(brotli, "compress", BROTLI),
    ):
        yield
