"""The gates `vanished` and `deletions`: published addresses must not disappear by mistake."""

from collections.abc import Callable, Iterable, Iterator, Mapping

from msgspec import Struct

from catalogue import addresses
from site_mirror.snapshot.candidate import Candidate
from site_mirror.snapshot.evidence import DELETIONS_GATE, VANISHED_GATE
from site_mirror.snapshot.layout import REMOVED
from site_mirror.snapshot.manifest import Manifest
from site_mirror.snapshot.removed import answered_addresses, parse_lines, read_removed
from site_mirror.snapshot.verdicts import Verdict, count_failures

NO_PUBLISHED_RELEASE = "nothing was published before"
MIN_DOCUMENTS_FOR_LIMIT = 20
"""Documents of the smallest release with a limit; in a smaller one, each is a large part."""


class Retirements(Struct, frozen=True):
    """The addresses that may disappear.

    `withdrawn` returns addresses of rows that editors have unpublished, `retired` are arguments of
    the freeze. Each also stands for its aliases and its mirror. `listings` are names of families of
    lists, which disappear with their last item.
    """

    withdrawn: Callable[[], Iterable[str]] = tuple
    retired: frozenset[str] = frozenset()
    listings: frozenset[str] = frozenset()

    def allowed(self) -> frozenset[str]:
        return self.retired | {*self.withdrawn()}


class RemovedAddress(Struct, frozen=True):
    """A document or a redirect of the published release that the new one does not have."""

    address: str
    family: str
    aliases: tuple[str, ...]
    is_document: bool


def read_removed_addresses(candidate: Candidate) -> frozenset[str]:
    """Return addresses that the published release answers and the new one does not."""
    return frozenset(read_removed(candidate.workspace.staging / REMOVED))


def judge_removals(
    candidate: Candidate, gone: frozenset[str], retirements: Retirements, max_percent: int | None
) -> tuple[Verdict, Verdict]:
    """Return both verdicts; a freeze may delete all documents if `max_percent` is `None`."""
    before = candidate.previous
    if before is None:
        is_first = candidate.workspace.published is None
        reason = NO_PUBLISHED_RELEASE if is_first else "the manifest before is damaged"
        return (
            Verdict(VANISHED_GATE, "addresses of before", 0, reason=reason),
            Verdict(DELETIONS_GATE, "documents of before", 0, reason=reason),
        )
    missing = [*find_removed(before, gone)] if gone else []
    count = len(before.documents)
    deleted = sum(each.is_document for each in missing)
    return (
        count_failures(find_unretired(missing, retirements)).verdict(
            VANISHED_GATE, "addresses of before", count + len(before.redirects)
        ),
        count_failures(check_deletion_limit(deleted, count, max_percent)).verdict(
            DELETIONS_GATE, "documents of before", count
        ),
    )


def find_removed(before: Manifest, gone: frozenset[str]) -> Iterator[RemovedAddress]:
    """Yield removed documents and redirects, except files whose address has a digest."""
    profiles = before.documents.profiles
    for line in parse_lines("document", before.documents.raw_lines()):
        removed = gone.intersection(answered_addresses(line))
        if removed and not is_immutable(profiles.get(line["profile"], {})):
            is_document = line["document"] in removed
            address = line["document"] if is_document else min(removed)
            yield RemovedAddress(address, line["family"], tuple(sorted(removed)), is_document)
    for line in parse_lines("redirect", before.redirects.raw_lines()):
        if line["redirect"] in gone:
            yield RemovedAddress(line["redirect"], "", (), is_document=False)


def is_immutable(headers: Mapping[str, str]) -> bool:
    return "immutable" in headers.get("Cache-Control", "")


def find_unretired(missing: list[RemovedAddress], retirements: Retirements) -> Iterator[str]:
    allowed = retirements.allowed() if missing else frozenset()
    for gone in missing:
        names = {*gone.aliases, *names_for_retirement(gone.address)}
        if gone.family not in retirements.listings and allowed.isdisjoint(names):
            yield (
                f"{gone.address} was published and is missing; "
                f"if that is intended, use --retire {gone.address}"
            )


def names_for_retirement(address: str) -> tuple[str, ...]:
    """Return addresses whose retirement includes this one: itself, its page, its document."""
    return address, addresses.page_of_mirror(address), address.removesuffix(".json")


def check_deletion_limit(deleted: int, count: int, max_percent: int | None) -> Iterator[str]:
    if (
        max_percent is not None
        and count >= MIN_DOCUMENTS_FOR_LIMIT
        and deleted * 100 > count * max_percent
    ):
        yield (
            f"{deleted} of {count} documents would be deleted, more than {max_percent} %; "
            "if that is intended, use --allow-deletions"
        )
