"""Every link is found in the bytes of a document."""

import pytest

from site_mirror.gates.kinds import DocumentKind
from site_mirror.gates.references import WINDOW_BYTES, DocumentLinks, find_links, header_links

ROOT = b"https://studio.example"
HERE = b"/blog/here"


def find_links_in(kind: DocumentKind, body: bytes, address: bytes = HERE) -> DocumentLinks:
    return find_links(kind, body, ROOT, address)


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
        (DocumentKind.HTML, b'<a class="x" href="%b">it</a>'),
        (DocumentKind.HTML, b'<img alt="x" src="%b">'),
        (DocumentKind.MARKDOWN, b"See [it](%b)."),
        (DocumentKind.MARKDOWN, b'See [it](<%b> "It").'),
        (DocumentKind.MARKDOWN, b"See [it].\n\n[it]: %b\n"),
        (DocumentKind.MARKDOWN, b"See [it].\n\n[it]:<%b>"),
        (DocumentKind.CSS, b'body { background: url("%b") }'),
        (DocumentKind.CSS, b"body { background: url(%b) }"),
    ],
)
def test_every_form_of_a_link_is_resolved_to_an_address(
    kind: DocumentKind, text: bytes, target: bytes, address: bytes
) -> None:
    assert find_links_in(kind, text % target) == DocumentLinks({address})


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
        (DocumentKind.HTML, b'<meta property="og:url" content="%b">'),
        (DocumentKind.HTML, b'<script type="application/ld+json">{"url":"%b"}</script>'),
        (DocumentKind.JSON, b'{"self":"%b"}'),
        (DocumentKind.MARKDOWN, b"See <%b>."),
        (DocumentKind.XML, b"<loc>%b</loc>"),
        (DocumentKind.XML, b'<link href="%b"/>'),
        (DocumentKind.LINES, b"Sitemap: %b"),
    ],
)
def test_a_text_that_begins_with_the_site_root_is_a_link(
    kind: DocumentKind, text: bytes, rest: bytes, address: bytes
) -> None:
    assert find_links_in(kind, text % (ROOT + rest)) == DocumentLinks({address})


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (
            DocumentKind.HTML,
            b'<a href="https://studio.example.org/x"> <a href="https://elsewhere.example/x">',
        ),
        (DocumentKind.HTML, b'<a href="mailto:a@studio.example"> <a href="">'),
        (DocumentKind.HTML, b'<p title="/x" data-href=x> href= "/x"'),
        (DocumentKind.JSON, b'{"title":"See https://studio.example/x","is":"/x"}'),
        (DocumentKind.JSON, b'{"a":"https://studio.example.org/x"}'),
        (
            DocumentKind.MARKDOWN,
            b"[^1]: /x\n\nhttps://elsewhere.example/x <https://studio.example.org/x>",
        ),
        (DocumentKind.CSS, b"url(data:image/png;base64,AA//)"),
        (DocumentKind.OPAQUE, b'href="/x"'),
    ],
)
def test_links_to_other_sites_and_other_texts_are_ignored(kind: DocumentKind, text: bytes) -> None:
    assert find_links_in(kind, text) == DocumentLinks(set())


def test_the_same_link_leads_to_another_address_from_another_page() -> None:
    text = b'<footer><a href="../x">it</a> <a href="#y">it</a></footer>'

    assert find_links_in(DocumentKind.HTML, text, b"/vi/blog/here") == DocumentLinks(
        {b"/vi/x"}, own={b"y"}
    )
    assert find_links_in(DocumentKind.HTML, text, b"/docs/here") == DocumentLinks(
        {b"/x"}, own={b"y"}
    )


def test_anchors_of_the_page_and_of_other_pages_are_distinguished() -> None:
    text = b'<a href="#a"> <a href="/blog/here#b%20c"> <a href="/apps?x#d"> <a href="x#e">'

    assert find_links_in(DocumentKind.HTML, text) == DocumentLinks(
        {HERE, b"/apps", b"/blog/x"},
        own={b"a", b"b c"},
        fragments={b"/apps#d", b"/blog/x#e"},
    )


def test_an_identifier_in_structured_data_is_not_an_anchor() -> None:
    text = b'{"@id":"https://studio.example/#studio"}'

    assert find_links_in(DocumentKind.HTML, text) == DocumentLinks({b"/"})
    assert find_links_in(DocumentKind.JSON, text) == DocumentLinks({b"/"}, fragments={b"/#studio"})


@pytest.mark.parametrize(
    "link", [b"//studio.example/x", b"https:/x", b"HTTP:x", b"https:///x", b"https://", b"https:"]
)
def test_a_link_without_a_scheme_or_without_a_host_is_incomplete(link: bytes) -> None:
    assert find_links_in(DocumentKind.HTML, b'<a href="%b">' % link) == DocumentLinks(
        set(), incomplete=True
    )
    assert find_links_in(DocumentKind.MARKDOWN, b"[text](%b)" % link) == DocumentLinks(
        set(), incomplete=True
    )


@pytest.mark.parametrize("link", [b"https://elsewhere.example", b"mailto:a@b.example"])
def test_a_link_with_its_host_and_an_address_of_mail_are_complete(link: bytes) -> None:
    assert find_links_in(DocumentKind.HTML, b'<a href="%b">' % link) == DocumentLinks(set())


def test_a_long_text_is_read_to_its_end() -> None:
    lines = [b"- [it](/blog/%d)" % number for number in range(WINDOW_BYTES // 8)]

    assert len(find_links_in(DocumentKind.MARKDOWN, b"\n".join(lines)).addresses) == len(lines)


def test_a_header_has_links_in_brackets() -> None:
    value = '</blog/x.md>; rel="alternate", <https://studio.example/x?y>, <https://x.example/>'

    assert header_links(value, ROOT) == {b"/blog/x.md", b"/x"}
