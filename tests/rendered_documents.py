"""All documents of the registry, rendered one by one."""

from collections.abc import Iterator

from site_mirror.documents.context import Context
from site_mirror.documents.family import Document
from site_mirror.registry.table import FAMILIES


def render_documents(context: Context) -> Iterator[Document]:
    """Yield the documents that are published at a moment, in the order of the registry."""
    for family in FAMILIES:
        yield from family.documents(context)
