"""The live origin as a host: its documents have no moment, and its problems name the request."""

from collections.abc import Callable
from typing import Any

import orjson
from msgspec.structs import replace

from site_mirror.documents import encodings
from site_mirror.hosts.host import Host
from site_mirror.hosts.http_client import HostRequest, HostResponse
from site_mirror.hosts.parity import Tolerance
from site_mirror.hosts.release import ServedRelease
from site_mirror.snapshot.entries import EncodedFile, Entry

MOMENT_MEMBER = "generatedAt"
ORIGIN_TOLERANCE = Tolerance(own_problems=True)


class Origin(Host):
    """The live origin, which renders each document for a request."""

    name = "origin"


def adapt_to_origin(
    release: ServedRelease, ask: Callable[[HostRequest], HostResponse]
) -> ServedRelease:
    """Return a release with the moments of the origin and with bodies without a moment.

    A document that differs in more is not adapted, so that the comparison finds it.
    """
    return replace(
        release,
        documents=tuple(entry_of_origin(release, entry, ask) for entry in release.documents),
    )


def entry_of_origin(
    release: ServedRelease, entry: Entry, ask: Callable[[HostRequest], HostResponse]
) -> Entry:
    response = ask(HostRequest(entry.address))
    moment = response.headers.get("last-modified", entry.headers["Last-Modified"])
    if not differs_by_moment_only(release.file(entry), response.body):
        return replace(entry, headers={**entry.headers, "Last-Modified": moment})
    body = response.body
    own = {
        "Last-Modified": moment,
        "ETag": encodings.etag_of_body(body),
        "Content-Length": str(len(body)),
    }
    return replace(
        entry,
        headers={**entry.headers, **own},
        size=len(body),
        sha256=encodings.sha256_hex(body),
        encodings=tuple(encode_variant(coding, body) for coding in entry.encodings),
    )


def encode_variant(variant: EncodedFile, body: bytes) -> EncodedFile:
    coding = next(one for one in encodings.ENCODINGS if one.name == variant.encoding)
    compressed = coding.compress(body)
    return replace(
        variant,
        size=len(compressed),
        sha256=encodings.sha256_hex(compressed),
        own_headers={**variant.own_headers, "ETag": encodings.etag_of_body(body, coding)},
    )


def differs_by_moment_only(frozen: bytes, live: bytes) -> bool:
    """Whether a live body is the frozen one without the moment of the snapshot."""
    try:
        return bool(orjson.dumps(without_moment(orjson.loads(frozen))) + b"\n" == live)
    except orjson.JSONDecodeError:
        return frozen == live


def without_moment(body: Any) -> Any:
    if not isinstance(body, dict):
        return body
    meta = body.get("meta")
    if isinstance(meta, dict):
        meta.pop(MOMENT_MEMBER, None)
    else:
        body.pop(MOMENT_MEMBER, None)
    return body
