"""The metadata in the head of every page."""

import re
from collections import Counter

from tests.pages.published.fault_report import assert_no_faults
from tests.pages.published.release import ROOT, Page, Release

UNIQUE_ELEMENTS = (
    "html[lang]",
    "head > title",
    "h1",
    "main",
    'meta[name="description"][content]',
    'meta[name="viewport"]',
    'link[rel="canonical"]',
    'link[rel="alternate"][type="text/markdown"]',
)
SECURITY_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "strict-origin-when-cross-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}
"""Headers of every page, beside its policies."""
SCRIPT = re.compile(r'<script src="/assets/([a-z]+)')
SCRIPTS = {"page", "reference", "explorer", "search"}
LOCALES = {"en": "en_GB", "vi": "vi_VN"}


def test_every_page_has_each_unique_element_once(release: Release) -> None:
    assert release.pages
    assert_no_faults(
        {
            page.address: [part for part in UNIQUE_ELEMENTS if len(page.all(part)) != 1]
            for page in release.pages.values()
        }
    )


def test_every_page_names_its_language_and_its_mirror(release: Release) -> None:
    """The gate `mirrors` compares their other links."""
    for page in release.pages.values():
        [language] = page.values("html", "lang")
        headers = page.entry.headers

        assert language == headers["Content-Language"] == page.language, page.address
        assert f'<{page.mirror}>; rel="alternate"; type="text/markdown"' in headers["Link"]
        assert release.entries[page.mirror].media_type == "text/markdown; charset=utf-8"


def test_no_two_pages_of_a_language_have_the_same_title_or_the_same_summary(
    release: Release,
) -> None:
    texts = Counter(
        (page.language, text)
        for page in release.pages.values()
        for text in (page.all("title")[0].text(strip=True), page.summary)
    )

    assert {text: count for text, count in texts.items() if count > 1 or not text[1]} == {}


def twin_address(page: Page) -> str:
    """Return the address in the other language: `/` ↔ `/vi`, `/blog/x` ↔ `/vi/blog/x`."""
    if page.in_vietnamese:
        return page.address.removeprefix("/vi") or "/"
    return "/vi" if page.address == "/" else f"/vi{page.address}"


def expected_alternates(page: Page, release: Release) -> dict[str, str]:
    """Return the alternates of a page in two languages; English is the default."""
    if twin_address(page) not in release.pages:
        return {}
    english, vietnamese = sorted(
        (page.address, twin_address(page)), key=lambda a: a.startswith("/vi")
    )
    return {"en": ROOT + english, "vi": ROOT + vietnamese, "x-default": ROOT + english}


def test_every_page_names_itself_and_its_translation_as_alternates(release: Release) -> None:
    pages = release.pages.values()
    expected = {page.address: expected_alternates(page, release) for page in pages}
    links = 'link[rel="alternate"][hreflang]'

    assert any(expected.values())
    assert expected == {
        page.address: dict(
            zip(page.values(links, "hreflang"), page.values(links, "href"), strict=True)
        )
        for page in pages
    }


def test_the_properties_of_open_graph_are_those_of_the_page(release: Release) -> None:
    for page in release.pages.values():
        nodes = page.all('meta[property^="og:"]')
        found = {str(n.attributes["property"])[3:]: str(n.attributes["content"]) for n in nodes}
        image = found["image"].removeprefix(ROOT)

        assert found["title"] == page.heading
        [title] = page.all("title")
        assert title.text(strip=True) == f"{page.heading} · Plumbline Studio"
        assert found["description"] == page.summary
        assert (found["url"], found["locale"]) == (page.url, LOCALES[page.language])
        assert 50 <= len(page.summary) <= 165, page.address
        twin = LOCALES[{"en": "vi", "vi": "en"}[page.language]]
        has_twin = twin_address(page) in release.pages
        assert found.get("locale:alternate") == (twin if has_twin else None), page.address
        times = page.values('meta[property^="article:"]', "content")
        assert len(times) == (2 if page.kind == "post" else 0), page.address
        assert times == sorted(times)
        assert found["type"] == ("article" if page.kind == "post" else "website"), page.address
        assert found["site_name"] == "Plumbline Studio"
        assert release.entries[image].media_type.startswith("image/"), page.address


def test_a_page_marks_its_place_in_the_navigation_and_an_article_as_such(release: Release) -> None:
    for page in release.pages.values():
        current = page.values('header a[aria-current="page"]', "href")

        assert current in ([], [page.address]), page.address
        assert len(page.all("article")) == (page.kind == "post"), page.address
    assert release.pages["/apps"].all('[aria-current="page"]')
    assert release.pages["/apps/wheria"].values('header [aria-current="true"]', "href") == ["/apps"]


def test_no_page_has_inline_styles_or_scripts(release: Release) -> None:
    inline = {
        page.address: [
            node.html
            for node in page.all("*")
            if node.tag == "style"
            or (node.tag == "script" and is_inline_program(node.attributes))
            or any(name == "style" or name.startswith("on") for name in node.attributes)
            or any((value or "").startswith("javascript:") for value in node.attributes.values())
        ]
        for page in release.pages.values()
    }

    assert_no_faults(inline)


def is_inline_program(attributes: dict[str, str | None]) -> bool:
    """Whether a script element has a program, and not data or the address of a file."""
    return attributes.get("type") != "application/ld+json" and not attributes.get("src")


def test_pages_run_only_scripts_of_the_site(release: Release) -> None:
    policies = {page.entry.headers["Content-Security-Policy"] for page in release.pages.values()}
    scripts = {page.address: {*SCRIPT.findall(page.html)} for page in release.pages.values()}

    (policy,) = policies
    assert "unsafe" not in policy
    assert policy.endswith("; script-src 'self'")
    assert {each for found in scripts.values() for each in found} == SCRIPTS
    assert [address for address, found in scripts.items() if "page" not in found] == []
    with_own = {address.removeprefix("/vi") for address, found in scripts.items() if len(found) > 1}
    assert [page for page in with_own if not page.startswith(("/docs/api", "/search"))] == []


def test_every_page_has_the_security_headers(release: Release) -> None:
    for page in release.pages.values():
        headers = page.entry.headers

        assert headers.items() >= SECURITY_HEADERS.items(), page.address
        assert headers["Content-Security-Policy"].startswith("default-src 'none'; ")
        assert "Permissions-Policy" in headers
        assert "Set-Cookie" not in headers
