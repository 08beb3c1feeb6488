"""Links are read with a parser of each format, and resolved as a browser does."""

import pytest

from site_mirror.gates.links import DocumentLinks, sort_links
from site_mirror.gates.reading import read_links, target_of

ROOT = "https://studio.example"
HERE = "/blog/here"


@pytest.mark.parametrize(
    ("link", "target"),
    [
        ("/apps", "/apps"),
        ("/", "/"),
        (ROOT, "/"),
        (f"{ROOT}/", "/"),
        (f"{ROOT}?from=here", "/"),
        (f"{ROOT}/apps#x", "/apps#x"),
        (f"{ROOT}//apps", "//apps"),
        ("/apps?from=/docs#x", "/apps#x"),
        ("/a%20b#%C4%91", "/a b#đ"),
        ("/ứng-dụng", "/ứng-dụng"),
        ("apps", "/blog/apps"),
        ("../apps#x", "/apps#x"),
        ("?page=2", HERE),
        ("#x", f"{HERE}#x"),
        ("#top", HERE),
        ("#:~:text=a", HERE),
        ("", ""),
        ("//studio.example/x", ""),
        ("//[", ""),
        ("https:/x", ""),
        ("HTTP:x", ""),
        ("mailto:a@studio.example", ""),
        ("https://studio.example.org/x", ""),
        ("https://studio.example\\x", ""),
        ("https://elsewhere.example/x", ""),
        ("../[x", "/[x"),
    ],
)
def test_a_link_leads_to_an_address_with_an_anchor_or_to_another_site(
    link: str, target: str
) -> None:
    assert target_of(link, HERE, ROOT) == target


@pytest.mark.parametrize(
    ("media_type", "text", "links"),
    [
        ("text/html; charset=utf-8", '<a class="x" href="/a&#x2F;b?c&amp;d">it</a>', ["/a/b?c&d"]),
        ("text/html", '<img alt="x" src="x.svg"><link rel=x href=/y>', ["x.svg", "/y"]),
        ("text/html", f'<meta property="og:url" content="{ROOT}/x">', [f"{ROOT}/x"]),
        (
            "text/html",
            f'<script type="application/ld+json">{{"@id":"{ROOT}/#studio"}}</script>',
            [f"{ROOT}/"],
        ),
        ("text/html", '<!-- <a href="/x"> --><p title="/x" data-href="/x">href="/x"', []),
        ("text/html", "<code>&lt;a href=&quot;/x&quot;&gt;</code><script>'href=\"/x\"'", []),
        ("text/html", "", []),
        ("text/markdown", 'See [a](/a), [b](</b> "B") and ![c](c.svg).', ["/a", "/b", "c.svg"]),
        ("text/markdown", f"See [it], <{ROOT}/b>.\n\n[it]: /a\n", ["/a", f"{ROOT}/b"]),
        ("text/markdown", "`[a](/a)`\n\n```\n[a](/a)\n```\n\n\\[a](/a) /a\n\n[^1]: /x", []),
        ("text/plain", "# A title\n\n[a](/a)", ["/a"]),
        (
            "text/plain",
            f"Sitemap: {ROOT}/sitemap.xml\n# (see {ROOT}/x).",
            [f"{ROOT}/sitemap.xml", f"{ROOT}/x"],
        ),
        (
            "application/feed+json",
            f'{{"self":"{ROOT}/x","more":["{ROOT}/y#z"]}}',
            [f"{ROOT}/x", f"{ROOT}/y#z"],
        ),
        ("application/json", f'{{"a":"See {ROOT}/x","b":"/x","c":"{ROOT}/x y"}}', []),
        ("application/json", f'{{"a":"\\"{ROOT}/x\\"","b":"\\"{ROOT}/x"}}', []),
        ("application/json", f'{{"a":"{ROOT}\\\\x"}}', [f"{ROOT}\\x"]),
        ("application/json", f'{{"a":"{ROOT}/x\\ny"}}', []),
        ("application/xml", f"<url><loc>{ROOT}/x?a&amp;b</loc></url>", [f"{ROOT}/x?a&b"]),
        (
            "application/atom+xml",
            f'<feed><link href="{ROOT}/x"/><content>&lt;a href="/y"&gt; {ROOT}/z</content></feed>',
            [f"{ROOT}/x"],
        ),
        (
            "text/css",
            'a { background: url("/x.svg") } b { background: url(y.svg) }',
            ["/x.svg", "y.svg"],
        ),
        ("image/svg+xml", '<a href="/x"/>', []),
    ],
)
def test_links_are_found_and_other_texts_are_not(
    media_type: str, text: str, links: list[str]
) -> None:
    assert read_links(media_type, text.encode()) == links


def test_the_same_link_leads_to_another_address_from_another_page() -> None:
    links = ["../x", "#y", "/vi/blog/here#z", "https://elsewhere.example/", "x#y"]

    assert sort_links(links, "/vi/blog/here", ROOT) == DocumentLinks(
        targets={"/vi/x", "/vi/blog/x#y"}, outside=[links[3]], anchors={"y", "z"}
    )
    assert sort_links(links, "/docs/here", ROOT) == DocumentLinks(
        targets={"/x", "/vi/blog/here#z", "/docs/x#y"}, outside=[links[3]], anchors={"y"}
    )
