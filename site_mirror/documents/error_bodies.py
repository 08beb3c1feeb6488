"""Bodies of error responses outside the API: a short Markdown text, below `/vi/` in Vietnamese."""

from collections.abc import Iterable
from functools import partial
from http import HTTPStatus

from django.utils.translation import override, pgettext

from api.problems import DETAILS, problem_title
from catalogue import addresses
from catalogue.addresses import Site
from catalogue.texts.localized import ENGLISH, VIETNAMESE
from site_mirror.documents.context import Context

REFUSAL_TEXT = "refusal"
"""The context of these texts in the catalogue."""
VIETNAMESE_STATUSES = (
    HTTPStatus.NOT_FOUND,
    HTTPStatus.METHOD_NOT_ALLOWED,
    HTTPStatus.NOT_ACCEPTABLE,
    HTTPStatus.PRECONDITION_FAILED,
)
"""Statuses about a request for a page; those of malformed requests and of faults are in English."""

EXPLANATIONS = DETAILS | {
    HTTPStatus.NOT_FOUND: "There is nothing at this address.",
    HTTPStatus.METHOD_NOT_ALLOWED: "This site is read-only. Use GET, HEAD or OPTIONS.",
    HTTPStatus.NOT_ACCEPTABLE: "This page exists as text/html and as text/markdown.",
}


def has_vietnamese_refusals(context: Context) -> bool:
    """Whether the pages in Vietnamese that refusals link to are published."""
    frame = context.frames[VIETNAMESE]
    return all(frame.has_standing_page(slug) for slug in ("home", "docs-api"))


def refusal_body(
    site: Site, status: HTTPStatus, language: str = ENGLISH, forms: Iterable[tuple[str, str]] = ()
) -> bytes:
    """Return an explanation and links to entry points: UTF-8 Markdown under 2 kB."""
    _ = partial(pgettext, REFUSAL_TEXT)
    documentation = addresses.page_in(language, addresses.DOCUMENTATION)
    links = (
        *forms,
        ("Home page", addresses.page_in(language, addresses.HOME)),
        ("Index for language models", addresses.LLMS),
        ("Site map", addresses.SITEMAP),
        ("API index", addresses.api_address("/")),
        ("API documentation", addresses.mirror_of(documentation)),
        ("OpenAPI document", addresses.OPENAPI),
    )
    with override(language):
        title, explanation = (
            _(problem_title(status)),
            _(EXPLANATIONS.get(status, status.description)),
        )
        items = "".join(f"- [{_(label)}]({site.url(address)})\n" for label, address in links)
    return f"# {int(status)} {title}\n\n{explanation}\n\n{items}".encode()


def not_acceptable_body(site: Site, page: str, mirror: str, language: str) -> bytes:
    """Return the body for a request that accepts neither representation of a page."""
    forms = (("This page as HTML", page), ("As Markdown", mirror))
    return refusal_body(site, HTTPStatus.NOT_ACCEPTABLE, language, forms)
