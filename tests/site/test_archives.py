"""A list of many articles has a line each, on the page and in its mirror."""

from datetime import UTC, datetime

import pytest
from django.utils import timezone
from django.utils.translation import override

from site_mirror.framing import context_at
from site_mirror.pages import cards, html, markdown
from site_mirror.pages.blog import Year, compose_year
from tests import rows
from tests.site.reading import SITE


def written(count: int, language: str = "en") -> tuple[str, str]:
    """The page and the mirror of a year of so many articles, the first in English only."""
    posts = [
        rows.make_post(
            slug=f"post-{number}",
            title_en=f"Title *{number}* & more",
            excerpt_en="A summary.",
            publish_at=datetime(2026, 3, 1, tzinfo=UTC),
            **({} if number == 0 else TRANSLATED),
        )
        for number in range(count)
    ]
    frame = context_at(SITE, timezone.now()).frames[language]
    with override(language):
        page = compose_year(frame, Year(2026, posts))
        return html.write(frame, page).decode(), markdown.write(frame, page).decode()


TRANSLATED = {"title_vi": "Bài", "excerpt_vi": "Một câu.", "body_vi": "Chữ."}


def test_a_long_list_has_the_day_and_the_title_of_each(studio_row: None) -> None:
    page, mirror = written(cards.MANY + 1)

    assert page.count('<ul class="archive">') == 1
    assert page.count('<time datetime="2026-03-01">1 March 2026</time> <a href="/blog/') == (
        cards.MANY + 1
    )
    assert '<a href="/blog/post-7">Title *7* &amp; more</a>' in page
    assert f"- 1 March 2026: [Title \\*7\\* & more]({SITE.url('/blog/post-7')})\n" in mirror
    assert "A summary." not in page + mirror


def test_a_list_of_moderate_length_keeps_its_summaries(studio_row: None) -> None:
    page, mirror = written(cards.MANY)

    assert 'class="archive"' not in page
    assert (page.count("A summary."), mirror.count("A summary.")) == (cards.MANY, cards.MANY)


def test_a_title_without_translation_is_marked_as_english(studio_row: None) -> None:
    page, _ = written(cards.MANY + 1, "vi")

    assert '<a href="/blog/post-0" hreflang="en"><span lang="en">Title' in page


@pytest.fixture
def studio_row(db: None) -> None:
    rows.make_studio()
