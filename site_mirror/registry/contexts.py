"""Read the context of a moment from the catalogue."""

from datetime import datetime

from catalogue import questions
from catalogue.addresses import Site
from catalogue.texts.localized import LANGUAGES
from site_mirror.documents.context import Context
from site_mirror.pages.frame import Frame


def context_at(site: Site, at: datetime) -> Context:
    """Return the context of a moment for requests, to whose responses a middleware adds headers."""
    studio = questions.studio(at).values_list("name", flat=True).first() or ""
    standing = frozenset(
        (language, slug)
        for language in LANGUAGES
        for slug in questions.standing_pages(at, language=language).values_list("slug", flat=True)
    )
    frames = {
        language: Frame(site=site, language=language, studio=studio, standing=standing)
        for language in LANGUAGES
    }
    return Context(site=site, at=at, frames=frames)
