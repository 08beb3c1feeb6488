"""All links of all documents to the site lead to documents; the live origin has the same ones."""

import html
import re
from collections import defaultdict
from collections.abc import Iterator
from urllib.parse import unquote, urljoin, urlsplit

import pytest
from markdown_it.token import Token
from selectolax.lexbor import LexborHTMLParser

from catalogue import addresses
from tests.pages.published.fault_report import assert_no_faults
from tests.pages.published.page_words import READER
from tests.pages.published.release import ROOT, Release

Links = dict[str, set[str]]
"""The documents that link to each target."""
TEXT_TYPES = ("text/", "application/", "image/svg+xml")
EXTERNAL_SCHEMES = {"https", "mailto", "data"}
EXAMPLE_ADDRESSES = {f"{ROOT}/api/v1/apps/nope": "the example of a problem"}
"""Addresses that documents name as examples of unknown ones."""
ABSOLUTE_ADDRESS = re.compile(
    re.escape(ROOT) + r"(?![\w.:-])[^\s\"'<>()\[\]{}\\`|,;…]*+(?![{…]|<[^/])", re.IGNORECASE
)
"""An absolute address of the site in a text, but not a template such as `/apps/{appId}`."""
IDENTIFIER = re.compile(r'"@id":\s*"[^"]*"')
STYLE_URL = re.compile(r"url\(\s*[\"']?([^\"')]+)")
ATTRIBUTES = ("href", "src", "cite", "poster", "action", "formaction")


def find_targets(media_type: str, address: str, text: str) -> set[str]:
    """Return the absolute addresses to which a document links; code is not searched."""
    finders = {
        "text/html": targets_of_html,
        "text/markdown": targets_of_markdown,
        "text/plain": targets_of_markdown,
        "text/css": targets_of_style,
    }
    targets = finders.get(media_type, targets_of_text)(text)
    return {urljoin(ROOT + address, target) for target in targets}


def targets_of_html(text: str) -> Iterator[str]:
    tree = LexborHTMLParser(text)
    for node in tree.css("*"):
        for name in ATTRIBUTES:
            if target := node.attributes.get(name):
                yield target
        for candidate in (node.attributes.get("srcset") or "").split(","):
            yield from candidate.split()[:1]
        yield from targets_of_text(node.attributes.get("content") or "")
    for node in tree.css("pre, code"):
        node.decompose()
    for node in tree.css("html"):
        yield from targets_of_text(IDENTIFIER.sub("", node.text(separator="\n")))


def targets_of_markdown(text: str) -> Iterator[str]:
    return targets_of_tokens(READER.parse(text))


def targets_of_tokens(tokens: list[Token]) -> Iterator[str]:
    for token in tokens:
        target = token.attrs.get("href") or token.attrs.get("src")
        if target:
            yield str(target)
        if token.type == "text":
            yield from targets_of_text(token.content)
        yield from targets_of_tokens(token.children or [])


def targets_of_style(text: str) -> Iterator[str]:
    return (found[1] for found in STYLE_URL.finditer(text))


def targets_of_text(text: str) -> Iterator[str]:
    return (found[0].rstrip(".:!?*") for found in ABSOLUTE_ADDRESS.finditer(html.unescape(text)))


@pytest.fixture(scope="module")
def links(release: Release) -> Links:
    found: Links = defaultdict(set)
    for entry in release.entries.values():
        if entry.media_type.startswith(TEXT_TYPES):
            media_type = entry.media_type.partition(";")[0]
            for target in find_targets(media_type, entry.address, release.text(entry.address)):
                found[target].add(entry.address)
    return found


def internal_links(links: Links) -> Links:
    return {
        target: sources
        for target, sources in links.items()
        if f"{target}/".startswith(f"{ROOT}/") and target not in EXAMPLE_ADDRESSES
    }


def group_by_document(faults: Links) -> Links:
    found: Links = defaultdict(set)
    for fault, documents in faults.items():
        for document in sorted(documents):
            found[document].add(fault)
    return found


def test_every_internal_link_leads_to_a_document(links: Links, release: Release) -> None:
    known = {
        address for entry in release.entries.values() for address in (entry.address, *entry.aliases)
    }
    found = internal_links(links)
    dead = {target: found[target] for target in found if path_of(target) not in known}

    assert len(found) > 100
    assert_no_faults(group_by_document(dead))


def path_of(target: str) -> str:
    return urlsplit(target).path or "/"


def anchors_of(release: Release, address: str) -> set[str]:
    """Return the ids of a page, or of the page of a mirror."""
    page = release.pages.get(address) or release.pages.get(addresses.page_of_mirror(address))
    return set(page.values("[id]", "id")) if page else set()


def test_every_fragment_of_an_internal_link_exists(links: Links, release: Release) -> None:
    missing = {
        target: sources
        for target, sources in internal_links(links).items()
        if (part := unquote(urlsplit(target).fragment))
        and part not in anchors_of(release, path_of(target))
    }

    assert any("#" in target for target in internal_links(links))
    assert_no_faults(group_by_document(missing))


def test_every_external_link_has_an_encrypted_scheme(links: Links) -> None:
    elsewhere = links.keys() - internal_links(links).keys() - EXAMPLE_ADDRESSES.keys()

    assert {
        target for target in elsewhere if urlsplit(target).scheme not in EXTERNAL_SCHEMES
    } == set()


def test_every_page_can_be_reached_from_the_home_page(release: Release) -> None:
    reached, pending = set(), ["/"]
    while pending:
        page = release.pages[pending.pop()]
        reached.add(page.address)
        paths = {urlsplit(target).path for target in page.values("body a[href]", "href")}
        pending += [path for path in paths & release.pages.keys() if path not in reached]

    assert release.pages.keys() - reached == set()


PAGE = """
<head>
  <link href="/1"><meta content="{root}/2">
  <script type="application/ld+json">{{"@id": "{root}/#me", "url": "{root}/3"}}</script>
</head>
<body>
  <a href="4#part">Four</a> <img src="/5" srcset="/6 1x, /7 2x"> Read {root}/8.
  <pre>curl {root}/api/v1/nothing</pre> <code>{root}/apps/{{appId}}</code>
</body>
"""
TEXT = """
[One](/1), <{root}/2>, ![three](3), {root}/4, `{root}/apps/{{appId}}`

```shell
curl {root}/api/v1/nothing
```
"""


FOUND = [
    ("text/html", PAGE, {"1", "2", "3", "a/4#part", "5", "6", "7", "8"}),
    ("text/markdown", TEXT, {"1", "2", "a/3", "4"}),
    ("application/json", '["{root}/1?a=b","{root}/apps/{{appId}}"]', {"1?a=b"}),
    ("application/xml", "<loc>{root}/1?a&amp;b</loc><loc>{root}.example/</loc>", {"1?a&b"}),
    ("text/css", "a {{ b: url('1.svg') }}", {"a/1.svg"}),
]


def test_every_kind_of_link_is_found() -> None:
    for media_type, text, found in FOUND:
        targets = find_targets(media_type, "/a/b", text.format(root=ROOT))
        assert targets == {f"{ROOT}/{path}" for path in found}, media_type
