"""The evidence of all documents of a release, collected while they are built.

To save memory, an address is stored as a hash of eight bytes. A reference is kept until a document
is published at its address, and an agreement until its second document comes. So the references
and agreements that are left at the end are faults.
"""

from collections import Counter
from collections.abc import Iterable
from itertools import chain

from msgspec import Struct, field

from site_mirror.documents.built import Range
from site_mirror.snapshot.address_hashes import address_hash, pack_hashes, unpack_hashes
from site_mirror.snapshot.evidence import (
    CONTRACT_GATE,
    HOSTS_GATE,
    LINKS_GATE,
    MIRRORS_GATE,
    TEXTS_GATE,
    Findings,
)
from site_mirror.snapshot.results import BatchResult
from site_mirror.snapshot.verdicts import Failures


class ReleaseEvidence(Struct):
    """The evidence that the main process has of a release that is being built.

    `reused` counts documents whose earlier check still stands. `forward_references` have the
    positions of lines in the manifest and the addresses that were not published before them.
    """

    published: set[int] = field(default_factory=set)
    unresolved: set[int] = field(default_factory=set)
    fragments: set[bytes] = field(default_factory=set)
    agreements: dict[int, bytes] = field(default_factory=dict)
    families: Counter[str] = field(default_factory=Counter)
    rows: dict[str, int] = field(default_factory=dict)
    checked: Counter[str] = field(default_factory=Counter)
    failures: dict[str, Failures] = field(
        default_factory=lambda: {
            gate: Failures()
            for gate in (CONTRACT_GATE, LINKS_GATE, HOSTS_GATE, MIRRORS_GATE, TEXTS_GATE)
        }
    )
    reused: int = 0
    position: int = 0
    forward_references: list[tuple[Range, set[int]]] = field(default_factory=list)

    def collect(self, result: BatchResult) -> None:
        """Add the documents of a batch; the earlier check of reused documents stands."""
        addresses = unpack_hashes(result.addresses)
        self.published.update(addresses)
        self.unresolved.difference_update(addresses)
        self.families.update(result.families)
        self.reused += result.reused
        self.add_findings(result.findings, len(result.lines))
        self.position += len(result.lines)

    def add_findings(self, findings: Findings, length: int) -> None:
        """Add the findings of documents that were checked; `length` is that of their lines."""
        references = unpack_hashes(pack_hashes(findings.references))
        self.add_references(chain(references, findings.hashes), length)
        self.fragments |= findings.fragments
        for agreement in findings.agreements:
            self.add_agreement(agreement)
        self.rows |= findings.rows
        self.checked.update(findings.checked)
        for fault in findings.faults:
            self.failures[fault.gate].add(fault.words)

    def add_address(self, address: str) -> None:
        """Add an address that is answered, although not by a document of the release."""
        number = address_hash(address.encode())
        self.published.add(number)
        self.unresolved.discard(number)

    def add_references(self, references: Iterable[int], length: int) -> None:
        unpublished = {number for number in references if number not in self.published}
        self.unresolved |= unpublished
        if unpublished:
            self.forward_references.append(((self.position, length), unpublished))

    def unresolved_ranges(self) -> list[Range]:
        """Return the positions of lines of documents with references that are not published."""
        return [
            lines
            for lines, references in self.forward_references
            if not references.isdisjoint(self.unresolved)
        ]

    def add_agreement(self, agreement: bytes) -> None:
        number = hash(agreement)
        if self.agreements.pop(number, None) is None:
            self.agreements[number] = agreement

    def is_published(self, address: str) -> bool:
        return address_hash(address.encode()) in self.published
