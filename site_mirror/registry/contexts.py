"""Read the context of a moment from the catalogue."""

from datetime import datetime

from catalogue import questions
from catalogue.addresses import Site
from catalogue.models import Studio
from catalogue.texts.localized import LANGUAGES
from site_mirror.documents.context import Context
from site_mirror.pages.frame import Frame


def context_at(site: Site, at: datetime) -> Context:
    """Return the context of a moment for requests, to whose responses a middleware adds headers."""
    name, email, github = Studio.objects.values_list("name", "email", "github").first() or ("",) * 3
    standing = frozenset(
        (language, slug)
        for slug, *bodies in questions.standing_pages(at).values_list("slug", *questions.TEXTS)
        for language, body in zip(LANGUAGES, bodies, strict=True)
        if body
    )
    frames = {
        language: Frame(site, language, name, standing, email, github) for language in LANGUAGES
    }
    return Context(site=site, at=at, frames=frames)
