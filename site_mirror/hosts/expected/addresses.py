"""Expectations of redirects and of unknown addresses."""

from collections.abc import Iterator

from catalogue.addresses import canonical_path
from site_mirror.hosts import responses
from site_mirror.hosts.capabilities import Capability
from site_mirror.hosts.expected.expectation import (
    EMPTY_BODY,
    Expectation,
    ExpectedBody,
    body_of_bytes,
    body_of_problem,
    make_request,
    needs_of,
    with_head,
)
from site_mirror.hosts.release import API_SCOPE, ServedRelease, scope_of

UNKNOWN_ADDRESSES = (
    *("/nothing-here", "/nothing-here.md", "/blog/nothing/here", "/api", "/api/v1/nothing"),
    *("/blog/years/0000", "/blog/years/0001.md", "/vi/blog/years/9999", "/sitemap-0.xml"),
    *("/api/v999", "/api/v999/", "/api/v999/nothing"),
)
"""Another version of the API is among them: its responses do not announce the end of this one."""
FILE_PATHS = ("/manifest.json", "/index.html", "/404.md", "/api/404.json", "/errors/404.md")
FINAL_SLASH = ("{0}/",)
SLASH_FORMS = (*FINAL_SLASH, "/{0}", "{0}//", "{1}//", "{0}/?x=1&y=%2F")
"""An address with extra slashes, as it is (0) and in capital letters (1)."""


def expectations(release: ServedRelease) -> Iterator[Expectation]:
    yield from expect_unknown_addresses(release)
    for file in files_without_address(release):
        yield expect_not_found(release, file, Capability.NOTHING_ELSE)
    for entry in release.documents:
        yield from expect_slash_forms(
            release, entry.address, SLASH_FORMS if entry in release.examples else FINAL_SLASH
        )
    for redirect in release.redirects:
        yield from with_head(
            Expectation(
                needs_of(Capability.REDIRECTS),
                make_request(redirect.address),
                (redirect.status,),
                redirect.headers,
                EMPTY_BODY,
            )
        )


def expect_unknown_addresses(release: ServedRelease) -> Iterator[Expectation]:
    """Expect 404 for addresses that differ slightly from published ones, and for removed ones."""
    known = {*release.by_address, *(redirect.address for redirect in release.redirects)}
    similar = (f"{entry.address}~" for entry in release.documents)
    upper = (canonical_path(entry.address.upper()) for entry in release.documents)
    for address in (*UNKNOWN_ADDRESSES, *similar, *upper, *release.removed):
        if address not in known:
            yield from with_head(expect_not_found(release, address, Capability.NOT_FOUND))


def expect_not_found(release: ServedRelease, address: str, capability: Capability) -> Expectation:
    return Expectation(
        needs_of(capability),
        make_request(address),
        (404,),
        responses.error_headers(release, address, 404),
        expected_error_body(release, address, 404),
    )


def expected_error_body(release: ServedRelease, address: str, status: int) -> ExpectedBody:
    scope = scope_of(address)
    body = release.bodies[scope, status]
    return body_of_problem(body) if scope == API_SCOPE else body_of_bytes(body)


def files_without_address(release: ServedRelease) -> Iterator[str]:
    """Yield paths of files in the release that are not addresses."""
    files = (f"/{file}" for entry in release.documents for file in entry.files)
    known = release.by_address
    yield from (path for path in dict.fromkeys((*files, *FILE_PATHS)) if path not in known)


def expect_slash_forms(
    release: ServedRelease, address: str, forms: tuple[str, ...]
) -> Iterator[Expectation]:
    """Expect redirects from forms of an address with extra slashes; the query is kept."""
    bare = address.rstrip("/")
    for form in (form.format(bare, bare.upper()) for form in forms):
        path, question, query = form.partition("?")
        location = release.root + canonical_path(path) + question + query
        if canonical_path(path) != path:
            yield from with_head(expect_canonical_redirect(release, form, location))


def expect_canonical_redirect(release: ServedRelease, form: str, location: str) -> Expectation:
    headers = responses.location_headers(release, form, location)
    return Expectation(
        needs_of(Capability.CANONICAL), make_request(form), (308,), headers, EMPTY_BODY
    )
