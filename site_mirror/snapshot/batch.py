"""The interface between the engine and the site: batches of documents to publish."""

from collections.abc import Sequence
from typing import Any, Protocol

from msgspec import Struct

from site_mirror.documents.built import Built
from site_mirror.documents.family import Document


class PlannedDocument(Struct, frozen=True):
    """A document that a batch will build of a `subject`.

    `digest` covers everything that the document is made of; a document with an empty one is always
    rendered. Documents of the same `kind` are rendered one after another, for speed. An `is_item`
    document also becomes an item of a list.
    """

    address: str
    family: str
    subject: Any
    digest: str = ""
    kind: str = ""
    is_item: bool = False


class Batch(Protocol):
    """Documents that are built together.

    `digest` covers everything that the batch is made of, so two batches with equal digests give
    equal documents; a batch with an empty one is always built. An `is_local` batch queries the
    database while it is rendered, so the main process builds it. `load` reads the rows of a batch
    that only names them.
    """

    @property
    def digest(self) -> str: ...

    @property
    def is_local(self) -> bool: ...

    def load(self) -> "Batch": ...

    def plan(self) -> Sequence[PlannedDocument]: ...

    def render(self, planned: PlannedDocument, built: Built) -> Document: ...
