"""Expectations of documents: at each address, in each coding, by GET and by HEAD."""

from collections.abc import Iterator

from site_mirror.hosts.capabilities import Capability
from site_mirror.hosts.expected.expectation import (
    Expectation,
    ExpectedBody,
    Needs,
    make_request,
    needs_of,
    with_head,
)
from site_mirror.hosts.release import ServedRelease, is_page
from site_mirror.snapshot.entries import EncodedFile, Entry

ACCEPTED_CODINGS = (
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
"""`Accept-Encoding`, and the codings of which the first that a document has is sent."""

OTHER_TYPES = ("text/html", "application/xml", "application/problem+json", "image/png;q=0")
QUERIES = ("?x=1", "?format=xml&page=2", "?")


def expectations(release: ServedRelease) -> Iterator[Expectation]:
    for entry in release.documents:
        for address in (entry.address, *entry.aliases):
            yield from with_head(expect_identity(entry, address))
            for coding in entry.encodings:
                yield from with_head(expect_coding(entry, coding, address, coding.encoding))
    for entry in release.examples:
        yield from expect_ignored_headers(entry)
    yield from expect_accepted_codings(release)


def needs_of_address(entry: Entry, address: str) -> Needs:
    """Return the capabilities without which a host cannot serve a document at an address."""
    aliases = needs_of(Capability.ALIASES) if address in entry.aliases else needs_of()
    own = {f"/{entry.file}", f"/{entry.file}".removesuffix("index.html")}
    return aliases | needs_of(Capability.FILES if address in own else Capability.ADDRESSES)


def expect_identity(entry: Entry, address: str, query: str = "", **headers: str) -> Expectation:
    """Expect the document without a coding."""
    return Expectation(
        needs_of_address(entry, address),
        make_request(address + query, **headers),
        (entry.status,),
        entry.headers,
        ExpectedBody(entry.size, entry.sha256),
    )


def expect_coding(entry: Entry, coding: EncodedFile, address: str, accepted: str) -> Expectation:
    return Expectation(
        needs_of_address(entry, address) | {Capability.VARIANTS},
        make_request(address, accept_encoding=accepted),
        (entry.status,),
        {**entry.headers, **coding.headers},
        ExpectedBody(coding.size, coding.sha256),
    )


def expect_ignored_headers(entry: Entry) -> Iterator[Expectation]:
    """Expect the same document for any range, query and, unless it is a page, `Accept`."""
    ranged = expect_identity(entry, entry.address, range="bytes=0-9")
    yield Expectation(
        ranged.needs | {Capability.NO_RANGES},
        ranged.request,
        ranged.statuses,
        ranged.headers,
        ranged.content,
    )
    for query in QUERIES:
        yield expect_identity(entry, entry.address, query)
    for accept in () if is_page(entry) else OTHER_TYPES:
        yield expect_identity(entry, entry.address, accept=accept)


def expect_accepted_codings(release: ServedRelease) -> Iterator[Expectation]:
    """Expect the codings that each `Accept-Encoding` selects, at one document."""
    entry = next((entry for entry in release.documents if entry.encodings), None)
    if entry is None:
        return
    offered = {coding.encoding: coding for coding in entry.encodings}
    for accepted, wanted in ACCEPTED_CODINGS:
        sent = next((offered[name] for name in wanted if name in offered), None)
        if sent:
            yield expect_coding(entry, sent, entry.address, accepted)
        else:
            yield expect_identity(entry, entry.address, accept_encoding=accepted)
