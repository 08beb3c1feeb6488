"""The objects of a release: one for each address, alias and former page, and one for errors."""

import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path

import orjson
from msgspec import Struct

from site_mirror.documents.headers import HTML_TYPE
from site_mirror.hosts.bucket.store import BucketError
from site_mirror.hosts.github_pages import is_page_redirect, moved_page
from site_mirror.hosts.release import SITE_SCOPE, ServedRelease
from site_mirror.snapshot.entries import Entry, ErrorBody, Redirect
from site_mirror.snapshot.files import open_regular_path

INDEX_DOCUMENT = "index.html"
STORED_HEADERS = ("Content-Type", "Cache-Control", "Content-Disposition", "Content-Language")
"""Headers of an object that a bucket sends again."""

NOT_FOUND_KEY = ".errors/404.md"
"""The key of the error document in the configuration of a website."""


class BucketObject(Struct, frozen=True):
    key: str
    source: Path | bytes
    sha256: str
    attributes: Mapping[str, str]

    @property
    def is_page(self) -> bool:
        return self.attributes["Content-Type"] == HTML_TYPE

    @property
    def digest(self) -> str:
        """A digest of the bytes and the headers."""
        members = orjson.dumps([self.sha256, dict(self.attributes)], option=orjson.OPT_SORT_KEYS)
        return hashlib.sha256(members).hexdigest()

    def read(self) -> bytes:
        """Return the bytes. Raises `BucketError` if the file is not that of the manifest."""
        body = self.source
        if isinstance(body, Path):
            try:
                with open_regular_path(body) as file:
                    body = file.read()
            except OSError as error:
                raise BucketError(f"The file of {self.key} cannot be read: {error}.") from error
        if hashlib.sha256(body).hexdigest() != self.sha256:
            raise BucketError(
                f"The file of {self.key} has not the manifest's digest, and was not sent. "
                "Run “manage.py snapshot verify”."
            )
        return body


def objects_of_release(release: ServedRelease) -> Iterator[BucketObject]:
    for address, entry in release.by_address.items():
        yield document_object(key_of_address(address), release.public / entry.file, entry)
    for redirect in filter(is_page_redirect, release.redirects):
        yield moved_object(redirect)
    body = release.bodies[SITE_SCOPE, 404]
    yield document_object(NOT_FOUND_KEY, body, release.error(SITE_SCOPE, 404))


def document_object(key: str, source: Path | bytes, entry: Entry | ErrorBody) -> BucketObject:
    stored = {name: entry.headers[name] for name in STORED_HEADERS if name in entry.headers}
    return BucketObject(key, source, entry.sha256, stored)


def moved_object(redirect: Redirect) -> BucketObject:
    """Return a page that leads to the new address: an object has no status of its own."""
    body = moved_page(redirect)
    attributes = {"Content-Type": HTML_TYPE, "Cache-Control": redirect.headers["Cache-Control"]}
    key = key_of_address(redirect.address)
    return BucketObject(key, body, hashlib.sha256(body).hexdigest(), attributes)


def key_of_address(address: str) -> str:
    """Return an address without its first slash; for a folder, the key of its index document."""
    path = address.removeprefix("/")
    return f"{path}{INDEX_DOCUMENT}" if not path or path.endswith("/") else path
