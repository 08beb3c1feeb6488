"""The machine-readable files: their addresses, their headers and their contents."""

import pytest
from django.utils import timezone

from site_mirror.documents.context import Context
from site_mirror.documents.family import Document
from site_mirror.registry import table
from site_mirror.registry.contexts import context_at
from tests import factories
from tests.freeze.live_requests import ask
from tests.pages.page_reader import SITE

TEXT = "text/plain; charset=utf-8"
MARKDOWN = "text/markdown; charset=utf-8"
XML = "application/xml; charset=utf-8"
FILES = {
    "/llms.txt": TEXT,
    "/llms-full.txt": TEXT,
    "/agent-instructions.md": MARKDOWN,
    "/sitemap.xml": XML,
    "/sitemap.md": MARKDOWN,
    "/robots.txt": TEXT,
    "/.well-known/security.txt": TEXT,
    "/humans.txt": TEXT,
    "/.well-known/api-catalog": "application/linkset+json; "
    'profile="https://www.rfc-editor.org/info/rfc9727"',
    "/.well-known/ai-catalog.json": "application/ai-catalog+json",
    "/blog/feed.xml": "application/atom+xml; charset=utf-8",
    "/blog/feed.json": "application/feed+json",
    "/vi/blog/feed.xml": "application/atom+xml; charset=utf-8",
    "/vi/blog/feed.json": "application/feed+json",
    "/site.webmanifest": "application/manifest+json",
}
FILES_WITHOUT_STUDIO = {
    *("/sitemap.xml", "/sitemap.md", "/robots.txt", "/.well-known/api-catalog"),
}


def make_context() -> Context:
    return context_at(SITE, timezone.now())


def render_files() -> dict[str, Document]:
    """Render the files of these tests, but no other document."""
    context = make_context()
    families = [family for family in table.FAMILIES if family.template in FILES]
    return {found.address: found for family in families for found in family.documents(context)}


def render_bodies() -> dict[str, bytes]:
    return {address: found.body() for address, found in render_files().items()}


@pytest.mark.parametrize("address", FILES)
def test_a_file_has_its_media_type_and_its_validator_for_any_origin(
    address: str, shipped_site: None
) -> None:
    answer = ask(address, HTTP_ORIGIN="https://elsewhere.example")

    headers = answer.headers
    assert (answer.status_code, headers["Content-Type"]) == (200, FILES[address])
    assert headers["ETag"].startswith('"')
    assert headers["Cache-Control"].startswith("max-age=300")
    assert headers["Vary"] == "Accept-Encoding"
    assert headers["Access-Control-Allow-Origin"] == "*"
    assert headers["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert "Set-Cookie" not in headers
    if address != "/llms-full.txt":  # It joins every mirror for each request.
        assert ask(address, HTTP_IF_NONE_MATCH=headers["ETag"]).status_code == 304


def test_without_a_studio_its_files_do_not_exist(db: None) -> None:
    statuses = {address: ask(address).status_code for address in FILES}

    assert statuses == {
        address: 200 if address in FILES_WITHOUT_STUDIO else 404 for address in FILES
    }
    assert render_bodies().keys() == FILES_WITHOUT_STUDIO


def test_a_new_post_is_in_each_file_that_lists_pages(shipped_site: None) -> None:
    factories.make_post(slug="now-shown", publish_at=timezone.now())

    containing = {
        address for address, body in render_bodies().items() if b"/blog/now-shown" in body
    }
    assert containing == {
        "/llms.txt",
        "/llms-full.txt",
        "/sitemap.xml",
        "/sitemap.md",
        "/blog/feed.xml",
        "/blog/feed.json",
    }


def test_a_page_links_to_its_mirror_and_to_what_describes_the_site(shipped_site: None) -> None:
    links = ask("/about").headers["Link"].split(", ")

    assert links == [
        '</about.md>; rel="alternate"; type="text/markdown"',
        '</llms.txt>; rel="describedby"; type="text/plain"',
        '</.well-known/api-catalog>; rel="api-catalog"',
        '</openapi.json>; rel="service-desc"; type="application/json"',
    ]
