"""Signatures of requests, for what the library of buckets has no word for.

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
SERVICE = "s3"


@dataclass(frozen=True, slots=True)
class Keys:
    """Who asks; `session` is empty unless the keys are temporary."""

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


def signed(
    keys: Keys, method: str, url: str, headers: Mapping[str, str], body: bytes, moment: datetime
) -> dict[str, str]:
    """All headers of a request without a query, its signature among them."""
    digest = hashlib.sha256(body).hexdigest()
    own = {"Host": urlsplit(url).netloc, "x-amz-content-sha256": digest}
    session = {"x-amz-security-token": keys.session} if keys.session else {}
    told = {**headers, **own, "x-amz-date": f"{moment:%Y%m%dT%H%M%SZ}", **session}
    named = {name.lower(): " ".join(value.split()) for name, value in sorted(told.items())}
    names = ";".join(sorted(named))
    lines = [f"{name}:{named[name]}\n" for name in sorted(named)]
    request = "\n".join([method, path(url), "", "".join(lines), names, digest])
    scope = f"{moment:%Y%m%d}/{keys.region}/{SERVICE}/aws4_request"
    hashed = hashlib.sha256(request.encode()).hexdigest()
    text = "\n".join([ALGORITHM, told["x-amz-date"], scope, hashed])
    signature = hmac.digest(signing_key(keys, scope), text.encode(), "sha256").hex()
    credential = f"Credential={keys.id}/{scope},SignedHeaders={names},Signature={signature}"
    return {**told, "Authorization": f"{ALGORITHM} {credential}"}


def signing_key(keys: Keys, scope: str) -> bytes:
    key = f"AWS4{keys.secret}".encode()
    for part in scope.split("/"):
        key = hmac.digest(key, part.encode(), "sha256")
    return key


def path(url: str) -> str:
    """As it stands in a URL that `located` made."""
    return urlsplit(url).path or "/"


def located(endpoint: str, *parts: str) -> str:
    """The URL of an object, every octet but RFC 3986's unreserved ones and `/` quoted."""
    return "/".join([endpoint.rstrip("/"), *(quote(part, safe="/-_.~") for part in parts if part)])
