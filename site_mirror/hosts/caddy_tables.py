"""What Caddy looks up: by address, by file, and by coding and file."""

from collections.abc import Iterator, Mapping
from email.utils import parsedate_to_datetime

from site_mirror.hosts.caddy_text import block, directive, quoted
from site_mirror.hosts.release import Release
from site_mirror.snapshot.entries import Entry

ASKED = "{http.request.orig_uri.path}"
FILE, CODING = "{http.vars.file}", "{http.vars.coding}"
DOCUMENT, MIRROR, MIRROR_ADDRESS = "{is.document}", "{is.mirror}", "{is.mirror_address}"
FORMER, POLICY, CODINGS = "{is.former}", "{is.policy}", "{is.codings}"
MODIFIED, CHANGED, LINK = "{is.modified}", "{is.changed}", "{is.link}"
VARIANT, ETAG = "{is.variant}", "{is.etag}"
"""What was asked for, what the rules have chosen, and what the tables say of it."""

Policy = tuple[tuple[str, str], ...]

IN_TABLES = ("ETag", "Last-Modified", "Link", "Content-Length")
"""Headers that each document has a value of its own for; Caddy itself sends the length."""

PLAIN = "identity"


def tables(release: Release) -> Iterator[list[str]]:
    """By address, by file, and by coding and file."""
    at = {address: of_address(release, entry) for address, entry in release.by_address.items()}
    at |= {moved.address: ("", "", "", moved.location) for moved in release.redirects}
    yield table(ASKED, (DOCUMENT, MIRROR, MIRROR_ADDRESS, FORMER), at)
    numbers = policies(release)
    of_file = {entry.file: of_document(entry, numbers) for entry in release.documents}
    yield table(FILE, (POLICY, CODINGS, MODIFIED, CHANGED, LINK), of_file)
    of_variant = {
        f"{coding} {entry.file}": values
        for entry in release.documents
        for coding, values in variants(entry)
    }
    yield table(f'"{CODING} {FILE}"', (VARIANT, ETAG), of_variant)


def table(source: str, names: tuple[str, ...], rows: Mapping[str, tuple[str, ...]]) -> list[str]:
    lines = [directive(quoted(key), *map(quoted, values)) for key, values in rows.items()]
    default = directive("default", *('""' for _ in names))
    return block(directive("map", source, *names), [*lines, default])


def of_address(release: Release, entry: Entry) -> tuple[str, ...]:
    mirror = release.mirrors.get(entry.address)
    return (entry.file, mirror.file, mirror.address, "") if mirror else (entry.file, "", "", "")


def of_document(entry: Entry, numbers: Mapping[Policy, str]) -> tuple[str, ...]:
    modified = entry.headers["Last-Modified"]
    changed = f"{parsedate_to_datetime(modified):%Y-%m-%d %H:%M:%S}"
    codings = " ".join(coding.encoding for coding in entry.encodings)
    return (numbers[policy(entry)], codings, modified, changed, entry.headers.get("Link", ""))


def variants(entry: Entry) -> Iterator[tuple[str, tuple[str, str]]]:
    yield PLAIN, (entry.file, entry.headers["ETag"])
    for coding in entry.encodings:
        yield coding.encoding, (coding.file, coding.headers["ETag"])


def policy(entry: Entry) -> Policy:
    """The headers that an entry shares with others."""
    return tuple(item for item in entry.headers.items() if item[0] not in IN_TABLES)


def policies(release: Release) -> dict[Policy, str]:
    found = dict.fromkeys(policy(entry) for entry in release.documents)
    return {shared: f"policy-{number}" for number, shared in enumerate(found, start=1)}
