"""Documents: at every address, in every coding, by GET and by HEAD."""

from collections.abc import Iterator

from site_mirror.hosts.abilities import Ability
from site_mirror.hosts.promised.promise import Content, Needs, Promise, asking, both, needing
from site_mirror.hosts.release import Release, is_page
from site_mirror.snapshot.entries import EncodedFile, Entry

CODINGS = (
    ("gzip, deflate, br", ("br", "gzip")),
    ("*", ("br", "gzip")),
    ("BR", ("br",)),
    ("br;q=0.5, gzip", ("gzip",)),
    ("br;q=0, *", ("gzip",)),
    ("identity, br;q=0.5, gzip;q=0.5", ()),
    ("br;q=many", ()),
    ("*;q=0", ()),
    ("deflate", ()),
)
"""What a request accepts, and the codings of which the first that is offered is sent."""

OTHER_TYPES = ("text/html", "application/xml", "application/problem+json", "image/png;q=0")
QUERIES = ("?x=1", "?format=xml&page=2", "?")


def promises(release: Release) -> Iterator[Promise]:
    for entry in release.documents:
        for address in (entry.address, *entry.aliases):
            yield from both(plain(entry, address))
            for coding in entry.encodings:
                yield from both(coded(entry, coding, address, coding.encoding))
    for entry in release.examples:
        yield from whole(entry)
    yield from decided_by_the_request(release)


def needs(entry: Entry, address: str) -> Needs:
    """What a host must be able to do to answer at an address at all."""
    named = needing(Ability.ALIASES) if address in entry.aliases else needing()
    own = {f"/{entry.file}", f"/{entry.file}".removesuffix("index.html")}
    return named | needing(Ability.FILES if address in own else Ability.ADDRESSES)


def plain(entry: Entry, address: str, query: str = "", **headers: str) -> Promise:
    """The document as it is, where a request does not accept a coding of it."""
    return Promise(
        needs(entry, address),
        asking(address + query, **headers),
        (entry.status,),
        entry.headers,
        Content(entry.size, entry.sha256),
    )


def coded(entry: Entry, coding: EncodedFile, address: str, accepted: str) -> Promise:
    return Promise(
        needs(entry, address) | {Ability.VARIANTS},
        asking(address, accept_encoding=accepted),
        (entry.status,),
        {**entry.headers, **coding.headers},
        Content(coding.size, coding.sha256),
    )


def whole(entry: Entry) -> Iterator[Promise]:
    """The same document whatever else a request says."""
    ranged = plain(entry, entry.address, range="bytes=0-9")
    yield Promise(
        ranged.needs | {Ability.NO_RANGES},
        ranged.request,
        ranged.statuses,
        ranged.headers,
        ranged.content,
    )
    for query in QUERIES:
        yield plain(entry, entry.address, query)
    for accept in () if is_page(entry) else OTHER_TYPES:
        yield plain(entry, entry.address, accept=accept)


def decided_by_the_request(release: Release) -> Iterator[Promise]:
    """Of one document in codings, what each way to accept them comes to."""
    entry = next((entry for entry in release.documents if entry.encodings), None)
    if entry is None:
        return
    offered = {coding.encoding: coding for coding in entry.encodings}
    for accepted, wanted in CODINGS:
        sent = next((offered[name] for name in wanted if name in offered), None)
        if sent:
            yield coded(entry, sent, entry.address, accepted)
        else:
            yield plain(entry, entry.address, accept_encoding=accepted)
