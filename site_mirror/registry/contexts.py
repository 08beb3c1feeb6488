"""Read the context of a moment from the catalogue."""

from collections.abc import Mapping
from datetime import datetime

from catalogue import questions
from catalogue.addresses import Site
from catalogue.localized import LANGUAGES
from site_mirror.documents.context import Context
from site_mirror.documents.transport import transport_headers
from site_mirror.pages.frame import Frame


def context_at(site: Site, at: datetime, lifecycle: Mapping[str, str] | None = None) -> Context:
    """Return the context of a moment."""
    return Context(
        site=site,
        at=at,
        lifecycle=lifecycle or {},
        frames=build_frames(site, at),
        transport=transport_headers(site),
    )


def build_frames(site: Site, at: datetime) -> dict[str, Frame]:
    studio = questions.studio(at).values_list("name", flat=True).first() or ""
    standing = frozenset(
        (language, slug)
        for language in LANGUAGES
        for slug in questions.standing_pages(at, language=language).values_list("slug", flat=True)
    )
    return {
        language: Frame(site=site, language=language, studio=studio, standing=standing)
        for language in LANGUAGES
    }
