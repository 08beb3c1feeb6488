"""A long list of articles has one line for each, on the page and in its mirror."""

from datetime import UTC, datetime

from site_mirror.pages import cards
from tests import factories
from tests.pages.page_reader import SITE, read_document


def write_year(count: int) -> tuple[str, str]:
    """Create the articles of a year, and return its page and its mirror."""
    factories.make_studio()
    for number in range(count):
        factories.make_post(
            slug=f"post-{number}",
            title_en=f"Title *{number}* & more",
            excerpt_en="A summary.",
            publish_at=datetime(2026, 3, 1, tzinfo=UTC),
        )
    return read_document("/blog/years/2026"), read_document("/blog/years/2026.md")


def test_a_long_list_has_the_day_and_the_title_of_each(db: None) -> None:
    page, mirror = write_year(cards.MAX_CARDS + 1)

    assert page.count('<ul class="archive">') == 1
    assert page.count('<time datetime="2026-03-01">1 March 2026</time> <a href="/blog/') == (
        cards.MAX_CARDS + 1
    )
    assert '<a href="/blog/post-7">Title *7* &amp; more</a>' in page
    assert f"- 1 March 2026: [Title \\*7\\* & more]({SITE.url('/blog/post-7')})\n" in mirror
    assert "A summary." not in page + mirror


def test_a_list_up_to_the_limit_has_summaries(db: None) -> None:
    page, mirror = write_year(cards.MAX_CARDS)

    assert 'class="archive"' not in page
    assert (page.count("A summary."), mirror.count("A summary.")) == (
        cards.MAX_CARDS,
        cards.MAX_CARDS,
    )
