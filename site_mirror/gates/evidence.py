"""What the examination of a document leaves behind: small, and fit to travel between processes."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from msgspec import Struct

CONTRACT = "contract"
COVERAGE = "coverage"
LINKS = "links"
HOSTS = "hosts"
MIRRORS = "mirrors"
TEXTS = "texts"
VANISHED = "vanished"
DELETIONS = "deletions"
FILES = "files"
VERSION = "version"


class Fault(Struct, frozen=True):
    """What is wrong with one document, whatever else is published."""

    gate: str
    words: str


class Evidence(Struct, frozen=True):
    """What the gates keep of a document.

    `references` are addresses of this site, or `marks` are theirs where the document is a list of
    other documents, which may be long; `fragments` those with a `#name` of another page;
    `agreements` are what this document and another one must say alike, each exactly twice in a
    release. `rows` is how many items a list of the API has. `texts` says that the texts of editors
    on a page were looked at.
    """

    address: str
    bodies: int = 0
    rows: int | None = None
    references: AbstractSet[bytes] = frozenset()
    marks: Sequence[int] = ()
    fragments: AbstractSet[bytes] = frozenset()
    anchors: int = 0
    hosts: int = 0
    page: bool = False
    texts: bool = False
    agreements: AbstractSet[bytes] = frozenset()
    faults: tuple[Fault, ...] = ()
