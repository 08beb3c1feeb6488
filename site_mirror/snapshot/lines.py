"""Convert documents, redirects and errors to lines of the manifest, and back.

Headers that many lines share form a *profile*. A line names its profile by a digest, so it means
the same in every manifest: it can be written by any process and copied as bytes. Headers that
follow from other members (`Content-Type`, `Content-Length`, `Content-Encoding`, `Location`) are
left out.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import orjson
from msgspec import Struct

from site_mirror.documents.encodings import sha256_hex
from site_mirror.snapshot.entries import EncodedFile, Entry, ErrorBody, Redirect

HeaderFields = Mapping[str, str]
Profiles = Mapping[str, HeaderFields]

UNSHARED_HEADERS = ("Link", "Content-Location", "ETag", "Last-Modified")
"""Headers that differ from line to line, so they are members of the line itself."""


class Profile(Struct, frozen=True):
    """A set of headers that many lines share."""

    name: str
    headers: HeaderFields


class ManifestLine(Struct, frozen=True):
    """A line, including its line feed, and the profile that it names."""

    text: bytes
    profile: Profile


def document_line(entry: Entry) -> ManifestLine:
    implied = {"Content-Type": entry.media_type, "Content-Length": str(entry.size)}
    profile, own = split_headers(entry.headers, implied)
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
    return ManifestLine(encode_line(members), profile)


def encoding_members(variant: EncodedFile) -> dict[str, Any]:
    return {
        "encoding": variant.encoding,
        "file": variant.file,
        "size": variant.size,
        "sha256": variant.sha256,
        "headers": variant.own_headers,
    }


def redirect_line(redirect: Redirect) -> ManifestLine:
    profile, own = split_headers(redirect.headers, {"Location": redirect.location})
    members = {
        "redirect": redirect.address,
        "location": redirect.location,
        "status": redirect.status,
        "profile": profile.name,
        "headers": own,
    }
    return ManifestLine(encode_line(members), profile)


def error_line(error: ErrorBody) -> ManifestLine:
    implied = {"Content-Type": error.media_type, "Content-Length": str(error.size)}
    profile, own = split_headers(error.headers, implied)
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
    return ManifestLine(encode_line(members), profile)


def parse_document(line: bytes, profiles: Profiles) -> Entry:
    """Return an entry. Raises `ValueError`, `KeyError` or `TypeError` for another line."""
    members = orjson.loads(line)
    size, media_type = members["size"], members["mediaType"]
    implied = {"Content-Type": media_type, "Content-Length": str(size)}
    return Entry(
        address=members["document"],
        aliases=tuple(members["aliases"]),
        file=members["file"],
        family=members["family"],
        status=members["status"],
        media_type=media_type,
        headers={**profiles[members["profile"]], **implied, **members["headers"]},
        size=size,
        sha256=members["sha256"],
        content_sha256=members["contentSha256"],
        generated_at=members["generatedAt"],
        encodings=tuple(parse_encoding(variant) for variant in members["encodings"]),
        inputs=members["inputs"],
    )


def parse_encoding(members: dict[str, Any]) -> EncodedFile:
    return EncodedFile(
        members["encoding"], members["file"], members["size"], members["sha256"], members["headers"]
    )


def parse_redirect(line: bytes, profiles: Profiles) -> Redirect:
    members = orjson.loads(line)
    implied = {"Location": members["location"]}
    headers = {**profiles[members["profile"]], **implied, **members["headers"]}
    return Redirect(members["redirect"], members["location"], members["status"], headers)


def parse_error(line: bytes, profiles: Profiles) -> ErrorBody:
    members = orjson.loads(line)
    implied = {"Content-Type": members["mediaType"], "Content-Length": str(members["size"])}
    return ErrorBody(
        scope=members["scope"],
        status=members["error"],
        file=members["file"],
        media_type=members["mediaType"],
        headers={**profiles[members["profile"]], **implied, **members["headers"]},
        size=members["size"],
        sha256=members["sha256"],
    )


def split_headers(headers: HeaderFields, implied: HeaderFields) -> tuple[Profile, dict[str, str]]:
    """Return the profile of a line, and the headers that are members of the line itself."""
    shared = {**headers}
    for name, value in implied.items():
        if shared.get(name) == value:
            del shared[name]
    own = {name: shared.pop(name) for name in UNSHARED_HEADERS if name in shared}
    return profile_of(orjson.dumps(shared)), own


@lru_cache(maxsize=256)
def profile_of(headers: bytes) -> Profile:
    # Twelve digits are enough, because a site has some thirty profiles.
    return Profile(sha256_hex(headers)[:12], orjson.loads(headers))


def encode_line(members: Mapping[str, Any]) -> bytes:
    return orjson.dumps(members, option=orjson.OPT_APPEND_NEWLINE)
