"""All links of all documents to the site lead to documents, live and frozen."""

from collections import defaultdict
from http.client import HTTPConnection
from urllib.parse import unquote, urldefrag, urlsplit

import pytest

from catalogue import addresses
from tests.site.published.document_links import find_targets
from tests.site.published.fault_report import assert_no_faults
from tests.site.published.release import ROOT, Release

Links = dict[str, set[str]]
"""The documents that link to each target."""
TEXT_TYPES = ("text/", "application/", "image/svg+xml")
EXTERNAL_SCHEMES = {"https", "mailto", "data"}
EXAMPLE_ADDRESSES = {f"{ROOT}/api/v1/apps/nope": "the example of a problem"}
"""Addresses that documents name as examples of unknown ones."""


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


def path_of(target: str) -> str:
    """Return the path and the query of an address, without its fragment."""
    return urldefrag(target.removeprefix(ROOT)).url or "/"


def ask_for_status(port: int, path: str) -> int:
    connection = HTTPConnection("127.0.0.1", port, timeout=120)
    connection.request("GET", path, headers={"Host": ROOT.removeprefix("http://")})
    status = connection.getresponse().status
    connection.close()
    return status


@pytest.mark.parametrize(
    "server",
    [
        pytest.param("live_port", marks=pytest.mark.exhaustive("asks for every document")),
        "frozen_port",
    ],
)
def test_every_internal_link_leads_to_a_200(
    links: Links, server: str, request: pytest.FixtureRequest
) -> None:
    port = request.getfixturevalue(server)
    found = internal_links(links)
    statuses = {path: ask_for_status(port, path) for path in set(map(path_of, found))}

    assert len(statuses) > 1
    dead = {target: path_of(target) for target in found if statuses[path_of(target)] != 200}
    assert_no_faults(
        group_by_document({f"{t} ({statuses[path]})": found[t] for t, path in dead.items()})
    )


def anchors_of(release: Release, address: str) -> set[str]:
    """Return the ids of a page, or of the page of a mirror."""
    page = release.pages.get(address) or release.pages.get(addresses.page_of_mirror(address))
    return set(page.values("[id]", "id")) if page else set()


def test_every_fragment_of_an_internal_link_exists(links: Links, release: Release) -> None:
    missing = {
        target: sources
        for target, sources in internal_links(links).items()
        if (part := unquote(urlsplit(target).fragment))
        and part not in anchors_of(release, urlsplit(target).path or "/")
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


@pytest.mark.parametrize(
    ("media_type", "text", "found"),
    [
        ("text/html", PAGE, {"1", "2", "3", "a/4#part", "5", "6", "7", "8"}),
        ("text/markdown", TEXT, {"1", "2", "a/3", "4"}),
        ("application/json", '["{root}/1?a=b","{root}/apps/{{appId}}"]', {"1?a=b"}),
        ("application/xml", "<loc>{root}/1?a&amp;b</loc><loc>{root}.example/</loc>", {"1?a&b"}),
        ("text/css", "a {{ b: url('1.svg') }}", {"a/1.svg"}),
    ],
)
def test_every_kind_of_link_is_found(media_type: str, text: str, found: set[str]) -> None:
    targets = find_targets(media_type, "/a/b", text.format(root=ROOT))

    assert targets == {f"{ROOT}/{path}" for path in found}
