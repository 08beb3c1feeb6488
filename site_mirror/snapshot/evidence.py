"""The results of document checks: small values that workers send to the main process."""

from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet

from msgspec import Struct, field

CONTRACT_GATE = "contract"
COVERAGE_GATE = "coverage"
LINKS_GATE = "links"
HOSTS_GATE = "hosts"
MIRRORS_GATE = "mirrors"
TEXTS_GATE = "texts"
VANISHED_GATE = "vanished"
DELETIONS_GATE = "deletions"
FILES_GATE = "files"


class DocumentFault(Struct, frozen=True):
    """A fault of one document that does not depend on other documents."""

    gate: str
    words: str


class Evidence(Struct, frozen=True):
    """The result of the check of one document.

    `references` are the addresses of this site that it links to; a list, which may be long, has
    their `hashes` instead. `fragments` are links to a `#name` of another page. `agreements` are
    statements that exactly two documents of a release must make. `rows` is the number of items of a
    list of the API. `texts` says that the editors' texts on a page were checked.
    """

    address: str
    bodies: int = 0
    rows: int | None = None
    references: AbstractSet[bytes] = frozenset()
    hashes: Sequence[int] = ()
    fragments: AbstractSet[bytes] = frozenset()
    anchors: int = 0
    hosts: int = 0
    page: bool = False
    texts: bool = False
    agreements: AbstractSet[bytes] = frozenset()
    faults: tuple[DocumentFault, ...] = ()


class Findings(Struct):
    """The combined evidence of several documents.

    `references` are addresses of this site that none of these documents has, `hashes` are those of
    addresses that lists refer to, `agreements` the statements that only one document makes.
    """

    references: set[bytes] = field(default_factory=set)
    hashes: "array[int]" = field(default_factory=lambda: array("Q"))
    fragments: set[bytes] = field(default_factory=set)
    agreements: set[bytes] = field(default_factory=set)
    rows: dict[str, int] = field(default_factory=dict)
    checked: Counter[str] = field(default_factory=Counter)
    faults: list[DocumentFault] = field(default_factory=list)

    def add(self, evidence: Evidence) -> None:
        self.references |= evidence.references
        self.hashes.extend(evidence.hashes)
        self.fragments |= evidence.fragments
        self.agreements ^= evidence.agreements
        if evidence.rows is not None:
            self.rows[evidence.address] = evidence.rows
        self.count(evidence)
        self.faults += evidence.faults

    def count(self, evidence: Evidence) -> None:
        checked = self.checked
        checked[CONTRACT_GATE] += evidence.bodies
        checked[LINKS_GATE] += len(evidence.references) + len(evidence.hashes)
        checked[LINKS_GATE] += len(evidence.fragments) + evidence.anchors
        checked[HOSTS_GATE] += evidence.hosts
        checked[MIRRORS_GATE] += evidence.page
        checked[TEXTS_GATE] += evidence.texts

    def resolve(self, addresses: Iterable[bytes]) -> None:
        """Remove references to addresses that exist."""
        self.references.difference_update(addresses)
