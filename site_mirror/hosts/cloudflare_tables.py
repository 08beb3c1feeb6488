"""What the worker looks up: a row for each address, in assets that are small enough to read.

A worker may have 3 MB, an asset 25 MiB: so the rows of all addresses are spread over files by
a digest of the address, and the worker reads the one that a request needs.
"""

from collections import defaultdict
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

import orjson

from site_mirror.hosts.release import Release
from site_mirror.snapshot.entries import Entry

Row = dict[str, Any]
Policy = tuple[tuple[str, str], ...]

ROWS = 32
"""How many addresses share a table, on average: some 20 kB."""

LARGEST = 25 * 1024 * 1024
"""Bytes that an asset may have; a larger file lies there in parts."""

OWN = ("ETag", "Last-Modified", "Link", "Content-Length")
"""Headers that each document has a value of its own for."""


def tables(release: Release) -> list[bytes]:
    """Every table as JSON: rows by address."""
    rows = {**documents(release), **redirects(release)}
    number = -(-len(rows) // ROWS)
    spread: dict[int, dict[str, Row]] = defaultdict(dict)
    for address in sorted(rows):
        spread[place(address, number)][address] = rows[address]
    return [orjson.dumps(spread[index]) for index in range(number)]


def place(address: str, number: int) -> int:
    """Which of a number of tables has an address; the worker computes the same."""
    return int.from_bytes(sha256(address.encode()).digest()[:4]) % number


def documents(release: Release) -> dict[str, Row]:
    numbers = policies(release)
    return {
        address: row(entry, numbers, release.mirrors.get(entry.address))
        for address, entry in release.by_address.items()
    }


def redirects(release: Release) -> dict[str, Row]:
    return {redirect.address: {"location": redirect.location} for redirect in release.redirects}


def row(entry: Entry, numbers: Mapping[Policy, int], mirror: Entry | None) -> Row:
    """A document: its files, its headers, its codings; of a page its address and its mirror's."""
    found: Row = {
        "files": parts(entry.file, entry.size),
        "policy": numbers[policy(entry)],
        "own": {name: entry.headers[name] for name in OWN if name in entry.headers},
        "codings": {
            coding.encoding: {
                "files": parts(coding.file, coding.size),
                "own": dict(coding.headers),
            }
            for coding in entry.encodings
        },
    }
    return {**found, "page": entry.address, "mirror": mirror.address} if mirror else found


def parts(file: str, size: int) -> list[str]:
    """The names of a file's parts, its own where it is in one."""
    number = -(-size // LARGEST)
    return [f"{file}~{part}" for part in range(number)] if number > 1 else [file]


def policy(entry: Entry) -> Policy:
    """The headers that an entry shares with others."""
    return tuple(item for item in entry.headers.items() if item[0] not in OWN)


def policies(release: Release) -> dict[Policy, int]:
    found = dict.fromkeys(policy(entry) for entry in release.documents)
    return {shared: number for number, shared in enumerate(found)}
