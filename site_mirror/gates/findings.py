"""What the examination of some documents leaves behind, added up."""

from array import array
from collections import Counter
from collections.abc import Iterable

from msgspec import Struct, field

from site_mirror.gates.evidence import CONTRACT, HOSTS, LINKS, MIRRORS, TEXTS, Evidence, Fault


class Findings(Struct):
    """The evidence of documents; fit to travel between processes.

    `references` are addresses of this site that lead to none of the documents themselves, `marks`
    those that lists of documents refer to, and
    `agreements` those that only one of them makes.
    """

    references: set[bytes] = field(default_factory=set)
    marks: "array[int]" = field(default_factory=lambda: array("Q"))
    fragments: set[bytes] = field(default_factory=set)
    agreements: set[bytes] = field(default_factory=set)
    rows: dict[str, int] = field(default_factory=dict)
    checked: Counter[str] = field(default_factory=Counter)
    faults: list[Fault] = field(default_factory=list)

    def note(self, evidence: Evidence) -> None:
        """Add what was found in one more document."""
        self.references |= evidence.references
        self.marks.extend(evidence.marks)
        self.fragments |= evidence.fragments
        self.agreements ^= evidence.agreements
        if evidence.rows is not None:
            self.rows[evidence.address] = evidence.rows
        self.count(evidence)
        self.faults += evidence.faults

    def count(self, evidence: Evidence) -> None:
        checked = self.checked
        checked[CONTRACT] += evidence.bodies
        checked[LINKS] += len(evidence.references) + len(evidence.marks)
        checked[LINKS] += len(evidence.fragments) + evidence.anchors
        checked[HOSTS] += evidence.hosts
        checked[MIRRORS] += evidence.page
        checked[TEXTS] += evidence.texts

    def published(self, addresses: Iterable[bytes]) -> None:
        """What these documents answer needs no looking for."""
        self.references.difference_update(addresses)
