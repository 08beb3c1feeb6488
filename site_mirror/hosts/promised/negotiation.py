"""Pages: as HTML, as Markdown or not at all, as the request accepts (RFC 9110, section 12.5.1)."""

from collections.abc import Iterator

from site_mirror.hosts import answers
from site_mirror.hosts.abilities import Ability
from site_mirror.hosts.promised.documents import needs, plain
from site_mirror.hosts.promised.promise import (
    NOTHING,
    Content,
    Promise,
    asking,
    both,
    of_bytes,
)
from site_mirror.hosts.release import Release
from site_mirror.negotiation import LONGEST
from site_mirror.snapshot.entries import Entry

HTML, MARKDOWN, NEITHER = "html", "markdown", "neither"
BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8"
SIMPLE = (("text/html", HTML), ("text/markdown", MARKDOWN), ("application/json", NEITHER))
MALFORMED = (
    *(" q=1", ';q="1"', ";q=1e0", ";q=1.0000", ";q=.5", ";q=1.5", ";q=-0", ";q=", ";q", ";q=0.1 5"),
    *(";q=1;q=1", ";q=0;q=1", ";charset", ";a=", ";=a", ";a=b c", ";a = b", ";q =1", ";a=(b)"),
    *("/x", " x", ';a="', ';a="b"c', ';a=b"', ';a="\u00e9"', ";a=\u00e9"),
)
"""Ends that RFC 9110 does not allow after a type."""


def padded(media_type: str, length: int) -> str:
    """A media type with a parameter, so many bytes long."""
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
    (padded("text/markdown", LONGEST), MARKDOWN),
    (padded("text/markdown", LONGEST + 1), HTML),
    (padded("image/png", LONGEST), NEITHER),
    (padded("image/png", LONGEST + 1), HTML),
)
"""Ways to accept, and the representation of a page that answers; the origin decides alike."""


def promises(release: Release) -> Iterator[Promise]:
    for number, page in enumerate(release.by_address[address] for address in release.mirrors):
        mirror = release.mirrors[page.address]
        for accept, wanted in (*SIMPLE, *(() if number else ACCEPTED)):
            yield from both(represented(release, page, mirror, accept, wanted))
        yield from variants(page, mirror)


def represented(release: Release, page: Entry, mirror: Entry, accept: str, wanted: str) -> Promise:
    if wanted == MARKDOWN:
        return markdown(page, mirror, accept)
    if wanted == HTML:
        promise = plain(page, page.address, accept=accept)
        return Promise(
            promise.needs, promise.request, promise.statuses, promise.headers, promise.content
        )
    return unacceptable(release, page, mirror, accept)


def markdown(page: Entry, mirror: Entry, accept: str) -> Promise:
    return Promise(
        needs(page, page.address) | {Ability.NEGOTIATION},
        asking(page.address, accept=accept),
        (page.status,),
        {**mirror.headers, **answers.negotiated(page, mirror)},
        Content(mirror.size, mirror.sha256),
    )


def unacceptable(release: Release, page: Entry, mirror: Entry, accept: str) -> Promise:
    body = answers.not_acceptable(release, page.address, mirror.address)
    length = {"Content-Length": str(len(body))}
    return Promise(
        needs(page, page.address) | {Ability.NEGOTIATION},
        asking(page.address, accept=accept),
        (406,),
        {**answers.not_acceptable_headers(release), **length},
        of_bytes(body),
    )


def variants(page: Entry, mirror: Entry) -> Iterator[Promise]:
    """Markdown by negotiation in a coding, and its 304."""
    able = needs(page, page.address) | {Ability.NEGOTIATION}
    for coding in mirror.encodings:
        asked = {"accept": "text/markdown", "accept_encoding": coding.encoding}
        headers = {**mirror.headers, **coding.headers, **answers.negotiated(page, mirror)}
        yield Promise(
            able | {Ability.VARIANTS},
            asking(page.address, **asked),
            (page.status,),
            headers,
            Content(coding.size, coding.sha256),
        )
    for accept, entry, extra in (
        ("text/markdown", mirror, answers.negotiated(page, mirror)),
        ("text/html", page, {}),
    ):
        yield Promise(
            able | {Ability.ETAG_CONDITIONS},
            asking(page.address, accept=accept, if_none_match=entry.headers["ETag"]),
            (304,),
            answers.not_modified({**entry.headers, **extra}),
            NOTHING,
        )
