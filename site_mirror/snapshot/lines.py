"""A document, a redirect or an error as one line of the manifest, and back.

Headers that many lines share are a *profile*, which a line names by its digest: a line means
the same in every manifest, so it may be made in any process and copied as bytes. What HTTP
itself makes of other members (`Content-Type`, `Content-Length`, `Content-Encoding`,
`Location`) is not repeated.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import orjson
from msgspec import Struct

from site_mirror.encodings import digest
from site_mirror.snapshot.entries import EncodedFile, Entry, ErrorBody, Redirect

Headers = Mapping[str, str]
Profiles = Mapping[str, Headers]

OF_ONE_LINE = ("Link", "Content-Location", "ETag", "Last-Modified")
"""Headers that differ from line to line, and are told in it."""


class Profile(Struct, frozen=True):
    """A set of headers that many lines share."""

    name: str
    headers: Headers


class Line(Struct, frozen=True):
    """A line with its line feed, and the profile it names."""

    text: bytes
    profile: Profile


def document_line(entry: Entry) -> Line:
    implied = {"Content-Type": entry.media_type, "Content-Length": str(entry.size)}
    profile, own = split(entry.headers, implied)
    members = {
        "document": entry.address,
        "aliases": entry.aliases,
        "file": entry.file,
        "family": entry.family,
        "status": entry.status,
        "mediaType": entry.media_type,
        "profile": profile.name,
        "headers": own,
        "size": entry.size,
        "sha256": entry.sha256,
        "contentSha256": entry.content_sha256,
        "inputs": entry.inputs,
        "generatedAt": entry.generated_at,
        "encodings": [encoding_members(variant) for variant in entry.encodings],
    }
    return Line(encoded(members), profile)


def encoding_members(variant: EncodedFile) -> dict[str, Any]:
    return {
        "encoding": variant.encoding,
        "file": variant.file,
        "size": variant.size,
        "sha256": variant.sha256,
        "headers": variant.own,
    }


def redirect_line(redirect: Redirect) -> Line:
    profile, own = split(redirect.headers, {"Location": redirect.location})
    members = {
        "redirect": redirect.address,
        "location": redirect.location,
        "status": redirect.status,
        "profile": profile.name,
        "headers": own,
    }
    return Line(encoded(members), profile)


def error_line(error: ErrorBody) -> Line:
    implied = {"Content-Type": error.media_type, "Content-Length": str(error.size)}
    profile, own = split(error.headers, implied)
    members = {
        "error": error.status,
        "scope": error.scope,
        "file": error.file,
        "mediaType": error.media_type,
        "profile": profile.name,
        "headers": own,
        "size": error.size,
        "sha256": error.sha256,
    }
    return Line(encoded(members), profile)


def document(line: bytes, profiles: Profiles) -> Entry:
    """Raises `ValueError`, `KeyError` or `TypeError` for what is no such line."""
    found = orjson.loads(line)
    size, media_type = found["size"], found["mediaType"]
    implied = {"Content-Type": media_type, "Content-Length": str(size)}
    return Entry(
        address=found["document"],
        aliases=tuple(found["aliases"]),
        file=found["file"],
        family=found["family"],
        status=found["status"],
        media_type=media_type,
        headers={**profiles[found["profile"]], **implied, **found["headers"]},
        size=size,
        sha256=found["sha256"],
        content_sha256=found["contentSha256"],
        generated_at=found["generatedAt"],
        encodings=tuple(encoding(variant) for variant in found["encodings"]),
        inputs=found["inputs"],
    )


def encoding(found: dict[str, Any]) -> EncodedFile:
    return EncodedFile(
        found["encoding"], found["file"], found["size"], found["sha256"], found["headers"]
    )


def redirect(line: bytes, profiles: Profiles) -> Redirect:
    found = orjson.loads(line)
    implied = {"Location": found["location"]}
    headers = {**profiles[found["profile"]], **implied, **found["headers"]}
    return Redirect(found["redirect"], found["location"], found["status"], headers)


def error(line: bytes, profiles: Profiles) -> ErrorBody:
    found = orjson.loads(line)
    implied = {"Content-Type": found["mediaType"], "Content-Length": str(found["size"])}
    return ErrorBody(
        scope=found["scope"],
        status=found["error"],
        file=found["file"],
        media_type=found["mediaType"],
        headers={**profiles[found["profile"]], **implied, **found["headers"]},
        size=found["size"],
        sha256=found["sha256"],
    )


def split(headers: Headers, implied: Headers) -> tuple[Profile, dict[str, str]]:
    """The profile of a line, and the headers that it tells itself."""
    shared = {**headers}
    for name, value in implied.items():
        if shared.get(name) == value:
            del shared[name]
    own = {name: shared.pop(name) for name in OF_ONE_LINE if name in shared}
    return profile_of(orjson.dumps(shared)), own


@lru_cache(maxsize=256)
def profile_of(headers: bytes) -> Profile:
    return Profile(digest(headers)[:12], orjson.loads(headers))


def encoded(members: Mapping[str, Any]) -> bytes:
    return orjson.dumps(members, option=orjson.OPT_APPEND_NEWLINE)
