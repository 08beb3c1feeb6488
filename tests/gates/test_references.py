"""Links that are read off the bytes of a document: never too little."""

import pytest

from site_mirror.gates.kinds import Kind
from site_mirror.gates.references import WINDOW, Found, found, of_header

ROOT = b"https://studio.example"
HERE = b"/blog/here"


def read(kind: Kind, body: bytes, address: bytes = HERE) -> Found:
    return found(kind, body, ROOT, address)


@pytest.mark.parametrize(
    ("target", "address"),
    [
        (b"/apps", b"/apps"),
        (b"/", b"/"),
        (ROOT, b"/"),
        (ROOT + b"/", b"/"),
        (ROOT + b"?from=here", b"/"),
        (ROOT + b"/apps", b"/apps"),
        (ROOT + b"//apps", b"//apps"),
        (b"/apps?from=here", b"/apps"),
        (b"/apps?from=/docs", b"/apps"),
        (b"/apps&#x2F;x", b"/apps/x"),
        (b"/a%20b", b"/a b"),
        ("/ứng-dụng".encode(), "/ứng-dụng".encode()),
        (b"apps", b"/blog/apps"),
        (b"../apps", b"/apps"),
        (b"?page=2", HERE),
    ],
)
@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (Kind.HTML, b'<a class="x" href="%b">it</a>'),
        (Kind.HTML, b'<img alt="x" src="%b">'),
        (Kind.MARKDOWN, b"See [it](%b)."),
        (Kind.MARKDOWN, b'See [it](<%b> "It").'),
        (Kind.MARKDOWN, b"See [it].\n\n[it]: %b\n"),
        (Kind.MARKDOWN, b"See [it].\n\n[it]:<%b>"),
        (Kind.CSS, b'body { background: url("%b") }'),
        (Kind.CSS, b"body { background: url(%b) }"),
    ],
)
def test_whatever_a_link_may_be_it_leads_to_an_address(
    kind: Kind, text: bytes, target: bytes, address: bytes
) -> None:
    assert read(kind, text % target) == Found({address})


@pytest.mark.parametrize(
    ("rest", "address"),
    [
        (b"", b"/"),
        (b"/", b"/"),
        (b"/apps", b"/apps"),
        (b"//apps", b"//apps"),
        (b"?from=here", b"/"),
        (b"/apps?from=here", b"/apps"),
        (b"/apps&amp;x", b"/apps&x"),
    ],
)
@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (Kind.HTML, b'<meta property="og:url" content="%b">'),
        (Kind.HTML, b'<script type="application/ld+json">{"url":"%b"}</script>'),
        (Kind.JSON, b'{"self":"%b"}'),
        (Kind.MARKDOWN, b"See <%b>."),
        (Kind.XML, b"<loc>%b</loc>"),
        (Kind.XML, b'<link href="%b"/>'),
        (Kind.LINES, b"Sitemap: %b"),
    ],
)
def test_what_begins_with_the_root_leads_to_an_address(
    kind: Kind, text: bytes, rest: bytes, address: bytes
) -> None:
    assert read(kind, text % (ROOT + rest)) == Found({address})


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (
            Kind.HTML,
            b'<a href="https://studio.example.org/x"> <a href="https://elsewhere.example/x">',
        ),
        (Kind.HTML, b'<a href="mailto:a@studio.example"> <a href="">'),
        (Kind.HTML, b'<p title="/x" data-href=x> href= "/x"'),
        (Kind.JSON, b'{"title":"See https://studio.example/x","is":"/x"}'),
        (Kind.JSON, b'{"a":"https://studio.example.org/x"}'),
        (Kind.MARKDOWN, b"[^1]: /x\n\nhttps://elsewhere.example/x <https://studio.example.org/x>"),
        (Kind.CSS, b"url(data:image/png;base64,AA//)"),
        (Kind.OPAQUE, b'href="/x"'),
    ],
)
def test_what_leads_elsewhere_or_is_no_link_counts_for_nothing(kind: Kind, text: bytes) -> None:
    assert read(kind, text) == Found(set())


def test_the_same_link_leads_to_another_address_from_another_page() -> None:
    text = b'<footer><a href="../x">it</a> <a href="#y">it</a></footer>'

    assert read(Kind.HTML, text, b"/vi/blog/here") == Found({b"/vi/x"}, own={b"y"})
    assert read(Kind.HTML, text, b"/docs/here") == Found({b"/x"}, own={b"y"})


def test_places_are_those_of_the_page_itself_or_of_others() -> None:
    text = b'<a href="#a"> <a href="/blog/here#b%20c"> <a href="/apps?x#d"> <a href="x#e">'

    assert read(Kind.HTML, text) == Found(
        {HERE, b"/apps", b"/blog/x"},
        own={b"a", b"b c"},
        fragments={b"/apps#d", b"/blog/x#e"},
    )


def test_in_structured_data_a_name_is_an_identity_and_no_place() -> None:
    text = b'{"@id":"https://studio.example/#studio"}'

    assert read(Kind.HTML, text) == Found({b"/"})
    assert read(Kind.JSON, text) == Found({b"/"}, fragments={b"/#studio"})


@pytest.mark.parametrize(
    "link", [b"//studio.example/x", b"https:/x", b"HTTP:x", b"https:///x", b"https://", b"https:"]
)
def test_a_link_without_a_scheme_or_without_a_host_is_incomplete(link: bytes) -> None:
    assert read(Kind.HTML, b'<a href="%b">' % link) == Found(set(), incomplete=True)
    assert read(Kind.MARKDOWN, b"[text](%b)" % link) == Found(set(), incomplete=True)


@pytest.mark.parametrize("link", [b"https://elsewhere.example", b"mailto:a@b.example"])
def test_a_link_with_its_host_and_an_address_of_mail_are_complete(link: bytes) -> None:
    assert read(Kind.HTML, b'<a href="%b">' % link) == Found(set())


def test_a_long_text_is_read_to_its_end() -> None:
    lines = [b"- [it](/blog/%d)" % number for number in range(WINDOW // 8)]

    assert len(read(Kind.MARKDOWN, b"\n".join(lines)).addresses) == len(lines)


def test_a_header_has_links_in_brackets() -> None:
    value = '</blog/x.md>; rel="alternate", <https://studio.example/x?y>, <https://x.example/>'

    assert of_header(value, ROOT) == {b"/blog/x.md", b"/x"}
