"""Expectations of pages as HTML, as Markdown or as 406 (RFC 9110, section 12.5.1)."""

from collections.abc import Iterator

from site_mirror.hosts import responses
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
from site_mirror.live.negotiation import MAX_ACCEPT_BYTES
from site_mirror.snapshot.entries import Entry

HTML, MARKDOWN, NEITHER = "html", "markdown", "neither"
BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8"
SIMPLE = (("text/html", HTML), ("text/markdown", MARKDOWN), ("application/json", NEITHER))
MALFORMED = (
    *(" q=1", ';q="1"', ";q=1e0", ";q=1.0000", ";q=.5", ";q=1.5", ";q=-0", ";q=", ";q", ";q=0.1 5"),
    *(";q=1;q=1", ";q=0;q=1", ";charset", ";a=", ";=a", ";a=b c", ";a = b", ";q =1", ";a=(b)"),
    *("/x", " x", ';a="', ';a="b"c', ';a=b"', ';a="\u00e9"', ";a=\u00e9"),
)
"""Texts that RFC 9110 does not allow after a type."""


def pad_media_type(media_type: str, length: int) -> str:
    """Return a media type with a parameter that has `length` bytes in all."""
    start = f"{media_type};a="
    return start + "x" * (length - len(start))


ACCEPTED = (
    ("", HTML),
    ("*/*", HTML),
    ("text/*", HTML),
    (BROWSER, HTML),
    ("TEXT/MARKDOWN", MARKDOWN),
    ("text/markdown; charset=utf-8", MARKDOWN),
    ("text/markdown, text/html, */*", MARKDOWN),
    ("text/markdown, text/plain;q=0.9, */*;q=0.8", MARKDOWN),
    ("text/html, text/markdown;q=0.5", HTML),
    ("text/html;q=0.5, text/markdown;q=0.5", MARKDOWN),
    ("text/html;q=0.501, text/markdown;q=0.50", HTML),
    ("text/html;q=0, text/markdown", MARKDOWN),
    ("text/html;q=0, */*", MARKDOWN),
    ("text/markdown;q=0.1, */*;q=0.2", HTML),
    ("text/markdown;q=0.3, text/*;q=0.2, */*", MARKDOWN),
    ("text/markdown;q=0", HTML),
    ("text/markdown;q=0, */*", HTML),
    ("text/html;q=0", MARKDOWN),
    ("text/html;q=0, text/markdown;q=0", NEITHER),
    ("text/html;q=0, image/png", NEITHER),
    ("*/*;q=0", NEITHER),
    ("image/png, application/json;q=0.5", NEITHER),
    ("image/png, text/markdown;q=0", NEITHER),
    (";;", HTML),
    ("text/markdown;q=abc", HTML),
    ("text/markdown;q=7", HTML),
    ("markdown", HTML),
    ("/", HTML),
    (",,,", HTML),
    (", text/markdown,\t,", MARKDOWN),
    ("text/markdown;;q=1;", MARKDOWN),
    ("text/markdown ;\tq=1.", MARKDOWN),
    ("text/markdown;Q=0.500, text/html;q=0.5", MARKDOWN),
    ("text/html;level=1;q=0, text/html, text/markdown;q=0.5", MARKDOWN),
    *((f"text/markdown{wrong}", HTML) for wrong in MALFORMED),
    *(
        (wrong, HTML)
        for wrong in ("*/markdown", "*/html;q=0", "text / markdown", "text/(markdown)")
    ),
    ('"text"/markdown', HTML),
    ('text/markdown;a="x,y"', MARKDOWN),
    ('text/markdown;a="x;q=0"', MARKDOWN),
    ('text/markdown;a="\\",";q=0.5', MARKDOWN),
    ('text/plain;a=",text/markdown,"', NEITHER),
    ('text/plain;a="\\",text/markdown', HTML),
    (pad_media_type("text/markdown", MAX_ACCEPT_BYTES), MARKDOWN),
    (pad_media_type("text/markdown", MAX_ACCEPT_BYTES + 1), HTML),
    (pad_media_type("image/png", MAX_ACCEPT_BYTES), NEITHER),
    (pad_media_type("image/png", MAX_ACCEPT_BYTES + 1), HTML),
)
"""`Accept`, and the representation of a page that is sent; the origin decides alike."""


def expectations(release: ServedRelease) -> Iterator[Expectation]:
    for number, page in enumerate(release.by_address[address] for address in release.mirrors):
        mirror = release.mirrors[page.address]
        for accept, representation in (*SIMPLE, *(() if number else ACCEPTED)):
            yield from with_head(
                expect_representation(release, page, mirror, accept, representation)
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
