"""The metadata in the head of every page."""

from collections import Counter

from tests.site.published.fault_report import assert_no_faults
from tests.site.published.release import ROOT, SECURITY_HEADERS, Page, Release

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
OPEN_GRAPH = ("title", "type", "url", "image", "description", "site_name", "locale")
LOCALES = {"en": "en_GB", "vi": "vi_VN"}


def test_every_page_has_each_unique_element_once(release: Release) -> None:
    counts = {
        page.address: {part: len(page.all(part)) for part in UNIQUE_ELEMENTS}
        for page in release.pages.values()
    }

    assert counts
    assert {a: numbers for a, numbers in counts.items() if set(numbers.values()) != {1}} == {}


def test_the_language_of_a_page_is_that_of_its_address_and_its_header(
    release: Release,
) -> None:
    languages = {
        page.address: (*page.values("html", "lang"), page.entry.headers["Content-Language"])
        for page in release.pages.values()
    }

    expected = {page.address: (page.language,) * 2 for page in release.pages.values()}
    assert languages == expected


def test_every_page_is_its_own_canonical_page(release: Release) -> None:
    canonical = {
        page.address: page.values('link[rel="canonical"]', "href")
        for page in release.pages.values()
    }

    assert canonical == {page.address: [page.url] for page in release.pages.values()}


def test_every_page_links_to_its_mirror_in_its_head_and_in_its_headers(release: Release) -> None:
    for page in release.pages.values():
        (alternate,) = page.values('link[rel="alternate"][type="text/markdown"]', "href")
        header = page.entry.headers["Link"]

        assert alternate.removeprefix(ROOT) == page.mirror
        assert header.count('rel="alternate"; type="text/markdown"') == 1, page.address
        assert f'<{page.mirror}>; rel="alternate"; type="text/markdown"' in header
        assert release.entries[page.mirror].media_type == "text/markdown; charset=utf-8"


def test_every_mirror_names_its_page_as_the_canonical_one(release: Release) -> None:
    links = {
        page.address: release.entries[page.mirror].headers["Link"]
        for page in release.pages.values()
    }

    assert links == {
        page.address: f'<{page.url}>; rel="canonical"' for page in release.pages.values()
    }


def test_no_two_pages_of_a_language_have_the_same_title_or_the_same_summary(
    release: Release,
) -> None:
    pages = release.pages.values()
    titles = Counter((page.language, page.all("title")[0].text(strip=True)) for page in pages)
    summaries = Counter(
        (page.language, text.strip())
        for page in pages
        for text in page.values('meta[name="description"]', "content")
    )

    assert {text: count for text, count in titles.items() if count > 1 or not text[1]} == {}
    assert {text: count for text, count in summaries.items() if count > 1 or not text[1]} == {}


def read_alternates(page: Page) -> dict[str, str]:
    nodes = page.all('link[rel="alternate"][hreflang]')
    return {str(node.attributes["hreflang"]): str(node.attributes["href"]) for node in nodes}


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

    assert any(expected.values())
    assert {page.address: read_alternates(page) for page in pages} == expected


def read_open_graph(page: Page) -> dict[str, str]:
    nodes = page.all('meta[property^="og:"]')
    return {str(node.attributes["property"])[3:]: str(node.attributes["content"]) for node in nodes}


def test_every_page_has_all_properties_of_open_graph(release: Release) -> None:
    missing = {
        page.address: [name for name in OPEN_GRAPH if not read_open_graph(page).get(name)]
        for page in release.pages.values()
    }

    assert_no_faults(missing)


def test_the_properties_of_open_graph_are_those_of_the_page(release: Release) -> None:
    for page in release.pages.values():
        open_graph = read_open_graph(page)
        image = open_graph["image"].removeprefix(ROOT)

        assert open_graph["title"] == page.all("h1")[0].text(strip=True)
        assert open_graph["description"] == page.values('meta[name="description"]', "content")[0]
        assert (open_graph["url"], open_graph["locale"]) == (page.url, LOCALES[page.language])
        assert release.entries[image].media_type.startswith("image/"), page.address


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


def test_only_the_pages_of_the_reference_have_a_script_and_may_run_it(release: Release) -> None:
    policies = {
        page.address: page.entry.headers["Content-Security-Policy"]
        for page in release.pages.values()
    }
    naming = {page.address for page in release.pages.values() if "<script src=" in page.html}
    allowing = {address for address, policy in policies.items() if "script-src" in policy}

    assert naming == allowing == {"/docs/api", "/vi/docs/api", "/docs/api/swagger"}
    assert {policies[address].rpartition("; ")[2] for address in allowing} == {"script-src 'self'"}
    assert [policy for policy in policies.values() if "unsafe" in policy] == []


def test_every_page_has_the_security_headers(release: Release) -> None:
    sent = {page.address: page.entry.headers for page in release.pages.values()}
    faults = {
        address: headers
        for address, headers in sent.items()
        if not headers.items() >= SECURITY_HEADERS.items()
        or not headers["Content-Security-Policy"].startswith("default-src 'none'; ")
        or "Permissions-Policy" not in headers
        or "Set-Cookie" in headers
    }

    assert faults == {}
