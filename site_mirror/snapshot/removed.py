"""Addresses that the release before answered, and that this one does not know."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import orjson

from site_mirror.snapshot import marks
from site_mirror.snapshot.files import PRIVATE_FILE, body, write
from site_mirror.snapshot.held import address_in
from site_mirror.snapshot.manifest import Manifest
from site_mirror.snapshot.portions import Remembered


def write_removed(
    path: Path,
    answered: Iterable[int],
    before: Manifest | None,
    now: Manifest,
    kept: Iterable[Remembered] = (),
) -> int:
    """Write them, one a line; returns how many documents went, those that moved included.

    `answered` are the marks of the addresses of this release; `kept` are portions of before that
    were taken over.
    """
    left = list(told("document", unanswered(before, answered, kept))) if before else []
    gone = {address for document in left for address in answering(document)}
    gone |= redirected(before) if before else set()
    gone -= redirected(now)
    if gone:
        gone -= {address for line in documents(now) for address in answering(line)}
    lines = "".join(f"{address}\n" for address in sorted(gone))
    write(str(path), lines.encode(), PRIVATE_FILE)
    return len(left)


def unanswered(
    before: Manifest, answered: Iterable[int], kept: Iterable[Remembered] = ()
) -> Iterator[bytes]:
    """The lines of documents that are no longer published; those of `kept` portions all are."""
    others = [(*portion.lines, portion.documents) for portion in kept]
    gone = set(map(mark_of, before.documents.but(others))).difference(answered)
    if gone:
        yield from (line for line in before.documents.but(others) if mark_of(line) in gone)


def mark_of(line: bytes) -> int:
    return marks.mark(address_of(line))


def address_of(line: bytes) -> bytes:
    found = address_in(line)
    return orjson.loads(line)["document"].encode() if b"\\" in found else found


def gone_since(before: Manifest, now: Manifest) -> list[str]:
    """Addresses that one manifest knows, and a later one does not."""
    gone = redirected(before)
    gone |= {address for line in documents(before) for address in answering(line)}
    gone -= redirected(now)
    gone -= {address for line in documents(now) for address in answering(line)}
    return sorted(gone)


def documents(manifest: Manifest) -> Iterator[dict[str, Any]]:
    return told("document", manifest.documents.raw())


def redirected(manifest: Manifest) -> set[str]:
    return {line["redirect"] for line in told("redirect", manifest.redirects.raw())}


def answering(document: dict[str, Any]) -> tuple[str, ...]:
    """A document's address and its aliases."""
    return (document["document"], *document.get("aliases", ()))


def told(kind: str, lines: Iterable[bytes]) -> Iterator[dict[str, Any]]:
    """The lines of a kind; of a damaged manifest, those that can be read."""
    for line in lines:
        try:
            found = orjson.loads(line)
        except ValueError:
            continue
        if isinstance(found, dict) and kind in found:
            yield found


def read_removed(path: Path) -> list[str]:
    """What a release's file tells; nothing where there is none."""
    try:
        return body(path.parent, path.name).decode().splitlines()
    except FileNotFoundError:
        return []
