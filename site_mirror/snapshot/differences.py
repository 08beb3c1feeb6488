"""List the addresses at which a staged release differs from the published one."""

from collections.abc import Iterator
from hashlib import blake2b
from itertools import chain

import orjson

from site_mirror.snapshot.manifest import Manifest
from site_mirror.snapshot.report import Difference


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


def digest_answers(manifest: Manifest) -> Iterator[tuple[str, bytes]]:
    """Yield each address, and each file of an error, with a digest of its line.

    Digests and not lines, because a site of 100,000 posts has a million of them.
    """
    sections = (manifest.documents, manifest.redirects, manifest.errors)
    for line in chain.from_iterable(section.raw_lines() for section in sections):
        members = orjson.loads(line)
        # A changed program changes the inputs of a document whose bytes stay equal.
        members.pop("inputs", None)
        address = members.get("document") or members.get("redirect") or members["file"]
        yield address, blake2b(orjson.dumps(members), digest_size=16).digest()
