"""The evidence of a whole release, folded into as little memory as it takes.

An address is eight bytes of a hash. One that is referred to is kept while nothing is known to be
published there, and an agreement until its other half comes, so what is left at the end is what
is wrong.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from site_mirror.gates.evidence import CONTRACT, HOSTS, LINKS, MIRRORS, Evidence
from site_mirror.gates.verdicts import Failures


@dataclass(slots=True)
class Ledger:
    """What the main process knows of a release in the making."""

    published: set[int] = field(default_factory=set)
    unresolved: set[int] = field(default_factory=set)
    fragments: set[bytes] = field(default_factory=set)
    agreements: dict[int, bytes] = field(default_factory=dict)
    families: Counter[str] = field(default_factory=Counter)
    rows: dict[str, int] = field(default_factory=dict)
    checked: Counter[str] = field(default_factory=Counter)
    failures: dict[str, Failures] = field(
        default_factory=lambda: {gate: Failures() for gate in (CONTRACT, LINKS, HOSTS, MIRRORS)}
    )
    held: int = 0

    def note(self, evidence: Evidence) -> None:
        """Count in a document that was examined."""
        self.publish(evidence.address, evidence.aliases)
        self.families[evidence.family] += 1
        self.refer(evidence.references)
        self.fragments |= evidence.fragments
        for agreement in evidence.agreements:
            self.agree(agreement)
        if evidence.rows is not None:
            self.rows[evidence.address] = evidence.rows
        self.count(evidence)
        for fault in evidence.faults:
            self.failures[fault.gate].add(fault.words)

    def hold(self, address: str, aliases: Iterable[str], family: str) -> None:
        """Count in a document that is taken over unchanged: its earlier examination stands."""
        self.publish(address, aliases)
        self.families[family] += 1
        self.held += 1

    def count(self, evidence: Evidence) -> None:
        checked = self.checked
        checked[CONTRACT] += evidence.bodies
        checked[LINKS] += len(evidence.references) + len(evidence.fragments) + evidence.anchors
        checked[HOSTS] += evidence.hosts
        checked[MIRRORS] += evidence.page

    def publish(self, address: str, aliases: Iterable[str] = ()) -> None:
        for each in (address, *aliases):
            number = hash(each.encode())
            self.published.add(number)
            self.unresolved.discard(number)

    def refer(self, references: Iterable[bytes]) -> None:
        self.unresolved |= {hash(reference) for reference in references} - self.published

    def agree(self, agreement: bytes) -> None:
        number = hash(agreement)
        if self.agreements.pop(number, None) is None:
            self.agreements[number] = agreement

    def has(self, address: str) -> bool:
        return hash(address.encode()) in self.published
