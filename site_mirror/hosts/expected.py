"""The responses that a release promises: what parity and `snapshot verify` ask for.

A host serves documents of one media type and scope by the same rules, so every document is
requested in the ways that depend on its own bytes, and one of each kind (an *example*) in the rest.
"""

from collections.abc import Iterator
from datetime import timedelta
from email.utils import parsedate_to_datetime

from msgspec.structs import replace

from api.headers import http_date
from catalogue import addresses
from catalogue.addresses import canonical_path
from site_mirror.documents.headers import VARY_NEGOTIATED
from site_mirror.hosts import responses
from site_mirror.hosts.accept import ACCEPT_TABLE, HTML, NEITHER
from site_mirror.hosts.capabilities import Capability
from site_mirror.hosts.expectation import (
    Expectation,
    ExpectedBody,
    asking,
    body_of_bytes,
    expect_document,
    expect_error,
    expect_moved,
    expect_preflight,
    expect_redirect,
    in_coding,
    not_modified,
    with_head,
)
from site_mirror.hosts.release import ServedRelease, is_page, scope_of
from site_mirror.snapshot.entries import Entry

QUERIES = ("?x=1", "?format=xml&page=2")
OTHER_TYPES = ("application/xml", "image/png;q=0")
EACH_FORM = ("text/html", "text/markdown", "application/json")
"""Values of `Accept` for each page; the first page gets the whole table."""
OTHER_TAG = '"of-something-else"'
DAY = timedelta(days=1)
UNKNOWN_ADDRESSES = (
    *("/nothing-here", "/nothing-here.md", "/blog/nothing/here", "/api", "/api/v1/nothing"),
    *("/blog/years/0000", "/vi/blog/years/9999", "/sitemap-0.xml", "/api/v999/nothing"),
)
"""Another version of the API is among them: its responses do not announce the end of this one."""
FILE_PATHS = ("/manifest.jsonl", "/index.html", "/404.md", "/api/404.json", "/errors/404.md")
SLASH_FORMS = ("/{0}", "{0}//", "{0}/?x=1&y=%2F")
WRITING_METHODS = ("POST", "PUT", "PATCH", "DELETE")
WRONG_HOST = "not-this-site.example"


def expect_everything(release: ServedRelease) -> Iterator[Expectation]:
    """Yield the expectations of `manage.py parity`."""
    yield from expect_manifest(release)
    for entry in release.documents:
        yield from expect_matches(entry)
        yield from expect_moved(release, f"{entry.address.rstrip('/')}/")
        yield expect_preflight(release, entry.address)
        for address in (entry.address, *entry.aliases):
            yield expect_error(release, Capability.METHODS, 405, address, "POST")
        for address in similar_addresses(release, entry):
            yield expect_error(release, Capability.NOT_FOUND, 404, address)
    for redirect in release.redirects:
        yield from (expect_redirect(redirect, query) for query in QUERIES)
    yield from expect_forms_of_pages(release)
    for entry in release.examples:  # Last, because a server that should refuse DELETE may obey.
        yield from expect_example(release, entry)
    for address in UNKNOWN_ADDRESSES:
        yield from with_head(expect_error(release, Capability.NOT_FOUND, 404, address))
    for address in files_without_address(release):
        yield expect_error(release, Capability.NOTHING_ELSE, 404, address)
    for address in ("/", "/nothing-here", "/api/v1/apps"):
        yield expect_error(release, Capability.WRONG_HOST, 400, address, host=WRONG_HOST)
    if health := release.by_address.get(addresses.HEALTH):
        by_any_name = expect_document(health, health.address)
        yield asking(by_any_name, Capability.WRONG_HOST, host=WRONG_HOST)


def expect_manifest(release: ServedRelease) -> Iterator[Expectation]:
    """Yield the expectations that need only a manifest: those of `manage.py snapshot verify`."""
    for entry in release.documents:
        for address in (entry.address, *entry.aliases):
            yield from with_head(expect_document(entry, address))
            for coding in entry.encodings:
                yield in_coding(expect_document(entry, address), coding)
    for redirect in release.redirects:
        yield from with_head(expect_redirect(redirect))
    for address in (*release.removed, *UNKNOWN_ADDRESSES[:1], *UNKNOWN_ADDRESSES[-1:]):
        yield from with_head(expect_error(release, Capability.NOT_FOUND, 404, address))
    for address in ("/nothing-here", "/api/v1/nothing"):
        yield expect_error(release, Capability.METHODS, 405, address, "POST")


def expect_not_modified(expected: Expectation) -> Iterator[Expectation]:
    """Expect 304 for the validators of a response."""
    yield not_modified(expected, Capability.ETAG_CONDITIONS, if_none_match=expected.headers["ETag"])
    if moment := expected.headers.get("Last-Modified"):
        yield not_modified(expected, Capability.DATE_CONDITIONS, if_modified_since=moment)


