"""The check of one document by itself, which runs in the process that renders it."""

import html
import re
from array import array
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any

import orjson
from msgspec import Struct
from msgspec.structs import replace

from catalogue.markdown.error_messages import NOT_SHOWN
from site_mirror.documents.family import Document
from site_mirror.gates import agreements, exact, hosts, references
from site_mirror.gates.agreements import DocumentAgreements
from site_mirror.gates.contract import Contract, load_contract
from site_mirror.gates.kinds import DocumentKind, kind_of_document
from site_mirror.gates.references import DocumentLinks, header_links, join_link, target_of
from site_mirror.snapshot.address_hashes import pack_hashes, unpack_hashes
from site_mirror.snapshot.evidence import (
    CONTRACT_GATE,
    HOSTS_GATE,
    LINKS_GATE,
    MIRRORS_GATE,
    TEXTS_GATE,
    DocumentFault,
    Evidence,
)

_NOT_SHOWN = re.compile(rb'<[a-z]+ class="%s">([^<]*)<' % NOT_SHOWN.encode())
_ID = re.compile(rb'=(?<= id=)"([^"]*)')


class Examiner(Struct, frozen=True, dict=True):
    """Checks documents with the OpenAPI document and the site's origin, each by itself."""

    description: bytes
    origin: str

    def __reduce__(self) -> tuple[type["Examiner"], tuple[bytes, str]]:
        """Pickle the two fields only: compiled validators cannot be pickled."""
        return Examiner, (self.description, self.origin)

    @cached_property
    def contract(self) -> Contract:
        return load_contract(self.description)

    @cached_property
    def site(self) -> hosts.OwnOrigin:
        return hosts.OwnOrigin(self.origin)

    @cached_property
    def root(self) -> bytes:
        return self.origin.encode()

    def __call__(self, document: Document, generated_at: str) -> Evidence:
        """Return the evidence of a document.

        A list of other documents is examined in slices, so that a long one is never in memory as a
        whole.
        """
        if not document.items:
            return self.examine(document, document.body(generated_at))
        slices = (self.examine(document, part) for part in document.slices(generated_at))
        return merge_evidence(next(slices), slices)

    def examine(self, document: Document, body: bytes) -> Evidence:
        kind = kind_of_document(document.media_type, body)
        address = document.address
        links = references.find_links(kind, body, self.root, address.encode())
        made = self.agreements(kind, document, body)
        host_count, has_suspects = (
            hosts.scan_addresses(body, self.site) if kind is not DocumentKind.OPAQUE else (0, 0)
        )
        faults = [DocumentFault(MIRRORS_GATE, words) for words in made.faults]
        if has_suspects or links.incomplete:
            faults += self.host_faults(kind, address, body)
        if kind is DocumentKind.HTML:
            faults += self.anchor_faults(links, address, body)
            faults += find_text_faults(address, body)
        bodies, rows = 0, None
        if address.startswith(f"{self.contract.base}/"):
            value = orjson.loads(body)
            faults += self.api_faults(document, value)
            bodies, rows = 1, count_list_items(value)
        return Evidence(
            address=address,
            bodies=bodies,
            rows=rows,
            references=links.addresses | header_links(document.headers.get("Link", ""), self.root),
            fragments=links.fragments,
            anchors=len(links.own) if kind is DocumentKind.HTML else 0,
            hosts=host_count,
            page=kind is DocumentKind.HTML or bool(made.agreements),
            texts=kind is DocumentKind.HTML,
            agreements=made.agreements,
            faults=tuple(faults),
        )

    def agreements(self, kind: DocumentKind, document: Document, body: bytes) -> DocumentAgreements:
        if kind is DocumentKind.HTML:
            return agreements.agreements_of_page(document.address, body, self.root)
        if kind is DocumentKind.MARKDOWN:
            return agreements.agreements_of_mirror(
                document.address, document.headers, body, self.root
            )
        return agreements.NO_AGREEMENTS

    def api_faults(self, document: Document, value: Any) -> list[DocumentFault]:
        sentences = self.contract.faults(
            document.family, document.address, document.media_type, document.headers, value
        )
        faults = [DocumentFault(CONTRACT_GATE, words) for words in sentences]
        own = self.origin + document.address
        if isinstance(value, dict) and value.get("self", own) != own:
            faults.append(
                DocumentFault(LINKS_GATE, f"{document.address} says that it is {value['self']}")
            )
        return faults

    def host_faults(self, kind: DocumentKind, address: str, body: bytes) -> Iterator[DocumentFault]:
        for link in dict.fromkeys(exact.read_links(kind, body)):
            fault = hosts.host_fault(link, self.site)
            if fault:
                yield DocumentFault(HOSTS_GATE, f"{address} links to {link}, which {fault}")

    def anchor_faults(
        self, links: DocumentLinks, address: str, body: bytes
    ) -> Iterator[DocumentFault]:
        """Yield links of a page to anchors of its own that it does not have."""
        missing = links.own - anchors_in(body)
        for name in sorted(missing & self.exact_anchors(address, body)) if missing else ():
            yield DocumentFault(
                LINKS_GATE, f"{address} links to #{name.decode()}, which it does not have"
            )

    def exact_anchors(self, address: str, body: bytes) -> set[bytes]:
        page = address.encode()
        targets = (self.target(link, page) for link in exact.read_links(DocumentKind.HTML, body))
        return {name for target, name in targets if name and target in (b"", page)}

    def target(self, link: str, page: bytes) -> tuple[bytes, bytes]:
        """Return an address of this site and an anchor, both empty for a link to another site."""
        return target_of(link.encode(), self.root) or join_link(link.encode(), page)


def merge_evidence(first: Evidence, others: Iterable[Evidence]) -> Evidence:
    """Return the evidence of a list, added up from the evidence of its slices."""
    rows, host_count, fragments = first.rows or 0, first.hosts, set(first.fragments)
    referred, faults = {*unpack_hashes(pack_hashes(first.references))}, dict.fromkeys(first.faults)
    for other in others:
        rows, host_count = rows + (other.rows or 0), host_count + other.hosts
        fragments |= other.fragments
        referred.update(unpack_hashes(pack_hashes(other.references)))
        faults |= dict.fromkeys(other.faults)
    return replace(
        first,
        rows=rows,
        references=frozenset(),
        hashes=array("Q", referred),
        fragments=frozenset(fragments),
        hosts=host_count,
        faults=tuple(faults),
    )


def find_text_faults(address: str, body: bytes) -> Iterator[DocumentFault]:
    """Yield a fault for each sentence that a page shows in place of a text or formula."""
    for words in _NOT_SHOWN.findall(body):
        yield DocumentFault(TEXTS_GATE, f"{address}: {html.unescape(words.decode())}")


def anchors_in(body: bytes) -> set[bytes]:
    """Return the names of the anchors of a page; browsers know "" and "top" on each page."""
    return {b"", b"top", *_ID.findall(body)}


def count_list_items(value: Any) -> int | None:
    """Return the number of items of a list of the API, or `None` for another document."""
    data = value.get("data") if isinstance(value, dict) else None
    return len(data) if isinstance(data, list) else None
