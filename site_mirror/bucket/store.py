"""A bucket as questions and orders, each of which ends whole or raises `BucketFailed`."""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import obstore
from msgspec import Struct
from obstore.exceptions import BaseError
from obstore.store import S3Store

from site_mirror.bucket.door import Door
from site_mirror.bucket.errors import BucketFailed, NoBucket
from site_mirror.bucket.signing import Keys
from site_mirror.bucket.variables import (
    BUCKET,
    SEGMENT,
    endpoint_in_use,
    refusal,
    refuse_wrong_values,
)

if TYPE_CHECKING:
    from obstore.store import S3Config

RETRIES = 3
PATIENCE = timedelta(seconds=60)
CHUNK = 1000
AMAZON = "https://s3.{}.amazonaws.com"


class Stored(Struct, frozen=True):
    """What a listing says of an object; `tag` without quotes."""

    size: int
    tag: str


class Read(Struct, frozen=True):
    """An object that was read back."""

    body: bytes
    tag: str
    attributes: Mapping[str, str]


class Bucket(Struct, frozen=True):
    store: S3Store
    door: Door

    def listed(self) -> dict[str, Stored]:
        """Every object, by its key: of a listing that breaks off nothing is returned."""
        with failing("Listing the bucket"):
            return {
                found["path"]: Stored(found["size"], bare(found["e_tag"]))
                for chunk in obstore.list(self.store, chunk_size=CHUNK)
                for found in chunk
            }

    def read(self, key: str) -> Read:
        with failing(f"Reading {key}"):
            found = obstore.get(self.store, key)
            attributes = {str(name): value for name, value in found.attributes.items()}
            return Read(bytes(found.bytes()), bare(found.meta["e_tag"]), attributes)

    def write(self, key: str, body: bytes, attributes: Mapping[str, str]) -> None:
        with failing(f"Writing {key}"):
            obstore.put(self.store, key, body, attributes=dict(attributes), use_multipart=False)

    def lead(self, key: str, body: bytes, attributes: Mapping[str, str], location: str) -> None:
        """Write an object that a website answers with a redirect."""
        with failing(f"Writing {key}"):
            self.door.put(key, body, attributes, location)

    def location(self, key: str) -> str:
        with failing(f"Reading {key}"):
            return self.door.location(key)

    def delete(self, keys: Sequence[str]) -> None:
        with failing(f"Deleting {len(keys)} objects"):
            obstore.delete(self.store, keys)


@contextmanager
def failing(doing: str) -> Iterator[None]:
    try:
        yield
    except (BaseError, OSError) as error:
        raise BucketFailed(doing, error) from error


def bare(tag: str | None) -> str:
    return (tag or "").strip('"')


def opened(url: str, endpoint: str) -> Bucket:
    """A bucket by `s3://NAME/PREFIX`; keys and region are the environment's (`AWS_…`).

    Raises `NoBucket` or `WrongValue`.
    """
    name, prefix = place(url)
    refuse_wrong_values(endpoint, os.environ)
    endpoint = endpoint_in_use(endpoint, os.environ)
    own: S3Config = {"endpoint": endpoint, "virtual_hosted_style_request": False}
    try:
        store = S3Store(
            name,
            prefix=prefix or None,
            config=own if endpoint else None,
            client_options={"allow_http": endpoint.startswith("http:"), "timeout": PATIENCE},
            retry_config={"max_retries": RETRIES, "retry_timeout": PATIENCE},
        )
    except (BaseError, ValueError, TypeError) as error:
        raise refusal(error, os.environ) from error
    keys = Keys.of(os.environ)
    door = Door(endpoint or AMAZON.format(keys.region), f"{name}/{prefix}".rstrip("/"), keys)
    return Bucket(store, door)


def place(url: str) -> tuple[str, str]:
    """The name of a bucket and the prefix in it. Raises `NoBucket`."""
    try:
        parts = urlsplit(url)
    except ValueError as error:
        raise NoBucket(url) from error
    prefix = parts.path.strip("/")
    whole = parts.scheme == "s3" and not parts.query and not parts.fragment
    segments = prefix.split("/") if prefix else []
    if not (whole and BUCKET.fullmatch(parts.netloc) and all(map(SEGMENT.fullmatch, segments))):
        raise NoBucket(url)
    return parts.netloc, prefix