def expect_matches(entry: Entry) -> Iterator[Expectation]:
    """Expect 304 for the validators of a document and of its variants."""
    plain = expect_document(entry, entry.address)
    for matching in expect_not_modified(plain):
        yield from with_head(matching)
    for coding in entry.encodings:
        yield from expect_not_modified(in_coding(plain, coding))
        # Each variant has a tag of its own, so that of a variant does not match the plain bytes.
        own = coding.headers["ETag"]
        yield asking(plain, Capability.ETAG_CONDITIONS, if_none_match=own)


def expect_conditions(release: ServedRelease, entry: Entry) -> Iterator[Expectation]:
    """Expect what each condition of a request leads to (RFC 9110, section 13)."""
    plain = expect_document(entry, entry.address)
    tag, moment = entry.headers["ETag"], entry.headers.get("Last-Modified")
    by_tag, by_date = Capability.ETAG_CONDITIONS, Capability.DATE_CONDITIONS
    failing = [{"if_match": OTHER_TAG}]
    # `If-None-Match` compares weakly (section 8.8.3.2), because the bytes are only read.
    for tags in (f"{OTHER_TAG}, {tag}", f"W/{tag}", "*"):
        yield not_modified(plain, by_tag, if_none_match=tags)
    yield asking(plain, by_date, if_modified_since="yesterday")  # not a date, so ignored
    if moment:
        before, after = (http_date(parsedate_to_datetime(moment) + each) for each in (-DAY, DAY))
        # A server must ignore the date beside a tag.
        yield asking(plain, by_tag, if_none_match=OTHER_TAG, if_modified_since=moment)
        for since in (before, after):  # After a rollback, a later date names other bytes.
            yield asking(plain, by_date, if_modified_since=since)
        failing.append({"if_unmodified_since": before})
    for matching in (tag, "*"):
        yield asking(plain, Capability.PRECONDITIONS, if_match=matching)
    for each in failing:
        failed = expect_error(release, Capability.PRECONDITIONS, 412, entry.address, **each)
        yield replace(failed, needs=failed.needs | plain.needs)


def expect_example(release: ServedRelease, entry: Entry) -> Iterator[Expectation]:
    """Expect responses that depend on the kind of a document."""
    address, plain = entry.address, expect_document(entry, entry.address)
    yield from expect_conditions(release, entry)
    yield asking(plain, Capability.NO_RANGES, range="bytes=0-9")
    for query in QUERIES:
        yield expect_document(entry, address, query)
    for accept in () if is_page(entry) else OTHER_TYPES:
        yield asking(plain, accept=accept)
    for coding in entry.encodings:
        yield from with_head(in_coding(plain, coding))
    for preferred in entry.encodings[:1]:
        yield in_coding(plain, preferred, "gzip, deflate, br")
    yield asking(plain, accept_encoding="br;q=0, gzip;q=0")
    for method in WRITING_METHODS:
        yield expect_error(release, Capability.METHODS, 405, address, method)
    for form in ("/{0}", "{0}//"):
        yield expect_preflight(release, form.format(address))
    for form in SLASH_FORMS:  # `%2F` must stay encoded: decoded, it would be another query.
        yield from expect_moved(release, form.format(address.rstrip("/")))


def expect_forms_of_pages(release: ServedRelease) -> Iterator[Expectation]:
    """Expect each page as HTML, as Markdown or as 406, by `Accept`."""
    for number, address in enumerate(release.mirrors):
        page, mirror = release.by_address[address], release.mirrors[address]
        for accept in EACH_FORM if number else ACCEPT_TABLE:
            yield from with_head(expect_form(release, page, mirror, accept))
        negotiated = expect_form(release, page, mirror, "text/markdown")
        yield from expect_not_modified(negotiated)
        yield from (in_coding(negotiated, coding) for coding in mirror.encodings)


def expect_form(release: ServedRelease, page: Entry, mirror: Entry, accept: str) -> Expectation:
    plain = asking(expect_document(page, page.address), accept=accept)
    if ACCEPT_TABLE[accept] == HTML:
        return plain
    negotiated = replace(plain, needs=plain.needs | {Capability.NEGOTIATION})
    if ACCEPT_TABLE[accept] == NEITHER:
        scope = scope_of(page.address)
        body = responses.not_acceptable_text(release, scope, page.address, mirror.address)
        length = {"Content-Length": str(len(body))}
        headers = responses.not_acceptable_headers(release, scope) | length
        return replace(negotiated, status=406, headers=headers, body=body_of_bytes(body))
    return replace(
        negotiated,
        headers={**mirror.headers, **VARY_NEGOTIATED, "Content-Location": mirror.address},
        body=ExpectedBody(mirror.size, mirror.sha256),
    )


def similar_addresses(release: ServedRelease, entry: Entry) -> Iterator[str]:
    """Yield unknown addresses that differ slightly from a published one."""
    redirects = {redirect.address for redirect in release.redirects}
    for address in (f"{entry.address}~", canonical_path(entry.address.upper())):
        if address not in release.by_address and address not in redirects:
            yield address


def files_without_address(release: ServedRelease) -> Iterator[str]:
    """Yield paths of files in the release that are not addresses."""
    files = (f"/{file}" for entry in release.documents for file in entry.files)
    known = release.by_address
    yield from (path for path in dict.fromkeys((*files, *FILE_PATHS)) if path not in known)
