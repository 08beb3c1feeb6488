"""Everything that a release promises, in one list."""

from collections.abc import Iterator

from site_mirror.hosts.promised import addresses, conditions, documents, negotiation, refusals
from site_mirror.hosts.promised.promise import Promise
from site_mirror.hosts.release import Release


def promises(release: Release) -> Iterator[Promise]:
    yield from documents.promises(release)
    yield from conditions.promises(release)
    yield from negotiation.promises(release)
    yield from addresses.promises(release)
    yield from refusals.promises(release)
