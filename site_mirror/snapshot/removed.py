"""Find the addresses of the previous release that the new one does not have."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import orjson

from site_mirror.snapshot.files import PRIVATE_FILE_MODE, read_file, write_file
from site_mirror.snapshot.manifest import Manifest, start_of


def write_removed(path: Path, previous: Manifest | None, manifest: Manifest) -> int:
    """Write removed addresses, one a line; return the number of removed and moved documents."""
    documents = [*parse_lines("document", removed_lines(previous, manifest))] if previous else []
    gone = {address for document in documents for address in answered_addresses(document)}
    gone |= redirect_addresses(previous) if previous else set()
    gone -= redirect_addresses(manifest)
    if gone:
        gone -= {
            address for line in document_lines(manifest) for address in answered_addresses(line)
        }
    lines = "".join(f"{address}\n" for address in sorted(gone))
    write_file(str(path), lines.encode(), PRIVATE_FILE_MODE)
    return len(documents)


def removed_lines(previous: Manifest, manifest: Manifest) -> Iterator[bytes]:
    """Yield the lines of documents whose address is not that of a document of the new release.

    Most releases have all addresses of the one before, so only the lines of others are parsed.
    """
    starts = set(map(start_of, manifest.documents.raw_lines()))
    return (line for line in previous.documents.raw_lines() if start_of(line) not in starts)


def addresses_gone_since(before: Manifest, now: Manifest) -> list[str]:
    """Return the addresses of one manifest that a later one does not have."""
    gone = redirect_addresses(before)
    gone |= {address for line in document_lines(before) for address in answered_addresses(line)}
    gone -= redirect_addresses(now)
    gone -= {address for line in document_lines(now) for address in answered_addresses(line)}
    return sorted(gone)


def document_lines(manifest: Manifest) -> Iterator[dict[str, Any]]:
    return parse_lines("document", manifest.documents.raw_lines())


def redirect_addresses(manifest: Manifest) -> set[str]:
    return {line["redirect"] for line in parse_lines("redirect", manifest.redirects.raw_lines())}


def answered_addresses(document: dict[str, Any]) -> tuple[str, ...]:
    """Return the address and the aliases of a document."""
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


def read_removed(path: Path) -> list[str]:
    """Return the addresses in a release's file; none if there is no such file."""
    try:
        return read_file(path.parent, path.name).decode().splitlines()
    except FileNotFoundError:
        return []
