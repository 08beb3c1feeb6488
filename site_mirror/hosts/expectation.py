"""An expected response: the answer of a release to one request, made of its manifest."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from catalogue.addresses import canonical_path
from site_mirror.hosts import responses
from site_mirror.hosts.capabilities import Capability
from site_mirror.hosts.http_client import HostRequest
from site_mirror.hosts.release import ServedRelease, scope_of
from site_mirror.snapshot.entries import EncodedFile, Entry, Redirect

Needs = frozenset[Capability]

PREFLIGHT_HEADERS = {
    "Origin": "https://elsewhere.example",
    "Access-Control-Request-Method": "GET",
    "Access-Control-Request-Headers": "if-none-match",
}


class ExpectedBody(Struct, frozen=True):
    size: int
    sha256: str


class Expectation(Struct, frozen=True):
    """A response to a request, and the capabilities without which a host cannot send it."""

    needs: Needs
    request: HostRequest
    status: int
    headers: Mapping[str, str]
    body: ExpectedBody


def body_of_bytes(body: bytes) -> ExpectedBody:
    return ExpectedBody(len(body), hashlib.sha256(body).hexdigest())


EMPTY_BODY = body_of_bytes(b"")


def make_request(address: str, method: str = "GET", **headers: str) -> HostRequest:
    """Return a request; the argument `if_none_match` is the header `If-None-Match`."""
    named = {name.replace("_", "-").title(): value for name, value in headers.items()}
    return HostRequest(address, method, named)


def with_head(expected: Expectation) -> Iterable[Expectation]:
    """Return an expectation of GET, and the same one of HEAD, without a body."""
    request = replace(expected.request, method="HEAD")
    needs = expected.needs | {Capability.HEAD}
    return expected, replace(expected, needs=needs, request=request, body=EMPTY_BODY)


def asking(expected: Expectation, *needs: Capability, **headers: str) -> Expectation:
    """Expect the same answer to the same request with more headers."""
    named = {**expected.request.headers, **make_request("", **headers).headers}
    request = replace(expected.request, headers=named)
    return replace(expected, needs=expected.needs | {*needs}, request=request)


def needs_of_address(entry: Entry, address: str) -> Needs:
    """Return the capabilities without which a host cannot serve a document at an address."""
    aliases = Needs({Capability.ALIASES}) if address in entry.aliases else Needs()
    # A server of files answers a folder with its `index.html`.
    own = {f"/{entry.file}", f"/{entry.file}".removesuffix("index.html")}
    return aliases | Needs({Capability.FILES if address in own else Capability.ADDRESSES})


def expect_document(entry: Entry, address: str, query: str = "") -> Expectation:
    """Expect the document without a coding."""
    return Expectation(
        needs_of_address(entry, address),
        make_request(address + query),
        entry.status,
        entry.headers,
        ExpectedBody(entry.size, entry.sha256),
    )


def in_coding(plain: Expectation, coding: EncodedFile, accepted: str = "") -> Expectation:
    """Expect a coding of the document, which the request accepts."""
    return replace(
        asking(plain, Capability.VARIANTS, accept_encoding=accepted or coding.encoding),
        headers={**plain.headers, **coding.headers},
        body=ExpectedBody(coding.size, coding.sha256),
    )


def not_modified(expected: Expectation, capability: Capability, **conditions: str) -> Expectation:
    """Expect 304 instead, because of a condition."""
    return replace(
        asking(expected, capability, **conditions),
        status=304,
        headers=responses.not_modified_headers(expected.headers),
        body=EMPTY_BODY,
    )


def expect_redirect(redirect: Redirect, query: str = "") -> Expectation:
    return Expectation(
        Needs({Capability.REDIRECTS}),
        make_request(redirect.address + query),
        redirect.status,
        {**redirect.headers, "Location": redirect.location + query},
        EMPTY_BODY,
    )


def expect_error(
    release: ServedRelease,
    capability: Capability,
    status: int,
    address: str,
    method: str = "GET",
    **headers: str,
) -> Expectation:
    """Expect the error of the site or of the API."""
    error = release.error(scope_of(address), status)
    return Expectation(
        Needs({capability}),
        make_request(address, method, **headers),
        status,
        responses.error_headers(release, address, status),
        ExpectedBody(error.size, error.sha256),
    )


def expect_moved(release: ServedRelease, form: str) -> Iterator[Expectation]:
    """Expect the redirect to the canonical form of an address; the query is kept."""
    path, question, query = form.partition("?")
    if canonical_path(path) != path:
        location = release.root + canonical_path(path) + question + query
        headers = responses.moved_headers(release, form)
        headers |= {"Location": location, "Content-Length": "0"}
        needs = Needs({Capability.CANONICAL})
        yield from with_head(Expectation(needs, make_request(form), 308, headers, EMPTY_BODY))


def expect_preflight(release: ServedRelease, address: str) -> Expectation:
    request = HostRequest(address, "OPTIONS", PREFLIGHT_HEADERS)
    headers = responses.options_headers(release, address)
    return Expectation(Needs({Capability.PREFLIGHT}), request, 204, headers, EMPTY_BODY)
