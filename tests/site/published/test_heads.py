"""What the head of every page says of it to programs."""

from collections import Counter

from tests.site.published.faults import none_in
from tests.site.published.release import ROOT, Page, Release

ONCE = (
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


def test_every_page_has_one_of_each_of_its_parts(release: Release) -> None:
    counts = {
        page.address: {part: len(page.all(part)) for part in ONCE}
        for page in release.pages.values()
    }

    assert counts
    assert {a: found for a, found in counts.items() if set(found.values()) != {1}} == {}


def test_every_page_is_in_the_language_that_its_address_and_its_header_say(
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

    assert {said: count for said, count in titles.items() if count > 1 or not said[1]} == {}
    assert {said: count for said, count in summaries.items() if count > 1 or not said[1]} == {}


def hreflang(page: Page) -> dict[str, str]:
    nodes = page.all('link[rel="alternate"][hreflang]')
    return {str(node.attributes["hreflang"]): str(node.attributes["href"]) for node in nodes}


def twin(page: Page) -> str:
    """The address in the other language: `/` ↔ `/vi`, `/blog/x` ↔ `/vi/blog/x`."""
    if page.in_vietnamese:
        return page.address.removeprefix("/vi") or "/"
    return "/vi" if page.address == "/" else f"/vi{page.address}"


def alternates(page: Page, release: Release) -> dict[str, str]:
    """What a page has to name: both languages, and English for everyone else, if there are two."""
    if twin(page) not in release.pages:
        return {}
    english, vietnamese = sorted((page.address, twin(page)), key=lambda a: a.startswith("/vi"))
    return {"en": ROOT + english, "vi": ROOT + vietnamese, "x-default": ROOT + english}


def test_every_page_names_itself_and_its_twin_as_its_languages(release: Release) -> None:
    pages = release.pages.values()
    expected = {page.address: alternates(page, release) for page in pages}

    assert any(expected.values())
    assert {page.address: hreflang(page) for page in pages} == expected


def open_graph(page: Page) -> dict[str, str]:
    nodes = page.all('meta[property^="og:"]')
    return {str(node.attributes["property"])[3:]: str(node.attributes["content"]) for node in nodes}


def test_every_page_tells_what_a_shared_link_shows(release: Release) -> None:
    missing = {
        page.address: [name for name in OPEN_GRAPH if not open_graph(page).get(name)]
        for page in release.pages.values()
    }

    none_in(missing)


def test_a_shared_link_says_what_its_page_says(release: Release) -> None:
    for page in release.pages.values():
        said = open_graph(page)
        image = said["image"].removeprefix(ROOT)

        assert said["title"] == page.all("h1")[0].text(strip=True)
        assert said["description"] == page.values('meta[name="description"]', "content")[0]
        assert (said["url"], said["locale"]) == (page.url, LOCALES[page.language])
        assert release.entries[image].media_type.startswith("image/"), page.address


def test_no_page_has_a_style_or_a_script_of_its_own(release: Release) -> None:
    inline = {
        page.address: [
            node.html
            for node in page.all("*")
            if node.tag == "style"
            or (node.tag == "script" and is_a_program(node.attributes))
            or any(name == "style" or name.startswith("on") for name in node.attributes)
            or any((value or "").startswith("javascript:") for value in node.attributes.values())
        ]
        for page in release.pages.values()
    }

    none_in(inline)


def is_a_program(attributes: dict[str, str | None]) -> bool:
    """Data in a script element is none, nor is one that is loaded."""
    return attributes.get("type") != "application/ld+json" and not attributes.get("src")
