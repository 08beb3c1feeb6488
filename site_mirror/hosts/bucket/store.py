"""A client of a bucket. Each operation is completed or raises `BucketFailed`."""

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

from site_mirror.hosts.bucket.errors import BucketFailed, InvalidBucketAddress
from site_mirror.hosts.bucket.signing import AccessKeys
from site_mirror.hosts.bucket.variables import (
    BUCKET_NAME,
    PREFIX_SEGMENT,
    endpoint_in_use,
    explain_store_error,
    refuse_wrong_values,
)
from site_mirror.hosts.bucket.website import WebsiteClient

if TYPE_CHECKING:
    from obstore.store import S3Config

MAX_RETRIES = 3
STORE_TIMEOUT = timedelta(seconds=60)
OBJECTS_PER_LISTING = 1000
AMAZON_ENDPOINT = "https://s3.{}.amazonaws.com"


class StoredObject(Struct, frozen=True):
    """An object in a listing; its `tag` has no quotes."""

    size: int
    tag: str


class ReadObject(Struct, frozen=True):
    """The contents of an object."""

    body: bytes
    tag: str
    attributes: Mapping[str, str]


class Bucket(Struct, frozen=True):
    store: S3Store
    website: WebsiteClient

    def list_objects(self) -> dict[str, StoredObject]:
        """Return all objects by key; an incomplete listing raises an error."""
        with translate_errors("Listing the bucket"):
            return {
                item["path"]: StoredObject(item["size"], strip_quotes(item["e_tag"]))
                for chunk in obstore.list(self.store, chunk_size=OBJECTS_PER_LISTING)
                for item in chunk
            }

    def read(self, key: str) -> ReadObject:
        with translate_errors(f"Reading {key}"):
            response = obstore.get(self.store, key)
            attributes = {str(name): value for name, value in response.attributes.items()}
            return ReadObject(
                bytes(response.bytes()), strip_quotes(response.meta["e_tag"]), attributes
            )

    def write(self, key: str, body: bytes, attributes: Mapping[str, str]) -> None:
        with translate_errors(f"Writing {key}"):
            obstore.put(self.store, key, body, attributes=dict(attributes), use_multipart=False)

    def write_redirect(
        self, key: str, body: bytes, attributes: Mapping[str, str], location: str
    ) -> None:
        """Write an object that a website answers with a redirect."""
        with translate_errors(f"Writing {key}"):
            self.website.put_redirect(key, body, attributes, location)

    def redirect_location(self, key: str) -> str:
        with translate_errors(f"Reading {key}"):
            return self.website.redirect_location(key)

    def delete(self, keys: Sequence[str]) -> None:
        with translate_errors(f"Deleting {len(keys)} objects"):
            obstore.delete(self.store, keys)


@contextmanager
def translate_errors(doing: str) -> Iterator[None]:
    try:
        yield
    except (BaseError, OSError) as error:
        raise BucketFailed(doing, error) from error


def strip_quotes(tag: str | None) -> str:
    return (tag or "").strip('"')


def open_bucket(url: str, endpoint: str) -> Bucket:
    """Open a bucket by `s3://NAME/PREFIX`, with keys and region of the environment (`AWS_…`).

    Raises `InvalidBucketAddress` or `InvalidVariable`.
    """
    name, prefix = parse_bucket(url)
    refuse_wrong_values(endpoint, os.environ)
    endpoint = endpoint_in_use(endpoint, os.environ)
    own: S3Config = {"endpoint": endpoint, "virtual_hosted_style_request": False}
    try:
        store = S3Store(
            name,
            prefix=prefix or None,
            config=own if endpoint else None,
            client_options={"allow_http": endpoint.startswith("http:"), "timeout": STORE_TIMEOUT},
            retry_config={"max_retries": MAX_RETRIES, "retry_timeout": STORE_TIMEOUT},
        )
    except (BaseError, ValueError, TypeError) as error:
        raise explain_store_error(error, os.environ) from error
    keys = AccessKeys.of(os.environ)
    website = WebsiteClient(
        endpoint or AMAZON_ENDPOINT.format(keys.region), f"{name}/{prefix}".rstrip("/"), keys
    )
    return Bucket(store, website)


def parse_bucket(url: str) -> tuple[str, str]:
    """Return the name of a bucket and the prefix in it. Raises `InvalidBucketAddress`."""
    try:
        parts = urlsplit(url)
    except ValueError as error:
        raise InvalidBucketAddress(url) from error
    prefix = parts.path.strip("/")
    is_form = parts.scheme == "s3" and not parts.query and not parts.fragment
    segments = prefix.split("/") if prefix else []
    if not (
        is_form
        and BUCKET_NAME.fullmatch(parts.netloc)
        and all(map(PREFIX_SEGMENT.fullmatch, segments))
    ):
        raise InvalidBucketAddress(url)
    return parts.netloc, prefix
