"""Links are read with a parser of each format, and resolved as a browser does."""

import pytest

from site_mirror.gates.reading import read_links, target_of

ROOT = "https://studio.example"
HERE = "/blog/here"
TARGETS = {
    "/": ["/", ROOT, f"{ROOT}/", f"{ROOT}?from=here"],
    "/apps": ["/apps"],
    "/apps#x": [f"{ROOT}/apps#x", "/apps?from=/docs#x", "../apps#x"],
    "//apps": [f"{ROOT}//apps"],
    "/a b#đ": ["/a%20b#%C4%91"],
    "/ứng-dụng": ["/ứng-dụng"],
    "/blog/apps": ["apps"],
    "/[x": ["../[x"],
    HERE: ["?page=2", "#top", "#:~:text=a"],
    f"{HERE}#x": ["#x"],
    "": [
        *("", "//studio.example/x", "//[", "https:/x", "HTTP:x", "mailto:a@studio.example"),
        *("https://studio.example.org/x", "https://studio.example\\x", "https://elsewhere.example"),
    ],
}
"""Links of the page, by their targets; links to other sites have none."""


@pytest.mark.parametrize("target", TARGETS)
def test_a_link_leads_to_an_address_with_an_anchor_or_to_another_site(target: str) -> None:
    assert {target_of(link, HERE, ROOT) for link in TARGETS[target]} == {target}


@pytest.mark.parametrize(
    ("media_type", "text", "links"),
    [
        ("text/html; charset=utf-8", '<a class="x" href="/a&#x2F;b?c&amp;d">it</a>', ["/a/b?c&d"]),
        ("text/html", '<img alt="x" src="x.svg"><link rel=x href=/y>', ["x.svg", "/y"]),
        ("text/html", '<img src=/a srcset="/b 640w, /c 1600w">', ["/a", "/b", "/c"]),
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
        ("text/plain", f"Sitemap: {ROOT}/y.xml\n# (see {ROOT}/x).", [f"{ROOT}/y.xml", f"{ROOT}/x"]),
        (
            "application/json",
            f'{{"self":"{ROOT}/x","more":["{ROOT}/y#z"]}}',
            [f"{ROOT}/x", f"{ROOT}/y#z"],
        ),
        ("application/json", f'{{"a":"See {ROOT}/x","b":"/x","c":"{ROOT}/x y"}}', []),
        ("application/json", f'{{"a":"\\"{ROOT}/x\\"","b":"\\"{ROOT}/x","c":"{ROOT}/x\\ny"}}', []),
        ("application/json", f'{{"a":"{ROOT}\\\\x"}}', [f"{ROOT}\\x"]),
        ("application/xml", f"<url><loc>{ROOT}/x?a&amp;b</loc></url>", [f"{ROOT}/x?a&b"]),
        (
            "application/atom+xml",
            f'<feed><link href="{ROOT}/x"/><content>&lt;a href="/y"&gt; {ROOT}/z</content></feed>',
            [f"{ROOT}/x"],
        ),
        ("text/css", 'a { b: url("/x.svg") } c { b: url(y.svg) }', ["/x.svg", "y.svg"]),
        ("image/svg+xml", '<a href="/x"/>', []),
    ],
)
def test_links_are_found_and_other_texts_are_not(
    media_type: str, text: str, links: list[str]
) -> None:
    assert read_links(media_type, text.encode()) == links
