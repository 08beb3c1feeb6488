"""Every public route belongs to a family, and the live origin answers every document."""

from pathlib import Path

import pytest
from django.urls import URLPattern, URLResolver, resolve
from django.utils import timezone

from catalogue.addresses import Site
from catalogue.models import AppPicture, PostPicture, TagPicture
from catalogue.texts.localized import LANGUAGES
from site_mirror.documents.context import Context
from site_mirror.documents.family import Document
from site_mirror.machine import sitemap
from site_mirror.registry.contexts import context_at
from site_mirror.registry.table import FAMILIES
from site_mirror.urls import urlpatterns
from tests import factories
from tests.pages.page_reader import render_documents

SITE = Site("https://studio.example")
CATCH_ALLS = {"unknown-endpoint", "unknown-address"}


def context() -> Context:
    return context_at(SITE, timezone.now())


@pytest.fixture
def sitemap_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lower the limits of the site map, so that a small site has one in parts."""
    monkeypatch.setattr(sitemap, "MAX_ADDRESSES_IN_FILE", 10)


def list_public_routes() -> set[str]:
    """Return the routes of the URLconf except those of the admin and the catch-alls."""
    return {
        str(pattern.pattern)
        for pattern in urlpatterns
        if not str(pattern.pattern).startswith("admin") and pattern.name not in CATCH_ALLS
    }


def find_route(address: str) -> str:
    return resolve(address).route


@pytest.fixture
def documents(shipped_site: Path, sitemap_in_parts: None) -> list[Document]:
    """The documents of the shipped content, with a site map in parts and images of each kind."""
    factories.make_image()
    factories.make_image(slug="a-drawing", format="svg")
    factories.make_post(body_en="![a](/images/an-image.webp) ![a](/images/a-drawing.svg)")
    for table in (AppPicture, PostPicture, TagPicture):
        for language in LANGUAGES:
            owner = table.owner.field.related_model.objects.earliest("pk")
            factories.make_picture(table, language=language, owner=owner)
    return list(render_documents(context()))


def test_every_public_route_is_behind_a_document_of_its_family(documents: list[Document]) -> None:
    reached = {
        find_route(address)
        for document in documents
        for address in (document.address, *document.aliases)
    }

    assert list_public_routes() == reached
    assert {family.name for family in FAMILIES} == {document.family for document in documents}


def test_a_url_pattern_is_named_after_its_family_and_only_the_admin_includes_others() -> None:
    names = {
        str(pattern.name).partition("-alias-")[0]
        for pattern in urlpatterns
        if isinstance(pattern, URLPattern) and pattern.name
        if not str(pattern.pattern).startswith("admin/")
    }

    assert names - CATCH_ALLS == {family.name for family in FAMILIES}
    assert len(FAMILIES) == len({family.name for family in FAMILIES})
    assert len(FAMILIES) == len({family.template for family in FAMILIES})
    # The second has the pages of forgotten passwords.
    included = [pattern for pattern in urlpatterns if isinstance(pattern, URLResolver)]
    assert [str(resolver.pattern) for resolver in included] == ["admin/", "admin/"]
