"""The published addresses at a moment, by the rules of the gate `links` of a freeze."""

import re
from collections.abc import Iterator
from datetime import datetime
from functools import cache, cached_property
from typing import Any

from django.conf import settings
from msgspec import Struct

from catalogue import addresses
from catalogue.addresses import Site
from site_mirror.documents.family import Family, aliases_of
from site_mirror.gates import hosts
from site_mirror.gates.examining import anchors_in
from site_mirror.gates.references import join_link, target_of
from site_mirror.registry.contexts import context_at
from site_mirror.registry.table import FAMILIES, page_summaries

SLUG_GROUP = "([a-z0-9-]+)"


class PublishedDocument(Struct, frozen=True):
    """The document at an address: its family, the slug in the address, and its subject."""

    family: Family
    slug: str
    subject: Any


class ReachableAddresses:
    """Judges links by the rules of the gate `links` of a freeze at this moment."""

    needed = (
        addresses.DOCUMENTATION,
        addresses.VERSIONING_POLICY,
        f"{addresses.PROBLEM_TYPES}#rate-limit-exceeded",
        addresses.PRIVACY_POLICY,
        addresses.HOME,
    )

    def __init__(self, at: datetime) -> None:
        self.context = context_at(Site(settings.SITE_ROOT), at)
        self.answers: dict[str, bool] = {}
        self.anchors: dict[str, set[bytes]] = {}

    def fault(self, target: str, page: str, *, image: bool = False) -> str:
        """Return the fault of a link or an image on a page, as the end of a sentence.

        The text is empty if there is none.
        """
        root, link = self.context.site.root, target.encode()
        address, name = target_of(link, root.encode()) or join_link(link, page.encode())
        if not address and not name:
            return hosts.host_fault(target, hosts.OwnOrigin(root))
        where = address.decode("utf-8", "replace") or page
        if not self.publishes(where):
            return f"leads to {where}, where nothing is published"
        if image and not self.publishes_image(where):
            return f"leads to {where}, which is not an image"
        if name and name not in self.anchors_of(where):
            return f"leads to {where}#{name.decode('utf-8', 'replace')}, a place that is not there"
        return ""

    def publishes(self, address: str) -> bool:
        """Whether an address has a document, or redirects to an address that has one."""
        if address in self.pages:
            return True
        if address not in self.answers:
            self.answers[address] = any(self.published_documents(address))
        return self.answers[address]

    def publishes_image(self, address: str) -> bool:
        documents = self.published_documents(address)
        return any(each.family.media_type.startswith("image/") for each in documents)

    @cached_property
    def pages(self) -> frozenset[str]:
        """Addresses of all pages and mirrors, read in a constant number of queries."""
        summaries = list(page_summaries(self.context))
        return frozenset(page.address for page in summaries) | {page.mirror for page in summaries}

    def published_documents(self, address: str) -> Iterator[PublishedDocument]:
        for family, match in families_at(address):
            slug = match[1] if family.parameter else ""
            subject = family.one(self.context, slug)
            if subject is not None:
                yield PublishedDocument(family, slug, subject)
            elif slug and (target := family.current_address(self.context, slug)):
                yield from self.published_documents(target)

    def anchors_of(self, address: str) -> set[bytes]:
        """Anchors of the page at an address, or at the address that it redirects to."""
        if address not in self.anchors:
            document = next(self.published_documents(address), None)
            self.anchors[address] = anchors_in(self.body(document)) if document else set()
        return self.anchors[address]

    def body(self, document: PublishedDocument) -> bytes:
        family = document.family
        render = family.renderer(self.context)
        address = family.address(document.slug)
        return family.document(self.context, address, document.subject, render).body()


def families_at(address: str) -> Iterator[tuple[Family, re.Match[str]]]:
    for family, pattern in address_patterns():
        if match := pattern.fullmatch(address):
            yield family, match


@cache
def address_patterns() -> list[tuple[Family, re.Pattern[str]]]:
    """Return a pattern for each address and each alias of every family."""
    return [
        (family, address_pattern(address))
        for family in FAMILIES
        for address in (family.template, *aliases_of(family.template, family.media_type))
    ]


def address_pattern(template: str) -> re.Pattern[str]:
    before, brace, rest = template.partition("{")
    after = rest.partition("}")[2]
    return re.compile(re.escape(before) + (SLUG_GROUP if brace else "") + re.escape(after))
