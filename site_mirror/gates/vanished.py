"""The gate `vanished`: published addresses must not disappear by mistake."""

from collections.abc import Collection, Iterable, Iterator

from msgspec import Struct

from catalogue import addresses
from site_mirror.snapshot.changes import answered_addresses, parse_lines
from site_mirror.snapshot.manifest import Manifest
from site_mirror.snapshot.verdicts import Verdict

GATE = "vanished"


class RemovedAddress(Struct, frozen=True):
    """A document or a redirect of the published release that the new one does not have.

    The family of a redirect is not known.
    """

    address: str
    family: str
    aliases: tuple[str, ...]
    is_document: bool


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


def judge(before: Manifest, lost: Iterable[RemovedAddress], retired: Collection[str]) -> Verdict:
    """Judge the addresses that editors did not take off the site."""
    checked = len(before.documents) + len(before.redirects)
    failures = tuple(
        f"{each.address} was published and is missing; "
        f"if that is intended, use --retire {each.address}"
        for each in lost
        if not {*each.aliases, *names_for_retirement(each.address)}.intersection(retired)
    )
    return Verdict(GATE, "addresses of before", checked, failures)


def names_for_retirement(address: str) -> tuple[str, ...]:
    """Return addresses whose retirement includes this one: itself, its page, its document."""
    page = addresses.page_of_mirror(address)
    return address, page, address.removesuffix(".json"), address.removesuffix(".png")
