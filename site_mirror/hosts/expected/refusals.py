"""Expectations of methods that write, of OPTIONS, and of requests for another site."""

from collections.abc import Iterator

from site_mirror.hosts import responses
from site_mirror.hosts.capabilities import Capability
from site_mirror.hosts.expected.addresses import expected_error_body
from site_mirror.hosts.expected.expectation import (
    EMPTY_BODY,
    AnyBody,
    Expectation,
    make_request,
    needs_of,
)
from site_mirror.hosts.http_client import HostRequest
from site_mirror.hosts.release import ServedRelease

WRITING_METHODS = ("POST", "PUT", "PATCH", "DELETE", "PROPFIND")
WRONG_HOST = "not-this-site.example"
PREFLIGHT_HEADERS = {
    "Origin": "https://elsewhere.example",
    "Access-Control-Request-Method": "GET",
    "Access-Control-Request-Headers": "if-none-match",
}
PREFLIGHT_FORMS = (
    PREFLIGHT_HEADERS,
    PREFLIGHT_HEADERS | {"Access-Control-Request-Method": "DELETE"},
)


def expectations(release: ServedRelease) -> Iterator[Expectation]:
    for address in release.by_address:
        yield expect_method_refused(release, address, "POST")
        yield expect_preflight(release, address, {})
    for entry in release.examples:
        for form in (f"/{entry.address}", f"{entry.address}//"):
            yield expect_preflight(release, form, PREFLIGHT_HEADERS)
    examples = (entry.address for entry in release.examples)
    for address in (*examples, "/nothing-here", "/api/v1/nothing"):
        for method in WRITING_METHODS:
            yield expect_method_refused(release, address, method)
        for headers in PREFLIGHT_FORMS:
            yield expect_preflight(release, address, headers)
    yield from expect_wrong_host(release)


def expect_method_refused(release: ServedRelease, address: str, method: str) -> Expectation:
    return Expectation(
        needs_of(Capability.METHODS),
        make_request(address, method),
        (405,),
        responses.error_headers(release, address, 405),
        expected_error_body(release, address, 405),
    )


def expect_preflight(release: ServedRelease, address: str, headers: dict[str, str]) -> Expectation:
    request = HostRequest(address, "OPTIONS", headers)
    promised = responses.options_headers(release, address)
    return Expectation(needs_of(Capability.PREFLIGHT), request, (204,), promised, EMPTY_BODY)


def expect_wrong_host(release: ServedRelease) -> Iterator[Expectation]:
    """Expect 400 for requests with the name of another site."""
    api = make_request("/api/v1/apps", host=WRONG_HOST)
    headers = responses.error_headers(release, api.address, 400)
    needs, body = needs_of(Capability.WRONG_HOST), expected_error_body(release, api.address, 400)
    yield Expectation(needs, api, (400,), headers, body)
    for address in ("/", "/nothing-here"):
        request = make_request(address, host=WRONG_HOST)
        yield Expectation(needs, request, (400,), None, AnyBody.NO_PAGE)
