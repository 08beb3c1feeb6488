"""Signatures of requests that the library `obstore` cannot send.

Source: Amazon S3 API Reference, “Authenticating Requests (AWS Signature Version 4)”.
"""

import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Self
from urllib.parse import quote, urlsplit

ALGORITHM = "AWS4-HMAC-SHA256"
S3_SERVICE = "s3"


@dataclass(frozen=True, slots=True)
class AccessKeys:
    """The keys of a client and its region; `session` is empty unless the keys are temporary."""

    id: str
    secret: str = field(repr=False)
    region: str
    session: str = field(default="", repr=False)

    @classmethod
    def of(cls, environment: Mapping[str, str]) -> Self:
        return cls(
            environment.get("AWS_ACCESS_KEY_ID", ""),
            environment.get("AWS_SECRET_ACCESS_KEY", ""),
            environment.get("AWS_REGION") or environment.get("AWS_DEFAULT_REGION") or "us-east-1",
            environment.get("AWS_SESSION_TOKEN", ""),
        )


def sign_request(
    keys: AccessKeys,
    method: str,
    url: str,
    headers: Mapping[str, str],
    body: bytes,
    moment: datetime,
) -> dict[str, str]:
    """Return all headers of a request, with its signature. The URL has no query."""
    digest = hashlib.sha256(body).hexdigest()
    own = {"Host": urlsplit(url).netloc, "x-amz-content-sha256": digest}
    session = {"x-amz-security-token": keys.session} if keys.session else {}
    sent = {**headers, **own, "x-amz-date": f"{moment:%Y%m%dT%H%M%SZ}", **session}
    canonical = {name.lower(): " ".join(value.split()) for name, value in sorted(sent.items())}
    names = ";".join(sorted(canonical))
    lines = [f"{name}:{canonical[name]}\n" for name in sorted(canonical)]
    request = "\n".join([method, path_in_url(url), "", "".join(lines), names, digest])
    scope = f"{moment:%Y%m%d}/{keys.region}/{S3_SERVICE}/aws4_request"
    hashed = hashlib.sha256(request.encode()).hexdigest()
    text = "\n".join([ALGORITHM, sent["x-amz-date"], scope, hashed])
    signature = hmac.digest(signing_key(keys, scope), text.encode(), "sha256").hex()
    credential = f"Credential={keys.id}/{scope},SignedHeaders={names},Signature={signature}"
    return {**sent, "Authorization": f"{ALGORITHM} {credential}"}


def signing_key(keys: AccessKeys, scope: str) -> bytes:
    key = f"AWS4{keys.secret}".encode()
    for part in scope.split("/"):
        key = hmac.digest(key, part.encode(), "sha256")
    return key


def path_in_url(url: str) -> str:
    """Return the encoded path of a URL that `object_url` returned."""
    return urlsplit(url).path or "/"


def object_url(endpoint: str, *parts: str) -> str:
    """Return the URL of an object; all bytes but `/` and RFC 3986's unreserved are encoded."""
    return "/".join([endpoint.rstrip("/"), *(quote(part, safe="/-_.~") for part in parts if part)])
