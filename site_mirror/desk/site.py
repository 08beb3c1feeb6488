"""The published site at a moment: which documents it has, and where links lead.

Links are judged by the rules of the gates `links` and `hosts` of a freeze.
"""

from datetime import datetime
from functools import cache
from typing import Any

from django.conf import settings
from django.urls import Resolver404, resolve
from django.utils import timezone
from django.utils.translation import gettext
from msgspec import Struct

from catalogue import addresses
from catalogue.addresses import Site
from catalogue.models import Image, Publishable, State
from site_mirror.documents.family import Document, Family
from site_mirror.gates import hosts
from site_mirror.gates.reading import read_page, target_of
from site_mirror.registry.contexts import context_at
from site_mirror.registry.table import FAMILIES_BY_NAME


def seen_from(row: Any, now: datetime | None = None) -> datetime | None:
    """Return the moment from which readers see a row, now at the earliest; `None` for a draft."""
    now = now or timezone.now()
    if not isinstance(row, Publishable):
        return now
    is_published = row.state == State.PUBLISHED and row.publish_at is not None
    return max(row.publish_at, now) if is_published else None  # type: ignore[type-var]


def is_uploaded(address: str) -> bool:
    """Whether there is an image with an address, which readers may not see yet."""
    named = Image.objects.filter(slug__in=addresses.names_of_images(address))
    return any(image.address == address for image in named.only("slug", "format"))


class Found(Struct, frozen=True):
    """What the registry has at an address: a family and the subject of its document."""

    family: Family
    subject: Any


def resolve_document(address: str) -> tuple[Family, str] | None:
    """Return the family of the documents at an address and the slug of one of them."""
    try:
        match = resolve(address, settings.PUBLIC_URLCONF)
    except Resolver404:
        return None
    family = FAMILIES_BY_NAME[str(match.url_name).partition("-alias-")[0]]
    return family, "".join(match.kwargs.values())


class SiteAt:
    """The site at a moment; each address is looked up once."""

    def __init__(self, at: datetime) -> None:
        self.context = context_at(Site(settings.SITE_ROOT), at)
        self.find = cache(self.find_document)
        self.family = cache(self.find_family)
        self.anchors = cache(self.read_anchors)

    def fault(self, target: str, page: str, *, image: bool = False) -> str:
        """Return why a link or an image on a page must not be published, as the end of a sentence.

        The text is empty if it may be published.
        """
        root = self.context.site.root
        where, _, name = target_of(target, page, root).partition("#")
        if not where:
            fault = hosts.host_fault(target, root)  # It is cached, and not yet translated.
            return gettext(fault.replace(root, "%(root)s")) % {"root": root} if fault else ""
        family = self.family(where)
        if family is None and image and where in target and is_uploaded(where):
            return ""  # It becomes public with the text that has its address.
        if family is None:
            return gettext("leads to %(page)s, where nothing is published") % {"page": where}
        if image and not family.media_type.startswith("image/"):
            return gettext("leads to %(page)s, which is not an image") % {"page": where}
        if name and name not in self.anchors(where):
            place = f"{where}#{name}"
            return gettext("leads to %(place)s, a place that is not there") % {"place": place}
        return ""

    def document(self, address: str) -> Document | None:
        """Render the document at an address; `None` if there is none."""
        found = self.find(address)
        return found.family.document(self.context, found.subject) if found else None

    def find_document(self, address: str) -> Found | None:
        """Return what is at an address, or at the address to which it redirects."""
        if (place := resolve_document(address)) is None:
            return None
        family, slug = place
        subject = family.one(self.context, slug)
        if subject is not None:
            return Found(family, subject)
        target = family.current_address(self.context, slug) if slug else None
        return self.find(target) if target else None

    def find_family(self, address: str) -> Family | None:
        """Return the family of what is at an address, without reading it if a row tells."""
        place = resolve_document(address)
        if place and (rows := place[0].rows):
            family, slug = place
            if rows(self.context.at).filter(slug=slug).exists():
                return family
        found = self.find(address) if place else None
        return found.family if found else None

    def read_anchors(self, address: str) -> set[str]:
        document = self.document(address)
        return read_page(document.body()).anchors if document else set()
