"""Every page is in the site map once, with its twin, and with real dates only."""

from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
import xmlschema

from site_mirror import registry
from site_mirror.framing import context_at
from site_mirror.machine import sitemap
from tests import rows
from tests.freeze.asking import ask
from tests.site.reading import SITE, page, pages, served, statuses

HERE = Path(__file__).parent
URLSET = xmlschema.XMLSchema11(HERE / "sitemap.xsd")
INDEX = xmlschema.XMLSchema11(HERE / "siteindex.xsd")
NAMES = {"s": "http://www.sitemaps.org/schemas/sitemap/0.9", "x": "http://www.w3.org/1999/xhtml"}


def locations(xml: str) -> list[str]:
    return [str(found.text) for found in ET.fromstring(xml).iterfind(".//s:loc", NAMES)]  # noqa: S314


def entries(xml: str) -> Iterator[tuple[str, str | None, dict[str, str]]]:
    """Address, date and alternates of each page."""
    for url in ET.fromstring(xml).iterfind("s:url", NAMES):  # noqa: S314
        links = url.iterfind("x:link", NAMES)
        alternates = {link.attrib["hreflang"]: link.attrib["href"] for link in links}
        yield (
            str(url.findtext("s:loc", None, NAMES)),
            url.findtext("s:lastmod", None, NAMES),
            alternates,
        )


@pytest.fixture
def short_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if ten addresses were more than one file holds."""
    monkeypatch.setattr(sitemap, "LIMIT", 10)


def test_the_site_map_is_what_its_schema_wants(shipped_site: None) -> None:
    URLSET.validate(served("/sitemap.xml"))


def test_every_page_is_in_the_site_map_once_and_nothing_else_is(shipped_site: None) -> None:
    documents = registry.documents(context_at(SITE, datetime.now(UTC)))
    html = {SITE.url(found.address) for found in documents if "text/html" in found.media_type}

    assert Counter(locations(served("/sitemap.xml"))) == Counter(html)


def test_every_page_of_the_site_map_answers(shipped_site: None) -> None:
    assert statuses(set(locations(served("/sitemap.xml")))) == {}


def test_both_sides_of_a_pair_list_both_and_english_for_everyone_else(shipped_site: None) -> None:
    found = {address: alternates for address, _, alternates in entries(served("/sitemap.xml"))}
    paired = {address: alternates for address, alternates in found.items() if alternates}

    assert paired
    for address, alternates in paired.items():
        assert list(alternates) == ["en", "vi", "x-default"]
        assert alternates["x-default"] == alternates["en"]
        assert address in (alternates["en"], alternates["vi"])
        assert found[alternates["en"]] == found[alternates["vi"]] == alternates


def test_a_page_in_one_language_has_no_alternates(shipped_site: None) -> None:
    rows.make_post(slug="in-english")
    alone = {SITE.url(page.address) for page in pages() if not page.twin}
    without = {address for address, _, links in entries(served("/sitemap.xml")) if not links}

    assert alone
    assert without == alone


def test_posts_and_apps_have_the_moment_of_their_last_change_and_others_none(
    shipped_site: None,
) -> None:
    dates = {address: day for address, day, _ in entries(served("/sitemap.xml"))}
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


def test_a_moment_is_told_with_its_offset() -> None:
    moment = datetime.fromisoformat("2026-04-01T03:00:00.250+07:00")
    lastmod = b"<lastmod>2026-04-01T03:00:00+07:00</lastmod>"

    assert lastmod in sitemap.xml(SITE, [page(changed=moment)])
    assert b"<lastmod>" not in sitemap.xml(SITE, [page()])


def test_an_address_is_escaped() -> None:
    assert b"<loc>https://studio.example/a&amp;b</loc>" in sitemap.xml(SITE, [page("/a&b")])


def test_up_to_the_limit_there_are_no_parts(short_files: None) -> None:
    listed = [page(f"/{number}") for number in range(10)]

    assert sitemap.parts(listed) == []
    assert b"<urlset" in sitemap.xml(SITE, listed)


def test_the_limit_is_that_of_the_standard() -> None:
    assert sitemap.LIMIT == 50_000


def test_past_the_limit_the_site_map_is_an_index_of_its_parts(
    shipped_site: None, short_files: None
) -> None:
    index = served("/sitemap.xml")

    INDEX.validate(index)
    parts = [served(address.removeprefix(SITE.root)) for address in locations(index)]
    listed = [address for part in parts for address in locations(part)]
    assert [len(locations(part)) for part in parts[:-1]] == [10] * (len(parts) - 1)
    assert Counter(listed) == Counter(SITE.url(page.address) for page in pages())
    for part in parts:
        URLSET.validate(part)


def test_a_part_that_is_not_in_the_index_does_not_exist(
    shipped_site: None, short_files: None
) -> None:
    count = len(locations(served("/sitemap.xml")))

    answers = [ask(f"/sitemap-{number}.xml").status_code for number in (0, count, count + 1, "x")]
    assert answers == [404, 200, 404, 404]


def test_the_parts_are_documents_of_the_registry(shipped_site: None, short_files: None) -> None:
    listed = {address.removeprefix(SITE.root) for address in locations(served("/sitemap.xml"))}
    documents = registry.documents(context_at(SITE, datetime.now(UTC)))

    assert {found.address for found in documents if found.family == "sitemap-part"} == listed


def test_the_site_map_for_readers_has_every_page_and_its_mirror(shipped_site: None) -> None:
    text = served("/sitemap.md")

    for listed in pages():
        assert text.count(f"({SITE.url(listed.address)})") == 1
        assert text.count(f"({SITE.url(listed.mirror)})") == 1
