"""The site map has all pages once, with their translations and the moments of their changes."""

from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
import xmlschema

from site_mirror.machine import sitemap
from site_mirror.registry.contexts import context_at
from site_mirror.registry.table import FAMILIES
from tests import factories
from tests.freeze.live_requests import ask
from tests.pages.page_reader import SITE, list_pages, make_page_summary, read_document

HERE = Path(__file__).parent
URLSET = xmlschema.XMLSchema11(HERE / "sitemap.xsd")
INDEX = xmlschema.XMLSchema11(HERE / "siteindex.xsd")
NAMES = {"s": "http://www.sitemaps.org/schemas/sitemap/0.9", "x": "http://www.w3.org/1999/xhtml"}


def locations(xml: str) -> list[str]:
    return [str(found.text) for found in ET.fromstring(xml).iterfind(".//s:loc", NAMES)]  # noqa: S314


def read_entries(xml: str) -> Iterator[tuple[str, str | None, dict[str, str]]]:
    """Yield the address, the date and the alternates of each page."""
    for url in ET.fromstring(xml).iterfind("s:url", NAMES):  # noqa: S314
        links = url.iterfind("x:link", NAMES)
        alternates = {link.attrib["hreflang"]: link.attrib["href"] for link in links}
        yield (
            str(url.findtext("s:loc", None, NAMES)),
            url.findtext("s:lastmod", None, NAMES),
            alternates,
        )


def test_every_page_is_in_the_site_map_once_and_nothing_else_is(shipped_site: None) -> None:
    text = read_document("/sitemap.xml")
    context = context_at(SITE, datetime.now(UTC))
    pages = [family for family in FAMILIES if "text/html" in family.media_type]
    html = {SITE.url(found.address) for family in pages for found in family.documents(context)}

    URLSET.validate(text)
    assert Counter(locations(text)) == Counter(html)


def test_both_translations_of_a_page_list_each_other_and_english_as_default(
    shipped_site: None,
) -> None:
    factories.make_post(slug="in-english")
    untranslated = {SITE.url(page.address) for page in list_pages() if not page.twin}
    found = {address: links for address, _, links in read_entries(read_document("/sitemap.xml"))}

    assert untranslated
    assert {address for address, links in found.items() if not links} == untranslated
    for address in found.keys() - untranslated:
        alternates = found[address]
        assert list(alternates) == ["en", "vi", "x-default"]
        assert alternates["x-default"] == alternates["en"]
        assert address in (alternates["en"], alternates["vi"])
        assert found[alternates["en"]] == found[alternates["vi"]] == alternates


def test_posts_and_apps_have_the_moment_of_their_last_change_and_others_none(
    shipped_site: None,
) -> None:
    dates = {address: day for address, day, _ in read_entries(read_document("/sitemap.xml"))}
    parts = {
        address: address.removeprefix(f"{SITE.root}/").removeprefix("vi/") for address in dates
    }

    dated = {address for address, day in dates.items() if day}
    assert dated == {a for a, part in parts.items() if part.startswith(("apps/", "blog/"))}
    moments = [datetime.fromisoformat(moment) for moment in dates.values() if moment]
    assert max(moments) <= datetime.now(UTC)
    assert {moment.utcoffset() for moment in moments} == {timedelta(hours=7)}
    shipped = dates[f"{SITE.root}/blog/breathing-at-six-per-minute"]
    assert shipped == "2026-10-26T09:00:00+07:00"


def test_an_entry_of_the_site_map_has_whole_seconds_and_an_escaped_address() -> None:
    moment = datetime.fromisoformat("2026-04-01T03:00:00.250+07:00")
    text = sitemap.sitemap_xml(SITE, [make_page_summary("/a&b", changed=moment)])

    assert b"<lastmod>2026-04-01T03:00:00+07:00</lastmod>" in text
    assert b"<loc>https://studio.example/a&amp;b</loc>" in text


def test_the_site_map_is_one_file_up_to_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    assert sitemap.MAX_ADDRESSES_IN_FILE == 50_000
    monkeypatch.setattr(sitemap, "MAX_ADDRESSES_IN_FILE", 10)
    listed = [make_page_summary(f"/{number}") for number in range(10)]

    assert sitemap.sitemap_parts(listed) == []
    assert b"<urlset" in sitemap.sitemap_xml(SITE, listed)


def test_the_site_map_is_an_index_of_parts_above_the_limit(
    shipped_site: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sitemap, "MAX_ADDRESSES_IN_FILE", 10)
    index = read_document("/sitemap.xml")
    files = [address.removeprefix(SITE.root) for address in locations(index)]
    parts = [read_document(file) for file in files]

    INDEX.validate(index)
    for part in parts:
        URLSET.validate(part)
    listed = [address for part in parts for address in locations(part)]
    assert [len(locations(part)) for part in parts[:-1]] == [10] * (len(parts) - 1)
    assert Counter(listed) == Counter(SITE.url(page.address) for page in list_pages())
    unlisted = (f"/sitemap-{number}.xml" for number in (0, len(parts) + 1, "x"))
    assert [ask(address).status_code for address in unlisted] == [404] * 3


def test_the_site_map_for_readers_has_every_page_and_its_mirror(shipped_site: None) -> None:
    text = read_document("/sitemap.md")

    for listed in list_pages():
        assert text.count(f"({SITE.url(listed.address)})") == 1
        assert text.count(f"({SITE.url(listed.mirror)})") == 1
