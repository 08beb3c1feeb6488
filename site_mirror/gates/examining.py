"""Examine one document: pure, in whatever process it is rendered."""

import html
import re
from array import array
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any

import orjson
from msgspec import Struct
from msgspec.structs import replace

from catalogue.markdown.reasons import NOT_SHOWN
from site_mirror.documents import Document
from site_mirror.gates import agreements, exact, hosts, references
from site_mirror.gates.agreements import Said
from site_mirror.gates.contract import Contract, contract
from site_mirror.gates.evidence import CONTRACT, HOSTS, LINKS, MIRRORS, TEXTS, Evidence, Fault
from site_mirror.gates.kinds import Kind, kind_of
from site_mirror.gates.references import Found, joined, of_header, target_of
from site_mirror.snapshot.marks import packed, unpacked

_NOT_SHOWN = re.compile(rb'<[a-z]+ class="%s">([^<]*)<' % NOT_SHOWN.encode())
_ID = re.compile(rb'=(?<= id=)"([^"]*)')


class Examiner(Struct, frozen=True, dict=True):
    """Knows the OpenAPI document and the site's origin, and nothing of other documents."""

    description: bytes
    origin: str

    def __reduce__(self) -> tuple[type["Examiner"], tuple[bytes, str]]:
        """What is made of the two is made anew in another process: validators do not travel."""
        return Examiner, (self.description, self.origin)

    @cached_property
    def contract(self) -> Contract:
        return contract(self.description)

    @cached_property
    def site(self) -> hosts.Site:
        return hosts.Site(self.origin)

    @cached_property
    def root(self) -> bytes:
        return self.origin.encode()

    def __call__(self, document: Document, stamp: str) -> Evidence:
        """A long list is examined some items at a time: it is never held as a whole."""
        if not document.items:
            return self.examine(document, document.body(stamp))
        found = (self.examine(document, part) for part in document.slices(stamp))
        return joined_evidence(next(found), found)

    def examine(self, document: Document, body: bytes) -> Evidence:
        kind = kind_of(document.media_type, body)
        address = document.address
        found = references.found(kind, body, self.root, address.encode())
        said = self.agreements(kind, document, body)
        looked, suspicious = hosts.looked_at(body, self.site) if kind is not Kind.OPAQUE else (0, 0)
        faults = [Fault(MIRRORS, words) for words in said.faults]
        if suspicious or found.incomplete:
            faults += self.host_faults(kind, address, body)
        if kind is Kind.HTML:
            faults += self.anchor_faults(found, address, body)
            faults += text_faults(address, body)
        bodies, rows = 0, None
        if address.startswith(f"{self.contract.base}/"):
            value = orjson.loads(body)
            faults += self.api_faults(document, value)
            bodies, rows = 1, rows_of(value)
        return Evidence(
            address=address,
            bodies=bodies,
            rows=rows,
            references=found.addresses | of_header(document.headers.get("Link", ""), self.root),
            fragments=found.fragments,
            anchors=len(found.own) if kind is Kind.HTML else 0,
            hosts=looked,
            page=kind is Kind.HTML or bool(said.agreements),
            texts=kind is Kind.HTML,
            agreements=said.agreements,
            faults=tuple(faults),
        )

    def agreements(self, kind: Kind, document: Document, body: bytes) -> Said:
        if kind is Kind.HTML:
            return agreements.of_page(document.address, body, self.root)
        if kind is Kind.MARKDOWN:
            return agreements.of_mirror(document.address, document.headers, body, self.root)
        return agreements.NOTHING

    def api_faults(self, document: Document, value: Any) -> list[Fault]:
        found = self.contract.faults(
            document.family, document.address, document.media_type, document.headers, value
        )
        faults = [Fault(CONTRACT, words) for words in found]
        own = self.origin + document.address
        if isinstance(value, dict) and value.get("self", own) != own:
            faults.append(Fault(LINKS, f"{document.address} says that it is {value['self']}"))
        return faults

    def host_faults(self, kind: Kind, address: str, body: bytes) -> Iterator[Fault]:
        for link in dict.fromkeys(exact.links(kind, body)):
            fault = hosts.fault(link, self.site)
            if fault:
                yield Fault(HOSTS, f"{address} links to {link}, which {fault}")

    def anchor_faults(self, found: Found, address: str, body: bytes) -> Iterator[Fault]:
        """Links to places on the page itself that it does not have."""
        missing = found.own - anchors(body)
        for name in sorted(missing & self.exact_anchors(address, body)) if missing else ():
            yield Fault(LINKS, f"{address} links to #{name.decode()}, which it does not have")

    def exact_anchors(self, address: str, body: bytes) -> set[bytes]:
        page = address.encode()
        targets = (self.target(link, page) for link in exact.links(Kind.HTML, body))
        return {name for target, name in targets if name and target in (b"", page)}

    def target(self, link: str, page: bytes) -> tuple[bytes, bytes]:
        """An address of this site and a place on it, if a link leads there."""
        return target_of(link.encode(), self.root) or joined(link.encode(), page)


def joined_evidence(first: Evidence, others: Iterable[Evidence]) -> Evidence:
    """What was found in the slices of one list, added up as they come."""
    rows, looked, fragments = first.rows or 0, first.hosts, set(first.fragments)
    referred, faults = {*unpacked(packed(first.references))}, dict.fromkeys(first.faults)
    for found in others:
        rows, looked = rows + (found.rows or 0), looked + found.hosts
        fragments |= found.fragments
        referred.update(unpacked(packed(found.references)))
        faults |= dict.fromkeys(found.faults)
    return replace(
        first,
        rows=rows,
        references=frozenset(),
        marks=array("Q", referred),
        fragments=frozenset(fragments),
        hosts=looked,
        faults=tuple(faults),
    )


def text_faults(address: str, body: bytes) -> Iterator[Fault]:
    """Texts and formulas in whose place a page says why it cannot show them."""
    for words in _NOT_SHOWN.findall(body):
        yield Fault(TEXTS, f"{address}: {html.unescape(words.decode())}")


def anchors(body: bytes) -> set[bytes]:
    """Names of places on a page."""
    return {b"", b"top", *_ID.findall(body)}


def rows_of(value: Any) -> int | None:
    """How many items a list of the API has."""
    data = value.get("data") if isinstance(value, dict) else None
    return len(data) if isinstance(data, list) else None
