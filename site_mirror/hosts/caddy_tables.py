"""What Caddy looks up: by address, by file, and by coding and file."""

from collections.abc import Iterator, Mapping
from email.utils import parsedate_to_datetime

from site_mirror.hosts.caddy_text import block, directive, quoted
from site_mirror.hosts.release import Release
from site_mirror.snapshot.entries import Entry

ASKED = "{http.request.orig_uri.path}"
FILE, CODING = "{http.vars.file}", "{http.vars.coding}"
"""What was asked for, and what the rules have chosen."""

OF_ADDRESS = ("document", "mirror", "mirror_address", "former")
OF_FILE = ("policy", "codings", "modified", "changed", "link")
OF_VARIANT = ("variant", "etag")
DOCUMENT, MIRROR, MIRROR_ADDRESS, FORMER = (f"{{http.vars.{name}}}" for name in OF_ADDRESS)
POLICY, CODINGS, MODIFIED, CHANGED, LINK = (f"{{http.vars.{name}}}" for name in OF_FILE)
VARIANT, ETAG = (f"{{http.vars.{name}}}" for name in OF_VARIANT)
"""What the tables say of it, each looked up once: a table is read from the top every time."""

Policy = tuple[tuple[str, str], ...]

IN_TABLES = ("ETag", "Last-Modified", "Link", "Content-Length")
"""Headers that each document has a value of its own for; Caddy itself sends the length."""

PLAIN = "identity"


def tables(release: Release) -> Iterator[list[str]]:
    """By address, by file, and by coding and file."""
    at = {address: of_address(release, entry) for address, entry in release.by_address.items()}
    at |= {moved.address: ("", "", "", moved.location) for moved in release.redirects}
    yield table(ASKED, OF_ADDRESS, at)
    numbers = policies(release)
    of_file = {entry.file: of_document(entry, numbers) for entry in release.documents}
    yield table(FILE, OF_FILE, of_file)
    of_variant = {
        f"{coding} {entry.file}": values
        for entry in release.documents
        for coding, values in variants(entry)
    }
    yield table(f'"{CODING} {FILE}"', OF_VARIANT, of_variant)


def found(name: str) -> str:
    """A value of a table."""
    return f"{{is.{name}}}"


def looked_up(names: tuple[str, ...]) -> list[str]:
    """What a table says, kept for the rest of the request."""
    return [directive("vars", name, found(name)) for name in names]


def table(source: str, names: tuple[str, ...], rows: Mapping[str, tuple[str, ...]]) -> list[str]:
    lines = [directive(quoted(key), *map(quoted, values)) for key, values in rows.items()]
    default = directive("default", *('""' for _ in names))
    return block(directive("map", source, *map(found, names)), [*lines, default])


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
