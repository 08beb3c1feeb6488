"""Bodies of error responses outside the API: a short Markdown text."""

from collections.abc import Iterable
from http import HTTPStatus

from api.problems import DETAILS, problem_title
from catalogue import addresses
from catalogue.addresses import Site

EXPLANATIONS = DETAILS | {
    HTTPStatus.NOT_FOUND: "There is nothing at this address.",
    HTTPStatus.METHOD_NOT_ALLOWED: "This site is read-only. Use GET, HEAD or OPTIONS.",
    HTTPStatus.NOT_ACCEPTABLE: "This page exists as text/html and as text/markdown.",
}


def refusal_body(site: Site, status: HTTPStatus, first: Iterable[str] = ()) -> bytes:
    """Return an explanation and links to entry points: UTF-8 Markdown under 2 kB."""
    links = (
        *first,
        f"[Home page]({site.url(addresses.HOME)})",
        f"[Index for language models]({site.url(addresses.LLMS)})",
        f"[Site map]({site.url(addresses.SITEMAP)})",
        f"[API index]({site.url(addresses.api_address('/'))})",
        f"[API documentation]({site.url(addresses.mirror_of(addresses.DOCUMENTATION))})",
        f"[OpenAPI document]({site.url(addresses.OPENAPI)})",
    )
    items = "\n".join(f"- {link}" for link in links)
    explanation = EXPLANATIONS.get(status, status.description)
    return f"# {int(status)} {problem_title(status)}\n\n{explanation}\n\n{items}\n".encode()


def not_acceptable_body(site: Site, page: str, mirror: str) -> bytes:
    """Return the body for a request that accepts neither representation of a page."""
    forms = (f"[This page as HTML]({site.url(page)})", f"[As Markdown]({site.url(mirror)})")
    return refusal_body(site, HTTPStatus.NOT_ACCEPTABLE, forms)
