"""The structured data of every page: JSON-LD with the terms of schema.org."""

import json
from collections.abc import Iterator
from typing import Any

from tests.pages.published.release import ROOT, Page, Release

Thing = dict[str, Any]
REQUIRED = {
    "Organization": ("name", "url"),
    "SoftwareApplication": ("name", "url", "applicationCategory", "operatingSystem"),
    "BlogPosting": ("headline", "datePublished", "author", "url", "inLanguage", "image"),
    "BreadcrumbList": ("itemListElement",),
    "ListItem": ("position", "name", "item"),
}
MAX_HEADLINE_CHARACTERS = 110
"""The number of characters of a headline that search engines show."""


def read_things(page: Page) -> list[Thing]:
    """Return the objects at the top level of a page's structured data."""
    described: list[Thing] = []
    for node in page.all('script[type="application/ld+json"]'):
        found = json.loads(node.text())
        described += found if isinstance(found, list) else found.get("@graph", [found])
    return described


def walk_things(value: Any) -> Iterator[Thing]:
    """Yield all objects with a type in a value, at any depth."""
    if isinstance(value, list):
        for each in value:
            yield from walk_things(each)
    elif isinstance(value, dict):
        if "@type" in value:
            yield value
        yield from walk_things(list(value.values()))


def expected_types(page: Page) -> set[str]:
    """Return the expected types of a page's objects."""
    kinds = {"home": "Organization", "about": "Organization"}
    kinds |= {"app": "SoftwareApplication", "post": "BlogPosting"}
    subject = {kinds[page.kind]} if page.kind in kinds else set()
    return subject | ({"BreadcrumbList"} if page.kind != "home" else set())


def test_every_page_describes_its_subject_and_its_breadcrumbs(release: Release) -> None:
    expected = {page.address: sorted(expected_types(page)) for page in release.pages.values()}

    assert expected == {
        page.address: sorted(each["@type"] for each in read_things(page))
        for page in release.pages.values()
    }
    assert {name for types in expected.values() for name in types} == REQUIRED.keys() - {"ListItem"}


def test_no_object_lacks_a_property_that_its_type_requires(release: Release) -> None:
    for page in release.pages.values():
        assert {each["@context"] for each in read_things(page)} <= {"https://schema.org"}
        for each in walk_things(read_things(page)):
            required = REQUIRED.get(each["@type"], ())
            lacking = [name for name in required if each.get(name) in (None, "", [])]
            assert lacking == [], f"{page.address}: {each['@type']}"


def test_an_object_describes_its_page(release: Release) -> None:
    for page in release.pages.values():
        for each in read_things(page):
            if each["@type"] in {"SoftwareApplication", "BlogPosting"}:
                assert each["url"] == page.url
                assert each["inLanguage"] == page.language, page.address
                assert each.get("headline", each.get("name")) == page.heading
                assert len(each.get("headline", "")) <= MAX_HEADLINE_CHARACTERS, page.address
            if each["@type"] == "BlogPosting":
                topics = page.all('.byline a[href*="/tags/"]')
                assert each["keywords"] == [topic.text() for topic in topics]
            if each["@type"] == "BreadcrumbList":
                steps = each["itemListElement"]
                home = f"{ROOT}/vi" if page.in_vietnamese else f"{ROOT}/"
                assert [step["position"] for step in steps] == list(range(1, len(steps) + 1))
                assert (steps[0]["item"], steps[-1]["item"]) == (home, page.url)
