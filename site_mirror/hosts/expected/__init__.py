"""The expectations of a release: requests and the responses that its manifest promises."""

from collections.abc import Iterator

from site_mirror.hosts.expected import addresses, conditions, documents, negotiation, refusals
from site_mirror.hosts.expected.expectation import Expectation
from site_mirror.hosts.release import ServedRelease


def expectations(release: ServedRelease) -> Iterator[Expectation]:
    yield from documents.expectations(release)
    yield from conditions.expectations(release)
    yield from negotiation.expectations(release)
    yield from addresses.expectations(release)
    yield from refusals.expectations(release)
