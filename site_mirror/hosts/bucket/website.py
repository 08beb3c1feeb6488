"""Redirects of a bucket's website: objects with a header that `obstore` cannot write."""

from collections.abc import Mapping
from datetime import UTC, datetime
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from urllib.parse import urlsplit

from msgspec import Struct

from site_mirror.hosts.bucket.signing import AccessKeys, object_url, path_in_url, sign_request

LOCATION_HEADER = "x-amz-website-redirect-location"
WEBSITE_TIMEOUT_SECONDS = 60


class RequestRefused(OSError):
    """The bucket answered with an error."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(f"the bucket answered {status} {reason}")


class WebsiteClient(Struct, frozen=True):
    """A client of a bucket; `folder` is the name of the bucket and the prefix."""

    endpoint: str
    folder: str
    keys: AccessKeys

    def put_redirect(
        self, key: str, body: bytes, headers: Mapping[str, str], location: str
    ) -> None:
        self.ask("PUT", key, body, {**headers, LOCATION_HEADER: location})

    def redirect_location(self, key: str) -> str:
        """Return the target of a redirect; empty if the object is a document."""
        return self.ask("HEAD", key, b"", {}).getheader(LOCATION_HEADER, "")

    def ask(self, method: str, key: str, body: bytes, headers: Mapping[str, str]) -> HTTPResponse:
        """Send a signed request. Raises `OSError`."""
        url = object_url(self.endpoint, self.folder, key)
        signed = sign_request(self.keys, method, url, headers, body, datetime.now(UTC))
        parts = urlsplit(url)
        kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
        connection = kind(parts.netloc, timeout=WEBSITE_TIMEOUT_SECONDS)
        try:
            connection.request(method, path_in_url(url), body or None, signed)
            answer = connection.getresponse()
            answer.read()
        except HTTPException as error:
            raise OSError(f"no answer that HTTP knows: {error!r}") from error
        finally:
            connection.close()
        if answer.status != HTTPStatus.OK:
            raise RequestRefused(answer.status, answer.reason)
        return answer
