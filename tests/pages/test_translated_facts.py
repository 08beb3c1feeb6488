"""Facts of apps and of the studio on the pages of each language."""

import re

import pytest

from tests import factories
from tests.pages.page_reader import read_document


@pytest.mark.parametrize(
    ("translated", "has_page"), [("description_vi", True), ("tagline_vi", False)]
)
def test_an_app_links_to_its_page_in_vietnamese_if_there_is_one(
    translated: str, has_page: bool, db: None
) -> None:
    factories.make_app(**{translated: "Nó đo."})

    assert ('href="/vi/apps/an-app"' in read_document("/apps/an-app")) == has_page


@pytest.mark.parametrize(("status", "days"), [("live", ["2024"]), ("soon", [])])
def test_an_app_has_a_date_of_publication_once_it_is_out(
    status: str, days: list[str], db: None
) -> None:
    factories.make_app(status=status, since="2024")

    assert re.findall(r'"datePublished":"(.*?)"', read_document("/apps/an-app")) == days


def test_a_link_to_a_topic_is_to_the_page_in_english_without_one_in_vietnamese(db: None) -> None:
    factories.make_topic(slug="sound").apps.add(factories.make_translated_app())
    factories.make_page(slug="science")

    assert 'href="/science#sound"' in read_document("/vi/apps/an-app")


def test_an_article_has_the_reading_time_of_its_language(db: None) -> None:
    factories.make_translated_post(body_en="word " * 2000)

    assert "1 phút" in read_document("/vi/blog/a-post.md")
    assert "1 minute" not in read_document("/blog/a-post.md")
    assert '"readMinutes":10,' in read_document("/api/v1/posts/a-post")


def test_names_numbers_and_months_are_as_the_language_writes_them(db: None) -> None:
    factories.make_studio(country="VN", country_name="Vietnam", languages=["en", "vi", "xx"])
    factories.make_page(slug="about", title_vi="Giới thiệu", body_vi="Chào.")
    factories.make_translated_app(
        downloads="45,000+", on_watch=True, updated="2026-09", stack=["Vector tiles", "Tide tables"]
    )
    facts = {"/about": ["Vietnam", "English, Vietnamese, xx"]}
    facts["/vi/about"] = ["Việt Nam", "Tiếng Anh, Tiếng Việt, xx"]
    facts["/apps/an-app"] = ["45,000+", "Watch", "September 2026", "Vector tiles", "Tide tables"]
    facts["/vi/apps/an-app"] = ["45.000+", "iOS, Đồng hồ", "Tháng 9 năm 2026", "Ô bản đồ vectơ"]
    # What no catalogue has is in English, and is marked so.
    facts["/vi/apps/an-app"].append('<span lang="en">Tide tables</span>')

    assert [
        (address, fact)
        for address, expected in facts.items()
        for fact in expected
        if fact not in read_document(address)
    ] == []
