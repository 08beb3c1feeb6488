"""No link of any document leads to nothing inside the site, live or frozen."""

from collections import defaultdict
from urllib.parse import unquote, urldefrag, urlsplit

import pytest

from catalogue import addresses
from tests.site.published.exchange import ask
from tests.site.published.faults import none_in
from tests.site.published.links import targets
from tests.site.published.release import ROOT, Release

Links = dict[str, set[str]]
"""Documents by what they lead to."""
TEXTS = ("text/", "application/", "image/svg+xml")
SCHEMES = {"https", "mailto", "data"}
NOWHERE = {f"{ROOT}/api/v1/apps/nope": "the example of a problem"}
"""Addresses that are examples of what does not exist."""


@pytest.fixture(scope="module")
def links(release: Release) -> Links:
    found: Links = defaultdict(set)
    for entry in release.entries.values():
        if entry.media_type.startswith(TEXTS):
            media_type = entry.media_type.partition(";")[0]
            for target in targets(media_type, entry.address, release.text(entry.address)):
                found[target].add(entry.address)
    return found


def inside(links: Links) -> Links:
    return {
        target: sources
        for target, sources in links.items()
        if f"{target}/".startswith(f"{ROOT}/") and target not in NOWHERE
    }


def by_document(faults: Links) -> Links:
    found: Links = defaultdict(set)
    for fault, documents in faults.items():
        for document in sorted(documents):
            found[document].add(fault)
    return found


def path_of(target: str) -> str:
    """What of an address is asked for."""
    return urldefrag(target.removeprefix(ROOT)).url or "/"


@pytest.mark.parametrize("served", ["live", "frozen"])
def test_every_link_inside_the_site_answers_at_once(
    links: Links, served: str, request: pytest.FixtureRequest
) -> None:
    port = request.getfixturevalue(served)
    found = inside(links)
    statuses = {path: ask(port, path).status for path in set(map(path_of, found))}

    assert len(statuses) > 1
    dead = {target: path_of(target) for target in found if statuses[path_of(target)] != 200}
    none_in(by_document({f"{t} ({statuses[path]})": found[t] for t, path in dead.items()}))


def ids(release: Release, address: str) -> set[str]:
    """Parts of a page, or of the page of a mirror, that a link can name."""
    page = release.pages.get(address) or release.pages.get(addresses.mirrored(address))
    return set(page.values("[id]", "id")) if page else set()


def test_every_part_of_a_page_that_a_link_names_is_there(links: Links, release: Release) -> None:
    missing = {
        target: sources
        for target, sources in inside(links).items()
        if (part := unquote(urlsplit(target).fragment))
        and part not in ids(release, urlsplit(target).path or "/")
    }

    assert any("#" in target for target in inside(links))
    none_in(by_document(missing))


def test_every_link_to_elsewhere_is_private(links: Links) -> None:
    elsewhere = links.keys() - inside(links).keys() - NOWHERE.keys()

    assert {target for target in elsewhere if urlsplit(target).scheme not in SCHEMES} == set()


def test_every_page_can_be_reached_from_the_home_page(release: Release) -> None:
    reached, ahead = set(), ["/"]
    while ahead:
        page = release.pages[ahead.pop()]
        reached.add(page.address)
        found = {urlsplit(target).path for target in page.values("body a[href]", "href")}
        ahead += [path for path in found & release.pages.keys() if path not in reached]

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
    leads_to = targets(media_type, "/a/b", text.format(root=ROOT))

    assert leads_to == {f"{ROOT}/{path}" for path in found}
