"""The gate `vanished`: published addresses must not disappear by mistake."""

from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct

from catalogue import addresses
from site_mirror.snapshot.changes import answered_addresses, parse_lines
from site_mirror.snapshot.manifest import Manifest
from site_mirror.snapshot.verdicts import Verdict, verdict_of

GATE = "vanished"


class RemovedAddress(Struct, frozen=True):
    """A document or a redirect of the published release that the new one does not have.

    The family of a redirect is not known.
    """

    address: str
    family: str
    aliases: tuple[str, ...]
    is_document: bool


class Retirements(Struct, frozen=True):
    """The addresses that may disappear.

    `is_withdrawn` tells whether editors took a document or a redirect off the site. `retired` are
    arguments of the freeze; each also stands for its aliases and its mirror.
    """

    is_withdrawn: Callable[[RemovedAddress], bool] = lambda removed: False
    retired: frozenset[str] = frozenset()


def find_removed(before: Manifest, gone: frozenset[str]) -> Iterator[RemovedAddress]:
    """Yield removed documents and redirects, except files whose address has a digest."""
    if not gone:
        return
    for line in parse_lines("document", before.documents.raw_lines()):
        removed = gone.intersection(answered_addresses(line))
        caching = line["headers"].get("Cache-Control", "")
        if removed and "immutable" not in caching:  # Only pages of that release link to these.
            is_document = line["document"] in removed
            address = line["document"] if is_document else min(removed)
            yield RemovedAddress(address, line["family"], tuple(sorted(removed)), is_document)
    for line in parse_lines("redirect", before.redirects.raw_lines()):
        if line["redirect"] in gone:
            yield RemovedAddress(line["redirect"], "", (), is_document=False)


def judge(before: Manifest, removed: Sequence[RemovedAddress], retirements: Retirements) -> Verdict:
    checked = len(before.documents) + len(before.redirects)
    failures = find_unretired(removed, retirements)
    return verdict_of(GATE, "addresses of before", checked, failures)


def find_unretired(removed: Sequence[RemovedAddress], retirements: Retirements) -> Iterator[str]:
    for gone in removed:
        names = {*gone.aliases, *names_for_retirement(gone.address)}
        if retirements.retired.isdisjoint(names) and not retirements.is_withdrawn(gone):
            yield (
                f"{gone.address} was published and is missing; "
                f"if that is intended, use --retire {gone.address}"
            )


def names_for_retirement(address: str) -> tuple[str, ...]:
    """Return addresses whose retirement includes this one: itself, its page, its document."""
    return address, addresses.page_of_mirror(address), address.removesuffix(".json")
