"""A release into a bucket: upload, read back, switch, delete, and in this order alone.

A bucket follows no pointer, so nothing can move all addresses at once. New objects come first,
then those that change, so that no list names what is not there; what is gone goes last. The
ledger is the switch: it names the release once all of it was read back, and deletions come after.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor

from msgspec import Struct, field

from site_mirror.bucket import ledger
from site_mirror.bucket.errors import Damaged, NotAsSent, NotOurs
from site_mirror.bucket.items import Item, items
from site_mirror.bucket.ledger import Ledger, Line
from site_mirror.bucket.store import Bucket, Stored
from site_mirror.hosts.release import Release

AT_ONCE = 8
LEDGER = {"Content-Type": "application/json", "Cache-Control": "no-store"}


class Published(Struct, frozen=True):
    """What was done, as keys.

    `dropped` are headers for which an object had no room, `left_out` former addresses that
    nothing answers.
    """

    release: str
    uploaded: tuple[str, ...] = ()
    kept: int = 0
    deleted: tuple[str, ...] = ()
    switched: bool = False
    dropped: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()

    @property
    def changed(self) -> bool:
        return self.switched or bool(self.deleted)


def publish(release: Release, bucket: Bucket, *, website: bool = False) -> Published:
    """Raises `BucketError`; until the switch nothing is deleted."""
    wanted = {item.key: item for item in items(release, website=website)}
    found = bucket.listed()
    known = known_of(bucket, found)
    same = unchanged(wanted, known.lines, found)
    arriving = [item for key, item in wanted.items() if key not in same]
    if arriving or known.release != release.folder.name:
        switch(bucket, wanted, same, arriving, found, release.folder.name)
    leaving = sorted(found.keys() - wanted.keys() - {ledger.KEY})
    if leaving:
        bucket.delete(leaving)
    return Published(
        release=release.folder.name,
        uploaded=tuple(item.key for item in arriving),
        kept=len(same),
        deleted=tuple(leaving),
        switched=bool(arriving) or known.release != release.folder.name,
        dropped={key: item.dropped for key, item in wanted.items() if item.dropped},
        left_out=() if website else tuple(redirect.address for redirect in release.redirects),
    )


def known_of(bucket: Bucket, found: Mapping[str, Stored]) -> Ledger:
    """What the bucket says of itself; an empty one says nothing. Raises `NotOurs`."""
    if not found:
        return Ledger("", {})
    known = ledger.decoded(bucket.read(ledger.KEY).body) if ledger.KEY in found else None
    if known is None:
        raise NotOurs(len(found), ledger.KEY)
    return known


def unchanged(
    wanted: Mapping[str, Item], lines: Mapping[str, Line], found: Mapping[str, Stored]
) -> dict[str, Line]:
    """Objects that are as they shall be, by the ledger and by the listing."""
    return {
        key: line
        for key, line in lines.items()
        if key in wanted
        and line.digest == wanted[key].digest
        and found.get(key) == Stored(wanted[key].size, line.tag)
    }


def switch(
    bucket: Bucket,
    wanted: Mapping[str, Item],
    same: Mapping[str, Line],
    arriving: Sequence[Item],
    found: Mapping[str, Stored],
    name: str,
) -> None:
    """Upload, read back, and only then say so."""
    bucket.write(ledger.KEY, Ledger("", same).encoded(), LEDGER)
    sent: dict[str, Line] = {}
    for part in (
        [item for item in arriving if item.key not in found],
        [item for item in arriving if item.key in found],
    ):
        sent |= in_parallel(part, lambda item: uploaded(bucket, item))
    lines = {**same, **sent}
    verified(bucket.listed(), wanted, lines)
    bucket.write(ledger.KEY, Ledger(name, lines).encoded(), LEDGER)


def in_parallel(part: Iterable[Item], do: Callable[[Item], Line]) -> dict[str, Line]:
    """All of them, or the first error: what has not begun by then does not begin."""
    part = list(part)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        try:
            lines = list(pool.map(do, part))
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    return {item.key: line for item, line in zip(part, lines, strict=True)}


def uploaded(bucket: Bucket, item: Item) -> Line:
    """Send an object and read it back. Raises `NotAsSent`, and `Damaged` before it is sent."""
    try:
        body = item.body
    except OSError as error:
        raise Damaged(item.key) from error
    if hashlib.sha256(body).hexdigest() != item.sha256:
        raise Damaged(item.key)
    if item.location:
        bucket.lead(item.key, body, item.attributes, item.location)
    else:
        bucket.write(item.key, body, item.attributes)
    return read_back(bucket, item)


def read_back(bucket: Bucket, item: Item) -> Line:
    read = bucket.read(item.key)
    if hashlib.sha256(read.body).hexdigest() != item.sha256:
        raise NotAsSent(item.key, "its bytes have another digest than the manifest's", 0)
    if read.attributes != item.attributes:
        names = sorted(set(item.attributes.items()) ^ set(read.attributes.items()))
        raise NotAsSent(item.key, f"its metadata differs in {names[0][0]}", 0)
    if item.location and bucket.location(item.key) != item.location:
        raise NotAsSent(item.key, f"it does not lead to {item.location}", 0)
    return Line(item.digest, read.tag)


def verified(
    found: Mapping[str, Stored], wanted: Mapping[str, Item], lines: Mapping[str, Line]
) -> None:
    """Hold the listing against everything that was to be there. Raises `NotAsSent`."""
    faults = list(faults_of(found, wanted, lines))
    if faults:
        key, what = faults[0]
        raise NotAsSent(key, what, len(faults) - 1)


def faults_of(
    found: Mapping[str, Stored], wanted: Mapping[str, Item], lines: Mapping[str, Line]
) -> Iterator[tuple[str, str]]:
    for key, item in wanted.items():
        stored = found.get(key)
        if stored is None:
            yield key, "the listing does not have it"
        elif stored != Stored(item.size, lines[key].tag):
            yield key, f"{stored.size} bytes tagged {stored.tag} are listed"
