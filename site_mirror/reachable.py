"""The addresses that answer at a moment, judged as the gate `links` of a freeze judges them."""

import re
from collections.abc import Iterator
from datetime import datetime
from functools import cache, cached_property
from typing import Any

from django.conf import settings
from msgspec import Struct

from catalogue import addresses
from catalogue.addresses import Site
from site_mirror.documents import Family, aliases_of
from site_mirror.framing import context_at
from site_mirror.gates import hosts
from site_mirror.gates.examining import anchors
from site_mirror.gates.references import joined, target_of
from site_mirror.registry import FAMILIES, pages

SLUG = "([a-z0-9-]+)"


class PublishedDocument(Struct, frozen=True):
    """The document at an address: its family, the slug in the address, and its subject."""

    family: Family
    slug: str
    subject: Any


class Reachable:
    """Judges links as the gate `links` of a freeze at this moment would."""

    needed = (
        addresses.DOCUMENTATION,
        addresses.VERSIONING_POLICY,
        f"{addresses.PROBLEM_TYPES}#rate-limit-exceeded",
        addresses.PRIVACY_POLICY,
        addresses.HOME,
    )

    def __init__(self, at: datetime) -> None:
        self.context = context_at(Site(settings.SITE_ROOT), at)
        self.others: dict[str, bool] = {}
        self.anchors: dict[str, set[bytes]] = {}

    def fault(self, target: str, page: str, *, image: bool = False) -> str:
        """Why a link or an image on a page must not be published, as the end of a sentence.

        Empty where it may be published.
        """
        root, link = self.context.site.root, target.encode()
        address, name = target_of(link, root.encode()) or joined(link, page.encode())
        if not address and not name:
            return hosts.fault(target, hosts.Site(root))
        where = address.decode("utf-8", "replace") or page
        if not self.publishes(where):
            return f"leads to {where}, where nothing is published"
        if image and not self.publishes_image(where):
            return f"leads to {where}, which is not an image"
        if name and name not in self.anchors_of(where):
            return f"leads to {where}#{name.decode('utf-8', 'replace')}, a place that is not there"
        return ""

    def publishes(self, address: str) -> bool:
        """Whether an address answers, or redirects to one that does."""
        if address in self.pages:
            return True
        if address not in self.others:
            self.others[address] = any(self.published_documents(address))
        return self.others[address]

    def publishes_image(self, address: str) -> bool:
        published = self.published_documents(address)
        return any(found.family.media_type.startswith("image/") for found in published)

    @cached_property
    def pages(self) -> frozenset[str]:
        """Addresses of all pages and mirrors, read in a constant number of queries."""
        listed = list(pages(self.context))
        return frozenset(page.address for page in listed) | {page.mirror for page in listed}

    def published_documents(self, address: str) -> Iterator[PublishedDocument]:
        for family, found in families_at(address):
            slug = found[1] if family.parameter else ""
            subject = family.one(self.context, slug)
            if subject is not None:
                yield PublishedDocument(family, slug, subject)
            elif slug and (today := family.moved(self.context, slug)):
                yield from self.published_documents(today)

    def anchors_of(self, address: str) -> set[bytes]:
        """Anchors of the page at an address, or at the address that it redirects to."""
        if address not in self.anchors:
            found = next(self.published_documents(address), None)
            self.anchors[address] = anchors(self.body(found)) if found else set()
        return self.anchors[address]

    def body(self, found: PublishedDocument) -> bytes:
        family = found.family
        render = family.renderer(self.context)
        address = family.address(found.slug)
        return family.document(self.context, address, found.subject, render).body()


def families_at(address: str) -> Iterator[tuple[Family, re.Match[str]]]:
    for family, pattern in patterns():
        if found := pattern.fullmatch(address):
            yield family, found


@cache
def patterns() -> list[tuple[Family, re.Pattern[str]]]:
    """Addresses of each family, aliases included."""
    return [
        (family, pattern(address))
        for family in FAMILIES
        for address in (family.template, *aliases_of(family.template, family.media_type))
    ]


def pattern(template: str) -> re.Pattern[str]:
    before, brace, rest = template.partition("{")
    after = rest.partition("}")[2]
    return re.compile(re.escape(before) + (SLUG if brace else "") + re.escape(after))
