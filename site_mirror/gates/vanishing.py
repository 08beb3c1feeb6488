"""What was published and is no longer: told, or by mistake."""

from collections.abc import Callable, Iterable, Iterator, Mapping

from msgspec import Struct

from catalogue import addresses
from site_mirror.gates.evidence import DELETIONS, VANISHED
from site_mirror.gates.verdicts import Verdict, of_all
from site_mirror.snapshot.candidate import Candidate
from site_mirror.snapshot.layout import REMOVED
from site_mirror.snapshot.manifest import Manifest
from site_mirror.snapshot.removed import answering, read_removed, told

FIRST = "nothing was published before"
GUARDED_FROM = 20
"""Documents from which on a share of them means something."""


class Retirements(Struct, frozen=True):
    """What may go.

    `withdrawn` tells the addresses that editors have taken back, `retired` are those that the
    freeze was told of; each stands for its aliases and its mirror. `listings` are families of
    lists, which go with what they list.
    """

    withdrawn: Callable[[], Iterable[str]] = tuple
    retired: frozenset[str] = frozenset()
    listings: frozenset[str] = frozenset()

    def known(self) -> frozenset[str]:
        return self.retired | {*self.withdrawn()}


class Gone(Struct, frozen=True):
    """A document or a redirect of the release before."""

    address: str
    family: str
    aliases: tuple[str, ...]
    document: bool


def removed(candidate: Candidate) -> frozenset[str]:
    """Addresses that the release before answered and this one does not."""
    return frozenset(read_removed(candidate.place.folder / REMOVED))


def verdicts(
    candidate: Candidate, gone: frozenset[str], retirements: Retirements, share: int | None
) -> tuple[Verdict, Verdict]:
    """`share` is how many of a hundred documents may go at once; all of them if it is `None`."""
    before = candidate.before
    if before is None:
        unknown = FIRST if candidate.place.published is None else "the manifest before is damaged"
        return (
            Verdict(VANISHED, "addresses of before", 0, reason=unknown),
            Verdict(DELETIONS, "documents of before", 0, reason=unknown),
        )
    found = [*lasting(before, gone)] if gone else []
    count = len(before.documents)
    left = sum(each.document for each in found)
    return (
        of_all(vanished(found, retirements)).verdict(
            VANISHED, "addresses of before", count + len(before.redirects)
        ),
        of_all(too_many(left, count, share)).verdict(DELETIONS, "documents of before", count),
    )


def lasting(before: Manifest, gone: frozenset[str]) -> Iterator[Gone]:
    """Documents and redirects that went, but for files whose address tells their content."""
    profiles = before.documents.profiles
    for line in told("document", before.documents.raw()):
        lost = gone.intersection(answering(line))
        if lost and not is_immutable(profiles.get(line["profile"], {})):
            document = line["document"] in lost
            address = line["document"] if document else min(lost)
            yield Gone(address, line["family"], tuple(sorted(lost)), document)
    for line in told("redirect", before.redirects.raw()):
        if line["redirect"] in gone:
            yield Gone(line["redirect"], "", (), document=False)


def is_immutable(headers: Mapping[str, str]) -> bool:
    return "immutable" in headers.get("Cache-Control", "")


def vanished(found: list[Gone], retirements: Retirements) -> Iterator[str]:
    known = retirements.known() if found else frozenset()
    for gone in found:
        names = {*gone.aliases, *standing_for(gone.address)}
        if gone.family not in retirements.listings and known.isdisjoint(names):
            yield f"{gone.address} was published and is gone; --retire {gone.address} if it should"


def standing_for(address: str) -> tuple[str, ...]:
    """Addresses whose retirement is this one's: the page of a mirror, the address of a file."""
    return address, addresses.mirrored(address), address.removesuffix(".json")


def too_many(left: int, count: int, share: int | None) -> Iterator[str]:
    if share is not None and count >= GUARDED_FROM and left * 100 > count * share:
        yield (
            f"{left} of {count} documents would go, more than {share} %; "
            "--allow-deletions if they should"
        )
