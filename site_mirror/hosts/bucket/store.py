"""A client of a bucket. Each operation is completed or raises `BucketError`."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING

import obstore
from msgspec import Struct
from obstore.exceptions import BaseError
from obstore.store import ObjectStore, S3Store

from site_mirror.snapshot.errors import FreezeError

if TYPE_CHECKING:
    from obstore.store import S3Config

BUCKET_URL = re.compile(r"s3://([A-Za-z0-9][A-Za-z0-9._-]*)(?:/([^?#]*))?")
USER_IN_URL = re.compile(r"//\S*@")
MAX_RETRIES = 3
STORE_TIMEOUT = timedelta(seconds=60)


class BucketError(FreezeError):
    """A failed publication; the message is a sentence. No object was deleted before it."""


class InvalidBucket(Exception):
    """An address or a variable with which no bucket can be opened."""


class Bucket(Struct, frozen=True):
    store: ObjectStore

    def list_tags(self) -> dict[str, str]:
        """Return the entity tags of all objects by key."""
        with report_errors("Listing the bucket"):
            return {
                item["path"]: item["e_tag"] or ""
                for chunk in obstore.list(self.store)
                for item in chunk
            }

    def read(self, key: str) -> bytes:
        with report_errors(f"Reading {key}"):
            return bytes(obstore.get(self.store, key).bytes())

    def write(self, key: str, body: bytes, headers: Mapping[str, str]) -> str:
        """Write an object and return its tag. The signed digest lets the bucket verify the body."""
        with report_errors(f"Writing {key}"):
            written = obstore.put(
                self.store, key, body, attributes=dict(headers), use_multipart=False
            )
            return written["e_tag"] or ""

    def delete(self, keys: Sequence[str]) -> None:
        with report_errors(f"Deleting {len(keys)} objects"):
            obstore.delete(self.store, keys)


@contextmanager
def report_errors(doing: str) -> Iterator[None]:
    try:
        yield
    except BaseException as error:
        # The library panics if it cannot write a value of AWS_… into a request.
        is_panic = type(error).__name__ == "PanicException"
        if not is_panic and not isinstance(error, BaseError | OSError):
            raise
        raise BucketError(f"{doing} failed: {first_line(error)}") from error


def first_line(error: BaseException) -> str:
    """Return the reason without the library's view of its inner state, and without passwords.

    The library repeats URLs, and one in `AWS_ENDPOINT_URL` may name a user.
    """
    line = str(error).partition("\n")[0].partition(": <?xml")[0]
    return USER_IN_URL.sub("//", line)


def open_bucket(url: str, endpoint: str = "") -> Bucket:
    """Open a bucket with keys and region of the environment (`AWS_…`). Raises `InvalidBucket`."""
    match = BUCKET_URL.fullmatch(url)
    if not match:
        raise InvalidBucket(f"{url!r} is not a bucket: use s3://NAME or s3://NAME/PREFIX.")
    name, prefix = match.groups("")
    own: S3Config = {"endpoint": endpoint}
    try:
        return Bucket(
            S3Store(
                name,
                prefix=prefix.strip("/") or None,
                config=own if endpoint else None,
                client_options={
                    "allow_http": endpoint.startswith("http:"),
                    "timeout": STORE_TIMEOUT,
                },
                retry_config={"max_retries": MAX_RETRIES, "retry_timeout": STORE_TIMEOUT},
            )
        )
    except (BaseError, ValueError) as error:
        raise InvalidBucket(f"{url} cannot be opened: {first_line(error)}") from error
