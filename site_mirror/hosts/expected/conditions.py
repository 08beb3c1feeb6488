"""Expectations of conditional requests: 304 and 412 (RFC 9110, section 13)."""

from collections.abc import Iterator, Mapping
from datetime import timedelta
from email.utils import parsedate_to_datetime

from api.headers import http_date
from site_mirror.hosts.capabilities import Capability
from site_mirror.hosts.expected.documents import expect_identity, needs_of_address
from site_mirror.hosts.expected.expectation import (
    EMPTY_BODY,
    AnyBody,
    Expectation,
    Needs,
    make_request,
    with_head,
)
from site_mirror.hosts.release import ServedRelease
from site_mirror.hosts.responses import not_modified_headers
from site_mirror.snapshot.entries import Entry

OTHER_TAG = '"of-something-else"'
DAY = timedelta(days=1)


def expectations(release: ServedRelease) -> Iterator[Expectation]:
    """Expect 304 for the validators of all documents; for the examples, try all conditions."""
    for entry in release.documents:
        for expected in (
            expect_match_by_tag(entry),
            *expect_variant_conditions(entry),
            expect_match_by_date(entry),
        ):
            yield from with_head(expected)
    for entry in release.examples:
        for expected in (*expect_tag_conditions(entry), *expect_date_conditions(entry)):
            yield from with_head(expected)
        yield from expect_preconditions(entry)


def expect_match_by_tag(entry: Entry) -> Expectation:
    tag = entry.headers["ETag"]
    return expect_not_modified(entry, Capability.ETAG_CONDITIONS, entry.headers, if_none_match=tag)


def expect_match_by_date(entry: Entry) -> Expectation:
    moment = entry.headers["Last-Modified"]
    return expect_not_modified(
        entry, Capability.DATE_CONDITIONS, entry.headers, if_modified_since=moment
    )


def expect_not_modified(
    entry: Entry, capability: Capability, headers: Mapping[str, str], **asked: str
) -> Expectation:
    return Expectation(
        needs_of_address(entry, entry.address) | {capability},
        make_request(entry.address, **asked),
        (304,),
        not_modified_headers(headers),
        EMPTY_BODY,
    )


def expect_full_response(entry: Entry, capability: Capability, **asked: str) -> Expectation:
    """Expect the document, because the condition of the request holds."""
    full = expect_identity(entry, entry.address, **asked)
    return Expectation(
        full.needs | {capability}, full.request, full.statuses, full.headers, full.content
    )


def expect_tag_conditions(entry: Entry) -> Iterator[Expectation]:
    tag, moment = entry.headers["ETag"], entry.headers["Last-Modified"]
    for tags in (f"{OTHER_TAG}, {tag}", f"W/{tag}", "*"):
        yield expect_not_modified(
            entry, Capability.ETAG_CONDITIONS, entry.headers, if_none_match=tags
        )
    yield expect_full_response(entry, Capability.ETAG_CONDITIONS, if_none_match=OTHER_TAG)
    yield expect_full_response(
        entry, Capability.ETAG_CONDITIONS, if_none_match=OTHER_TAG, if_modified_since=moment
    )


def expect_variant_conditions(entry: Entry) -> Iterator[Expectation]:
    for coding in entry.encodings:
        headers = {**entry.headers, **coding.headers}
        request_headers = {
            "accept_encoding": coding.encoding,
            "if_none_match": coding.headers["ETag"],
        }
        expected = expect_not_modified(
            entry, Capability.ETAG_CONDITIONS, headers, **request_headers
        )
        yield Expectation(
            expected.needs | {Capability.VARIANTS},
            expected.request,
            expected.statuses,
            expected.headers,
            expected.content,
        )
        yield expect_full_response(
            entry, Capability.ETAG_CONDITIONS, if_none_match=coding.headers["ETag"]
        )


def expect_date_conditions(entry: Entry) -> Iterator[Expectation]:
    changed = parsedate_to_datetime(entry.headers["Last-Modified"])
    capability = Capability.DATE_CONDITIONS
    for since in (http_date(changed - DAY), "yesterday", ""):
        yield expect_full_response(entry, capability, if_modified_since=since)


def expect_preconditions(entry: Entry) -> Iterator[Expectation]:
    tag, changed = entry.headers["ETag"], parsedate_to_datetime(entry.headers["Last-Modified"])
    before, after = http_date(changed - DAY), http_date(changed)
    for tags in (tag, f"{OTHER_TAG}, {tag}", "*"):
        yield expect_full_response(entry, Capability.PRECONDITIONS, if_match=tags)
    yield expect_full_response(entry, Capability.PRECONDITIONS, if_unmodified_since=after)
    yield expect_precondition_failed(
        needs_of_address(entry, entry.address), entry, if_match=OTHER_TAG
    )
    yield expect_precondition_failed(
        needs_of_address(entry, entry.address), entry, if_unmodified_since=before
    )


def expect_precondition_failed(needs: Needs, entry: Entry, **asked: str) -> Expectation:
    request = make_request(entry.address, **asked)
    return Expectation(needs | {Capability.PRECONDITIONS}, request, (412,), None, AnyBody.NO_PAGE)
