"""Compare two manifests: the addresses that are new, changed or gone."""

from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import orjson
from msgspec import Struct

from site_mirror.snapshot.files import PRIVATE_FILE_MODE, read_file, write_file
from site_mirror.snapshot.manifest import Manifest, start_of


class Difference(Struct, frozen=True):
    """An address and its change: new, changed or gone."""

    address: str
    change: str

    def __str__(self) -> str:
        return f"{self.address}: {self.change}"


def find_differences(before: Manifest | None, now: Manifest) -> Iterator[Difference]:
    """Yield new and changed addresses in the order of the manifest, then those that are gone."""
    was = dict(digest_answers(before)) if before else {}
    for address, digest in digest_answers(now):
        if address not in was:
            yield Difference(address, "new")
        elif was.pop(address) != digest:
            yield Difference(address, "changed")
    for address in was:
        yield Difference(address, "gone")


def digest_answers(manifest: Manifest) -> Iterator[tuple[str, int]]:
    """Yield each address, and each file of an error, with a hash of its line."""
    sections = (manifest.documents, manifest.redirects, manifest.errors)
    for line in chain.from_iterable(section.raw_lines() for section in sections):
        members = orjson.loads(line)
        # A changed program changes the inputs of a document whose bytes stay equal.
        members.pop("inputs", None)
        members.pop("supersededAt", None)
        address = members.get("document") or members.get("redirect") or members["file"]
        yield address, hash(orjson.dumps(members))


def write_removed(path: Path, before: Manifest | None, now: Manifest) -> int:
    """Write the addresses that are gone; return the number of removed and moved documents."""
    documents, gone = find_gone(before, now) if before else (0, [])
    write_file(str(path), "".join(f"{address}\n" for address in gone).encode(), PRIVATE_FILE_MODE)
    return documents


def read_removed(path: Path) -> list[str]:
    try:
        return read_file(path.parent, path.name).decode().splitlines()
    except FileNotFoundError:
        return []


def find_gone(before: Manifest, now: Manifest) -> tuple[int, list[str]]:
    """Return the number of removed and moved documents, and the addresses that are gone."""
    # Most releases have all addresses of the one before, so only the lines of others are parsed.
    starts = set(map(start_of, now.documents.raw_lines()))
    lines = (line for line in before.documents.raw_lines() if start_of(line) not in starts)
    documents = [*parse_lines("document", lines)]
    gone = set(chain.from_iterable(map(answered_addresses, documents))) | redirect_addresses(before)
    gone -= redirect_addresses(now)
    if gone:
        existing = parse_lines("document", now.documents.raw_lines())
        gone.difference_update(chain.from_iterable(map(answered_addresses, existing)))
    return len(documents), sorted(gone)


def redirect_addresses(manifest: Manifest) -> set[str]:
    return {line["redirect"] for line in parse_lines("redirect", manifest.redirects.raw_lines())}


def answered_addresses(document: dict[str, Any]) -> tuple[str, ...]:
    return (document["document"], *document.get("aliases", ()))


def parse_lines(kind: str, lines: Iterable[bytes]) -> Iterator[dict[str, Any]]:
    """Yield the members of each line of a kind, without lines that are damaged."""
    for line in lines:
        try:
            members = orjson.loads(line)
        except ValueError:
            continue
        if isinstance(members, dict) and kind in members:
            yield members
