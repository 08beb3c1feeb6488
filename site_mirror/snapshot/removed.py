"""Addresses that the release before answered, and that this one does not know."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import orjson

from site_mirror.snapshot.held import Held
from site_mirror.snapshot.manifest import Manifest


def write_removed(path: Path, lines: Held, before: Manifest | None, now: Manifest) -> int:
    """Write them, one a line; returns how many documents went, those that moved included."""
    left = list(told("document", lines.left()))
    gone = {address for document in left for address in answering(document)}
    gone |= redirected(before) if before else set()
    gone -= redirected(now)
    if gone:
        gone -= {address for line in documents(now) for address in answering(line)}
    path.write_text("".join(f"{address}\n" for address in sorted(gone)), encoding="utf-8")
    return len(left)


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
    return path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
