"""The live origin as a host, which differs from a release in two things.

Its documents have no moment (`generatedAt`), so their validators and lengths are others too. Its
problems name the request that failed.
"""

import re
from collections.abc import Callable
from http import HTTPStatus

from msgspec.structs import replace

from catalogue import addresses
from site_mirror.documents import encodings
from site_mirror.hosts.expectation import Expectation
from site_mirror.hosts.host import Host
from site_mirror.hosts.http_client import HostRequest, HostResponse
from site_mirror.hosts.release import ServedRelease
from site_mirror.hosts.responses import without
from site_mirror.snapshot.entries import Entry
from site_mirror.snapshot.write import variant_of

Ask = Callable[[HostRequest], HostResponse]
INSTANCE = re.compile(rb',"instance":"[^"]*"(?=\}\n$)')


class Origin(Host):
    """The live origin, which renders each document for a request."""

    name = "origin"


def is_live(ask: Ask) -> bool:
    """Whether a server is the live origin: only frozen documents have a moment."""
    answer = ask(HostRequest(addresses.HEALTH))
    return answer.status == HTTPStatus.OK and b'"generatedAt"' not in answer.body


def release_of_origin(release: ServedRelease, ask: Ask) -> tuple[ServedRelease, list[Entry]]:
    """Return a release with the bytes and validators of the origin, and the changed documents.

    A document is changed if it differs in more than its moment, except `security.txt`, whose expiry
    follows the calendar. The origin has no asset of an earlier release.
    """
    live, changed = [], []
    for entry in release.documents:
        if entry.superseded:
            continue
        answer = ask(HostRequest(entry.address))
        if answer.status != entry.status:
            live.append(entry)
            continue
        live.append(entry_of_answer(entry, answer))
        has_changed = entry.content_sha256 != encodings.sha256_hex(answer.body)
        if has_changed and entry.address != addresses.SECURITY_TXT:
            changed.append(entry)
    return replace(release, documents=tuple(live)), changed


def entry_of_answer(entry: Entry, answer: HostResponse) -> Entry:
    body, sha256 = answer.body, encodings.sha256_hex(answer.body)
    own = {"ETag": encodings.etag_of_digest(sha256), "Content-Length": str(len(body))}
    if "last-modified" in answer.headers:
        own["Last-Modified"] = answer.headers["last-modified"]
    return replace(
        entry,
        headers={**without(entry.headers, ["Last-Modified"]), **own},
        size=len(body),
        sha256=sha256,
        encodings=tuple(
            # The same bytes on every machine, so their tag is known without asking for them.
            variant_of(entry.file, sha256, coding, coding.compress(body))
            for coding in encodings.encodings_of_size(len(body), entry.media_type)
        ),
    )


def without_instance(
    expected: Expectation, answer: HostResponse
) -> tuple[Expectation, HostResponse]:
    """Return an expectation and a response, whose problem does not name the request any more."""
    if answer.headers.get("content-type") != "application/problem+json":
        return expected, answer
    length = answer.headers.get("content-length", "")
    body = INSTANCE.sub(b"", answer.body)
    headers = {**expected.headers, "Content-Length": str(len(answer.body)) if body else length}
    return replace(expected, headers=headers), replace(answer, body=body)
