"""A long list of articles has one line for each, on the page and in its mirror."""

from datetime import UTC, datetime

import pytest
from django.utils import timezone
from django.utils.translation import override

from catalogue import questions
from site_mirror.pages import cards, html, markdown
from site_mirror.pages.blog import PostList, compose_year
from site_mirror.registry.contexts import context_at
from tests import factories
from tests.pages.page_reader import SITE


def write_year(count: int, language: str = "en") -> tuple[str, str]:
    """Write the page and the mirror of a year of articles, the first in English only."""
    for number in range(count):
        factories.make_post(
            slug=f"post-{number}",
            title_en=f"Title *{number}* & more",
            excerpt_en="A summary.",
            publish_at=datetime(2026, 3, 1, tzinfo=UTC),
            **({} if number == 0 else VIETNAMESE_TEXTS),
        )
    [year] = questions.years(timezone.now(), language=language)
    posts = list(questions.post_titles(timezone.now(), language="en"))
    frame = context_at(SITE, timezone.now()).frames[language]
    with override(language):
        page = compose_year(frame, PostList("2026", year, posts))
        return html.write_html(frame, page).decode(), markdown.write_markdown(frame, page).decode()


VIETNAMESE_TEXTS = {"title_vi": "Bài", "excerpt_vi": "Một câu.", "body_vi": "Chữ."}


def test_a_long_list_has_the_day_and_the_title_of_each(studio_row: None) -> None:
    page, mirror = write_year(cards.MAX_CARDS + 1)

    assert page.count('<ul class="archive">') == 1
    assert page.count('<time datetime="2026-03-01">1 March 2026</time> <a href="/blog/') == (
        cards.MAX_CARDS + 1
    )
    assert '<a href="/blog/post-7">Title *7* &amp; more</a>' in page
    assert f"- 1 March 2026: [Title \\*7\\* & more]({SITE.url('/blog/post-7')})\n" in mirror
    assert "A summary." not in page + mirror


def test_a_list_up_to_the_limit_has_summaries(studio_row: None) -> None:
    page, mirror = write_year(cards.MAX_CARDS)

    assert 'class="archive"' not in page
    assert (page.count("A summary."), mirror.count("A summary.")) == (
        cards.MAX_CARDS,
        cards.MAX_CARDS,
    )


def test_a_title_without_translation_is_marked_as_english(studio_row: None) -> None:
    page, _ = write_year(cards.MAX_CARDS + 1, "vi")

    assert '<a href="/blog/post-0" hreflang="en"><span lang="en">Title' in page


@pytest.fixture
def studio_row(db: None) -> None:
    factories.make_studio()
