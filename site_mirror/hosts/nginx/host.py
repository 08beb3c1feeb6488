"""nginx: maps by address, a list of rules, and a location for each policy.

A request is looked up in the maps and rewritten to an internal location; an address that is in no
map is unknown. The templates beside this module are the configuration; this module fills them with
tables of the manifest.
"""

from itertools import chain
from typing import Any
from urllib.parse import urlsplit

from api.contract import BUDGET
from catalogue import addresses
from site_mirror.documents.headers import VARY_NEGOTIATED
from site_mirror.hosts import responses
from site_mirror.hosts.host import (
    TEMPLATES,
    Deployment,
    Host,
    list_policies,
    policy_of,
    read_program,
    render_template,
)
from site_mirror.hosts.release import API_SCOPE, SITE_SCOPE, VIETNAMESE_SCOPE, ServedRelease
from site_mirror.snapshot.layout import ERRORS, PUBLIC

FILES = ("nginx.conf", "tables.conf", "site.conf", "others.conf", "health.conf", "errors.conf")
PART_OF_SCOPE = {API_SCOPE: "api", VIETNAMESE_SCOPE: "vietnamese", SITE_SCOPE: "site"}

HEADERS_IN_MAPS = ("ETag", "Last-Modified", "Link", "Vary", "Content-Length")
"""Headers of which each document has a value of its own; nginx itself sends the length."""

SLOT_BYTES_BESIDE_KEY = 192
"""Bytes of a slot of a hash table in addition to its key."""

Headers = dict[str, str]
Table = dict[str, str]


class Nginx(Host):
    """nginx 1.22 or newer with two of its modules, as Debian packages them."""

    name = "nginx"

    def files(self, release: ServedRelease, deployment: Deployment) -> dict[str, bytes]:
        values = (
            site_values(release, deployment)
            | hash_sizes(release)
            | document_tables(release)
            | variant_tables(release)
        )
        return {
            **{name: render_template(f"nginx/{name}", values) for name in FILES},
            "rules.js": read_program("rules.js"),
            "nginx.js": read_program("nginx/nginx.js"),
        }


def literal(text: object) -> str:
    """Return a text as nginx has to find it between double quotes."""
    escaped = str(text).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    # A `$` cannot be escaped, so `dollar` is a variable of the configuration.
    return escaped.replace("$", "${dollar}")


def add_headers(headers: Headers) -> str:
    """Return directives for headers of all responses of a location, errors included."""
    return "\n    ".join(
        f'add_header {name} "{literal(value)}" always;' for name, value in headers.items()
    )


def site_values(release: ServedRelease, deployment: Deployment) -> dict[str, Any]:
    """Return what the templates need beside the tables."""
    return {
        "configuration": deployment.configuration,
        "listen": deployment.listen,
        "public": deployment.release / PUBLIC,
        "root": release.root,
        "health": release.by_address[addresses.HEALTH],
        "server_name": urlsplit(release.root).hostname or '""',
        "budget": BUDGET.requests,
        "version_index": addresses.VERSION_INDEX.pattern,
        "version_base": addresses.API,
        "announced": responses.lifecycle_headers_of(release),
        "preflight": responses.options_headers(release, SITE_SCOPE),
        "moved": responses.moved_headers(release, SITE_SCOPE),
        "unacceptable": [
            (
                PART_OF_SCOPE[scope],
                responses.not_acceptable_headers(release, scope),
                responses.not_acceptable_text(release, scope, "/{page}", "/{mirror}").decode(),
            )
            for scope in (SITE_SCOPE, VIETNAMESE_SCOPE)
        ],
        "negotiated_vary": VARY_NEGOTIATED["Vary"],
        "errors": [
            (part, release.error(scope, status))
            for scope, part in PART_OF_SCOPE.items()
            for status in responses.ERROR_STATUSES
        ],
        "errors_folder": deployment.release / ERRORS,
        "policies": [dict(policy) for policy in list_policies(release, HEADERS_IN_MAPS)],
    }


def hash_sizes(release: ServedRelease) -> dict[str, int]:
    """Return the sizes of the hash tables: a slot for each row, with the longest key."""
    keys = chain(release.by_address, *(entry.files for entry in release.documents))
    rows = sum(len(entry.files) + len(entry.aliases) for entry in release.documents)
    return {
        "bucket_size": power_of_two(max(map(len, keys)) + SLOT_BYTES_BESIDE_KEY),
        "table_size": power_of_two(2 * rows),
    }


def power_of_two(least: int) -> int:
    return 1 << (least - 1).bit_length()


def document_tables(release: ServedRelease) -> dict[str, Table]:
    """Return tables of addresses and of files; pages and their mirrors are files too."""
    entries, by_address = release.documents, release.by_address
    mirrors = {by_address[page].file: mirror for page, mirror in release.mirrors.items()}
    policies = list_policies(release, HEADERS_IN_MAPS)
    numbers = {policy: str(number) for number, policy in enumerate(policies, start=1)}

    def header_table(name: str) -> Table:
        return {entry.file: entry.headers[name] for entry in entries if name in entry.headers}

    return {
        "files": {address: entry.file for address, entry in by_address.items()},
        "former": {redirect.address: redirect.location for redirect in release.redirects},
        "mirrors": {file: mirror.file for file, mirror in mirrors.items()},
        "mirror_addresses": {file: mirror.address for file, mirror in mirrors.items()},
        "pages": {by_address[page].file: page for page in release.mirrors},
        "policy_numbers": {
            entry.file: numbers[policy_of(entry, HEADERS_IN_MAPS)] for entry in entries
        },
        "last_modified": header_table("Last-Modified"),
        "links": header_table("Link"),
        "vary": header_table("Vary"),
    }


def variant_tables(release: ServedRelease) -> dict[str, Table]:
    """Return tables of the codings of a file, and of the name and validator of each variant."""
    coded = [(entry, coding) for entry in release.documents for coding in entry.encodings]
    tags = {entry.file: entry.headers["ETag"] for entry in release.documents}
    return {
        "codings": {
            entry.file: " ".join(coding.encoding for coding in entry.encodings)
            for entry, _ in coded
        },
        "variants": {f"{coding.encoding} {entry.file}": coding.file for entry, coding in coded},
        "etags": tags | {coding.file: coding.headers["ETag"] for _, coding in coded},
    }


TEMPLATES.filters |= {
    "literal": literal,
    "add_headers": add_headers,
    "without": responses.without,
    "not_modified_headers": responses.not_modified_headers,
    "shared_error_headers": responses.shared_error_headers,
}
