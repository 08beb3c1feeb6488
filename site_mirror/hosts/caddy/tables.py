"""The tables of Caddy: by address, by file, and by coding and file."""

from collections.abc import Iterator, Mapping
from email.utils import parsedate_to_datetime

from site_mirror.hosts.caddy.text import block_lines, directive, quote
from site_mirror.hosts.policies import Policy, list_policies, policy_of
from site_mirror.hosts.release import ServedRelease
from site_mirror.snapshot.entries import Entry

ASKED_PATH = "{http.request.orig_uri.path}"
FILE, CODING = "{http.vars.file}", "{http.vars.coding}"
"""The variables of the file and the coding that the rules select."""

ADDRESS_VARIABLES = ("document", "mirror", "mirror_address", "former")
FILE_VARIABLES = ("policy", "codings", "modified", "changed", "link")
VARIANT_VARIABLES = ("variant", "etag")
DOCUMENT, MIRROR, MIRROR_ADDRESS, FORMER = (f"{{http.vars.{name}}}" for name in ADDRESS_VARIABLES)
POLICY, CODINGS, MODIFIED, CHANGED, LINK = (f"{{http.vars.{name}}}" for name in FILE_VARIABLES)
VARIANT, ETAG = (f"{{http.vars.{name}}}" for name in VARIANT_VARIABLES)
"""The variables of the tables' values. Each is looked up once, because Caddy scans a table."""

HEADERS_IN_TABLES = ("ETag", "Last-Modified", "Link", "Content-Length")
"""Headers of which each document has a value of its own; Caddy itself sends the length."""

IDENTITY = "identity"


def all_tables(release: ServedRelease) -> Iterator[list[str]]:
    """Yield the tables by address, by file, and by coding and file."""
    at = {address: address_row(release, entry) for address, entry in release.by_address.items()}
    at |= {moved.address: ("", "", "", moved.location) for moved in release.redirects}
    yield table_block(ASKED_PATH, ADDRESS_VARIABLES, at)
    names = policy_names(release)
    of_file = {entry.file: file_row(entry, names) for entry in release.documents}
    yield table_block(FILE, FILE_VARIABLES, of_file)
    of_variant = {
        f"{coding} {entry.file}": values
        for entry in release.documents
        for coding, values in variant_rows(entry)
    }
    yield table_block(f'"{CODING} {FILE}"', VARIANT_VARIABLES, of_variant)


def table_output(name: str) -> str:
    """Return the variable of a table's value."""
    return f"{{is.{name}}}"


def lookup_lines(names: tuple[str, ...]) -> list[str]:
    """Return lines that store the values of a table for the rest of the request."""
    return [directive("vars", name, table_output(name)) for name in names]


def table_block(
    source: str, names: tuple[str, ...], rows: Mapping[str, tuple[str, ...]]
) -> list[str]:
    lines = [directive(quote(key), *map(quote, values)) for key, values in rows.items()]
    default = directive("default", *('""' for _ in names))
    return block_lines(directive("map", source, *map(table_output, names)), [*lines, default])


def address_row(release: ServedRelease, entry: Entry) -> tuple[str, ...]:
    mirror = release.mirrors.get(entry.address)
    return (entry.file, mirror.file, mirror.address, "") if mirror else (entry.file, "", "", "")


def file_row(entry: Entry, names: Mapping[Policy, str]) -> tuple[str, ...]:
    modified = entry.headers["Last-Modified"]
    changed = f"{parsedate_to_datetime(modified):%Y-%m-%d %H:%M:%S}"
    codings = " ".join(coding.encoding for coding in entry.encodings)
    return (
        names[policy_of(entry, HEADERS_IN_TABLES)],
        codings,
        modified,
        changed,
        entry.headers.get("Link", ""),
    )


def variant_rows(entry: Entry) -> Iterator[tuple[str, tuple[str, str]]]:
    yield IDENTITY, (entry.file, entry.headers["ETag"])
    for coding in entry.encodings:
        yield coding.encoding, (coding.file, coding.headers["ETag"])


def policy_names(release: ServedRelease) -> dict[Policy, str]:
    policies = list_policies(release, HEADERS_IN_TABLES)
    return {policy: f"policy-{number}" for number, policy in enumerate(policies, start=1)}
