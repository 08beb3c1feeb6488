"""Expectations of pages as HTML, as Markdown or as 406 (RFC 9110, section 12.5.1)."""

from collections.abc import Iterator

from site_mirror.hosts import responses
from site_mirror.hosts.accept import ACCEPT_TABLE, HTML, MARKDOWN
from site_mirror.hosts.capabilities import Capability
from site_mirror.hosts.expected.documents import expect_identity, needs_of_address
from site_mirror.hosts.expected.expectation import (
    EMPTY_BODY,
    Expectation,
    ExpectedBody,
    body_of_bytes,
    make_request,
    with_head,
)
from site_mirror.hosts.release import ServedRelease
from site_mirror.snapshot.entries import Entry

FORMS = ("text/html", "text/markdown", "application/json")
"""Values of `Accept` for each page; the first page gets the whole table."""


def expectations(release: ServedRelease) -> Iterator[Expectation]:
    for number, page in enumerate(release.by_address[address] for address in release.mirrors):
        mirror = release.mirrors[page.address]
        for accept in FORMS if number else ACCEPT_TABLE:
            yield from with_head(
                expect_representation(release, page, mirror, accept, ACCEPT_TABLE[accept])
            )
        yield from expect_markdown_variants(page, mirror)


def expect_representation(
    release: ServedRelease, page: Entry, mirror: Entry, accept: str, representation: str
) -> Expectation:
    if representation == MARKDOWN:
        return expect_markdown(page, mirror, accept)
    if representation == HTML:
        expected = expect_identity(page, page.address, accept=accept)
        return Expectation(
            expected.needs,
            expected.request,
            expected.statuses,
            expected.headers,
            expected.content,
        )
    return expect_not_acceptable(release, page, mirror, accept)


def expect_markdown(page: Entry, mirror: Entry, accept: str) -> Expectation:
    return Expectation(
        needs_of_address(page, page.address) | {Capability.NEGOTIATION},
        make_request(page.address, accept=accept),
        (page.status,),
        {**mirror.headers, **responses.negotiation_headers(page, mirror)},
        ExpectedBody(mirror.size, mirror.sha256),
    )


def expect_not_acceptable(
    release: ServedRelease, page: Entry, mirror: Entry, accept: str
) -> Expectation:
    body = responses.not_acceptable_body(release, page.address, mirror.address)
    length = {"Content-Length": str(len(body))}
    return Expectation(
        needs_of_address(page, page.address) | {Capability.NEGOTIATION},
        make_request(page.address, accept=accept),
        (406,),
        {**responses.not_acceptable_headers(release), **length},
        body_of_bytes(body),
    )


def expect_markdown_variants(page: Entry, mirror: Entry) -> Iterator[Expectation]:
    """Expect negotiated Markdown in each coding, and 304 for both representations."""
    needs = needs_of_address(page, page.address) | {Capability.NEGOTIATION}
    for coding in mirror.encodings:
        request_headers = {"accept": "text/markdown", "accept_encoding": coding.encoding}
        headers = {
            **mirror.headers,
            **coding.headers,
            **responses.negotiation_headers(page, mirror),
        }
        yield Expectation(
            needs | {Capability.VARIANTS},
            make_request(page.address, **request_headers),
            (page.status,),
            headers,
            ExpectedBody(coding.size, coding.sha256),
        )
    for accept, entry, extra in (
        ("text/markdown", mirror, responses.negotiation_headers(page, mirror)),
        ("text/html", page, {}),
    ):
        yield Expectation(
            needs | {Capability.ETAG_CONDITIONS},
            make_request(page.address, accept=accept, if_none_match=entry.headers["ETag"]),
            (304,),
            responses.not_modified_headers({**entry.headers, **extra}),
            EMPTY_BODY,
        )
