"""The live origin as a host: documents that tell no moment, problems that say what failed."""

from collections.abc import Callable, Mapping
from typing import Any

import orjson
from msgspec.structs import replace

from site_mirror import encodings
from site_mirror.hosts.abilities import Ability
from site_mirror.hosts.host import Place
from site_mirror.hosts.parity import Reading
from site_mirror.hosts.release import Release
from site_mirror.hosts.wire import Answer, Request
from site_mirror.snapshot.entries import EncodedFile, Entry

MOMENT = "generatedAt"
READING = Reading(own_problems=True)


class Origin:
    """The program itself, which renders what a snapshot has written down."""

    name = "origin"
    cannot: Mapping[Ability, str] = {}
    adds: frozenset[str] = frozenset()

    def files(self, release: Release, place: Place) -> dict[str, bytes]:
        return {}


def as_served(release: Release, ask: Callable[[Request], Answer]) -> Release:
    """A release as the origin promises it: its moments, and bytes that tell none.

    A document that differs in more is left as it is, for the run to find.
    """
    return replace(
        release, documents=tuple(live(release, entry, ask) for entry in release.documents)
    )


def live(release: Release, entry: Entry, ask: Callable[[Request], Answer]) -> Entry:
    answer = ask(Request(entry.address))
    moment = answer.headers.get("last-modified", entry.headers["Last-Modified"])
    if not tells_only_less(release.file(entry), answer.body):
        return replace(entry, headers={**entry.headers, "Last-Modified": moment})
    body = answer.body
    own = {"Last-Modified": moment, "ETag": encodings.etag(body), "Content-Length": str(len(body))}
    return replace(
        entry,
        headers={**entry.headers, **own},
        size=len(body),
        sha256=encodings.digest(body),
        encodings=tuple(encoded(coding, body) for coding in entry.encodings),
    )


def encoded(found: EncodedFile, body: bytes) -> EncodedFile:
    coding = next(one for one in encodings.ENCODINGS if one.name == found.encoding)
    compressed = coding.compress(body)
    return replace(
        found,
        size=len(compressed),
        sha256=encodings.digest(compressed),
        own={**found.own, "ETag": encodings.etag(body, coding)},
    )


def tells_only_less(frozen: bytes, live: bytes) -> bool:
    """Whether a live body is the frozen one without the moment of the snapshot."""
    try:
        return bool(orjson.dumps(timeless(orjson.loads(frozen))) + b"\n" == live)
    except orjson.JSONDecodeError:
        return frozen == live


def timeless(body: Any) -> Any:
    if not isinstance(body, dict):
        return body
    meta = body.get("meta")
    if isinstance(meta, dict):
        meta.pop(MOMENT, None)
    else:
        body.pop(MOMENT, None)
    return body
