"""What every page says of its subject in JSON-LD, in the terms of schema.org."""

import json
from collections.abc import Iterator
from typing import Any

from tests.site.published.faults import none_in
from tests.site.published.release import ROOT, Page, Release

Thing = dict[str, Any]
REQUIRED = {
    "Organization": ("name", "url"),
    "SoftwareApplication": ("name", "url", "applicationCategory", "operatingSystem"),
    "BlogPosting": ("headline", "datePublished", "author", "url", "inLanguage", "image"),
    "BreadcrumbList": ("itemListElement",),
    "ListItem": ("position", "name", "item"),
}
LONGEST_HEADLINE = 110
"""Characters of a headline that search engines show."""


def top(page: Page) -> list[Thing]:
    """The things that a page describes."""
    described: list[Thing] = []
    for node in page.all('script[type="application/ld+json"]'):
        found = json.loads(node.text())
        described += found if isinstance(found, list) else found.get("@graph", [found])
    return described


def things(value: Any) -> Iterator[Thing]:
    """Every typed object in a value, at any depth."""
    if isinstance(value, list):
        for each in value:
            yield from things(each)
    elif isinstance(value, dict):
        if "@type" in value:
            yield value
        yield from things(list(value.values()))


def wanted(page: Page) -> set[str]:
    """What a page of its kind is about."""
    kinds = {"home": "Organization", "about": "Organization"}
    kinds |= {"app": "SoftwareApplication", "post": "BlogPosting"}
    subject = {kinds[page.kind]} if page.kind in kinds else set()
    return subject | ({"BreadcrumbList"} if page.kind != "home" else set())


def test_every_page_describes_what_it_is_about_and_the_way_to_it(release: Release) -> None:
    found = {page.address: [each["@type"] for each in top(page)] for page in release.pages.values()}

    expected = {page.address: sorted(wanted(page)) for page in release.pages.values()}
    assert {address: sorted(types) for address, types in found.items()} == expected


def test_there_are_pages_of_each_kind(release: Release) -> None:
    found = {name for page in release.pages.values() for name in wanted(page)}

    assert found == REQUIRED.keys() - {"ListItem"}


def test_everything_described_is_in_the_terms_of_schema_org(release: Release) -> None:
    contexts = {each["@context"] for page in release.pages.values() for each in top(page)}

    assert contexts == {"https://schema.org"}


def test_nothing_described_lacks_what_its_type_requires(release: Release) -> None:
    lacking = {
        f"{page.address}: {each['@type']}": [
            name for name in REQUIRED.get(each["@type"], ()) if each.get(name) in (None, "", [])
        ]
        for page in release.pages.values()
        for each in things(top(page))
    }

    assert lacking
    none_in(lacking)


def test_what_a_page_describes_is_itself(release: Release) -> None:
    for page in release.pages.values():
        for each in top(page):
            if each["@type"] in {"SoftwareApplication", "BlogPosting"}:
                assert each["url"] == page.url
                assert each["inLanguage"] == page.language, page.address
                assert each.get("headline", each.get("name")) == page.all("h1")[0].text(strip=True)
                assert len(each.get("headline", "")) <= LONGEST_HEADLINE, page.address


def test_the_way_to_a_page_begins_at_home_and_ends_at_the_page(release: Release) -> None:
    for page in release.pages.values():
        for each in top(page):
            if each["@type"] == "BreadcrumbList":
                steps = each["itemListElement"]
                home = f"{ROOT}/vi" if page.in_vietnamese else f"{ROOT}/"

                assert [step["position"] for step in steps] == list(range(1, len(steps) + 1))
                assert (steps[0]["item"], steps[-1]["item"]) == (home, page.url)
