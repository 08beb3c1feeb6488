"""The tables of the worker, with a row for each address, as assets that are fast to read.

A worker may have 3 MB, so the rows of all addresses are distributed over files
by a digest of the address, and the worker reads only the file that a request needs.
"""

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

import orjson

from site_mirror.hosts.host import Policy, list_policies, policy_of
from site_mirror.hosts.release import ServedRelease
from site_mirror.snapshot.entries import Entry

TableRow = dict[str, Any]

ROWS_PER_TABLE = 32
"""The average number of addresses in a table, which has about 20 kB."""

HEADERS_IN_ROWS = ("ETag", "Last-Modified", "Link", "Content-Length")
"""Headers of which each document has a value of its own."""


def worker_tables(release: ServedRelease) -> list[bytes]:
    """Return all tables as JSON: rows by address."""
    policies = list_policies(release, HEADERS_IN_ROWS)
    numbers = {policy: index for index, policy in enumerate(policies)}
    rows: dict[str, TableRow] = {
        address: document_row(entry, numbers, release.mirrors.get(entry.address))
        for address, entry in release.by_address.items()
    }
    rows |= {redirect.address: {"location": redirect.location} for redirect in release.redirects}
    tables: list[dict[str, TableRow]] = [{} for _ in range(-(-len(rows) // ROWS_PER_TABLE))]
    for address in sorted(rows):
        # The worker computes the same index.
        digest = sha256(address.encode()).digest()
        tables[int.from_bytes(digest[:4]) % len(tables)][address] = rows[address]
    return [orjson.dumps(table) for table in tables]


def document_row(entry: Entry, numbers: Mapping[Policy, int], mirror: Entry | None) -> TableRow:
    """Return the file, headers and codings of a document; for a page, its address and mirror."""
    row: TableRow = {
        "file": entry.file,
        "policy": numbers[policy_of(entry, HEADERS_IN_ROWS)],
        "own": {name: entry.headers[name] for name in HEADERS_IN_ROWS if name in entry.headers},
        "codings": {
            coding.encoding: {"file": coding.file, "own": dict(coding.headers)}
            for coding in entry.encodings
        },
    }
    return {**row, "page": entry.address, "mirror": mirror.address} if mirror else row
