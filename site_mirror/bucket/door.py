"""Objects that lead elsewhere on a bucket's website, which the library of buckets cannot write."""

from collections.abc import Mapping
from datetime import UTC, datetime
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from urllib.parse import urlsplit

from msgspec import Struct

from site_mirror.bucket.signing import Keys, located, path, signed

LOCATION = "x-amz-website-redirect-location"
PATIENCE = 60


class Refused(OSError):
    """The bucket answered, and did not do it."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(f"the bucket answered {status} {reason}")


class Door(Struct, frozen=True):
    """A bucket's address, `folder` its name and the prefix."""

    endpoint: str
    folder: str
    keys: Keys

    def put(self, key: str, body: bytes, headers: Mapping[str, str], location: str) -> None:
        self.ask("PUT", key, body, {**headers, LOCATION: location})

    def location(self, key: str) -> str:
        """Where an object leads; nowhere where it is a document."""
        return self.ask("HEAD", key, b"", {}).getheader(LOCATION, "")

    def ask(self, method: str, key: str, body: bytes, headers: Mapping[str, str]) -> HTTPResponse:
        """Raises `OSError`."""
        url = located(self.endpoint, self.folder, key)
        told = signed(self.keys, method, url, headers, body, datetime.now(UTC))
        parts = urlsplit(url)
        kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
        connection = kind(parts.netloc, timeout=PATIENCE)
        try:
            connection.request(method, path(url), body or None, told)
            answer = connection.getresponse()
            answer.read()
        except HTTPException as error:
            raise OSError(f"no answer that HTTP knows: {error!r}") from error
        finally:
            connection.close()
        if answer.status != HTTPStatus.OK:
            raise Refused(answer.status, answer.reason)
        return answer
