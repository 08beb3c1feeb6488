"""The evidence of a whole release, folded into as little memory as it takes.

An address is eight bytes of a hash. One that is referred to is kept while nothing is known to be
published there, and an agreement until its other half comes, so what is left at the end is what
is wrong.
"""

from collections import Counter
from collections.abc import Iterable
from itertools import chain

from msgspec import Struct, field

from site_mirror.gates.evidence import CONTRACT, HOSTS, LINKS, MIRRORS, TEXTS
from site_mirror.gates.findings import Findings
from site_mirror.gates.verdicts import Failures
from site_mirror.snapshot import marks
from site_mirror.snapshot.portions import Portion, Range


class Ledger(Struct):
    """What the main process knows of a release in the making."""

    published: set[int] = field(default_factory=set)
    unresolved: set[int] = field(default_factory=set)
    fragments: set[bytes] = field(default_factory=set)
    agreements: dict[int, bytes] = field(default_factory=dict)
    families: Counter[str] = field(default_factory=Counter)
    rows: dict[str, int] = field(default_factory=dict)
    checked: Counter[str] = field(default_factory=Counter)
    failures: dict[str, Failures] = field(
        default_factory=lambda: {
            gate: Failures() for gate in (CONTRACT, LINKS, HOSTS, MIRRORS, TEXTS)
        }
    )
    held: int = 0
    position: int = 0
    ahead: list[tuple[Range, set[int]]] = field(default_factory=list)

    def note(self, portion: Portion) -> None:
        """Count in documents; the earlier examination of those that are taken over stands."""
        addresses = marks.unpacked(portion.addresses)
        self.published.update(addresses)
        self.unresolved.difference_update(addresses)
        self.families.update(portion.families)
        self.held += portion.held
        self.find(portion.findings, len(portion.lines))
        self.position += len(portion.lines)

    def find(self, findings: Findings, length: int) -> None:
        """Count in what was found in documents that were examined; `length` is of their lines."""
        references = marks.unpacked(marks.packed(findings.references))
        self.refer(chain(references, findings.marks), length)
        self.fragments |= findings.fragments
        for agreement in findings.agreements:
            self.agree(agreement)
        self.rows |= findings.rows
        self.checked.update(findings.checked)
        for fault in findings.faults:
            self.failures[fault.gate].add(fault.words)

    def publish(self, address: str) -> None:
        """Know of an address that no document of the release answers."""
        number = marks.mark(address.encode())
        self.published.add(number)
        self.unresolved.discard(number)

    def refer(self, references: Iterable[int], length: int) -> None:
        ahead = {number for number in references if number not in self.published}
        self.unresolved |= ahead
        if ahead:
            self.ahead.append(((self.position, length), ahead))

    def doubtful(self) -> list[Range]:
        """Where the lines of documents are that refer to what is not published."""
        return [place for place, ahead in self.ahead if not ahead.isdisjoint(self.unresolved)]

    def agree(self, agreement: bytes) -> None:
        number = hash(agreement)
        if self.agreements.pop(number, None) is None:
            self.agreements[number] = agreement

    def has(self, address: str) -> bool:
        return marks.mark(address.encode()) in self.published
