"""Places on pages that other documents link to, as `address#name`.

They are checked by opening the page. A release remembers which they are: the links of documents
that are taken over unchanged are not read again.
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import groupby
from pathlib import Path

from site_mirror.gates import staged
from site_mirror.gates.examining import anchors
from site_mirror.gates.ledger import Ledger
from site_mirror.snapshot import files
from site_mirror.snapshot.candidate import Candidate
from site_mirror.snapshot.layout import PLACES


def missing(ledger: Ledger, candidate: Candidate, moved: Mapping[str, str]) -> set[bytes]:
    """Places that a published page does not have; `moved` are redirects."""
    remembered = {place for place in before(ledger, candidate) if changed(candidate, place)}
    wanted = sorted(ledger.fragments | remembered)
    found: set[bytes] = set()
    for address, places in groupby(wanted, key=address_of):
        page = staged.page(candidate, moved.get(address, address)) or b""
        names = anchors(page)
        found |= {place for place in places if place.partition(b"#")[2] in names}
    return {place for place in wanted if ledger.has(address_of(place))} - found


def write(ledger: Ledger, candidate: Candidate) -> None:
    wanted = ledger.fragments | before(ledger, candidate)
    path = candidate.place.folder / PLACES
    lines = b"".join(place + b"\n" for place in sorted(wanted))
    files.write(str(path), lines, files.PRIVATE_FILE)


def before(ledger: Ledger, candidate: Candidate) -> set[bytes]:
    """Places that documents taken over may link to; some of them may have gone meanwhile."""
    if not ledger.held or candidate.place.published is None:
        return set()
    return {*read(candidate.place.published / PLACES)}


def read(path: Path) -> Iterator[bytes]:
    with suppress(FileNotFoundError):
        yield from files.body(path.parent, path.name).splitlines()


def changed(candidate: Candidate, place: bytes) -> bool:
    return staged.is_written(candidate, address_of(place))


def address_of(place: bytes) -> str:
    return place.partition(b"#")[0].decode()
