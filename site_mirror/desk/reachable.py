"""The published addresses at a moment, by the rules of the gate `links` of a freeze."""

from datetime import datetime
from functools import cache
from typing import Any

from django.conf import settings
from django.urls import Resolver404, resolve
from msgspec import Struct

from catalogue.addresses import Site
from site_mirror.documents.family import Family
from site_mirror.gates import hosts
from site_mirror.gates.reading import read_page, target_of
from site_mirror.registry.contexts import context_at
from site_mirror.registry.table import FAMILIES_BY_NAME


class PublishedDocument(Struct, frozen=True):
    """The document at an address: its family and its subject."""

    family: Family
    subject: Any


class ReachableAddresses:
    """Judges links by the rules of the gate `links` of a freeze at this moment."""

    def __init__(self, at: datetime) -> None:
        self.context = context_at(Site(settings.SITE_ROOT), at)
        self.find = cache(self.find_document)
        self.anchors = cache(self.read_anchors)

    def fault(self, target: str, page: str, *, image: bool = False) -> str:
        """Return the fault of a link or an image on a page, as the end of a sentence.

        The text is empty if there is none.
        """
        root = self.context.site.root
        where, _, name = target_of(target, page, root).partition("#")
        if not where:
            return hosts.host_fault(target, root)
        document = self.find(where)
        if document is None:
            return f"leads to {where}, where nothing is published"
        if image and not document.family.media_type.startswith("image/"):
            return f"leads to {where}, which is not an image"
        if name and name not in self.anchors(where):
            return f"leads to {where}#{name}, a place that is not there"
        return ""

    def find_document(self, address: str) -> PublishedDocument | None:
        """Return the document at an address, or at the address to which it redirects."""
        try:
            match = resolve(address, settings.PUBLIC_URLCONF)
        except Resolver404:
            return None
        family = FAMILIES_BY_NAME[str(match.url_name).partition("-alias-")[0]]
        slug = "".join(match.kwargs.values())
        subject = family.one(self.context, slug)
        if subject is not None:
            return PublishedDocument(family, subject)
        target = family.current_address(self.context, slug) if slug else None
        return self.find(target) if target else None

    def read_anchors(self, address: str) -> set[str]:
        found = self.find(address)
        if found is None:
            return set()
        return read_page(found.family.document(self.context, found.subject).body()).anchors
